/** What is played tonight: the actions of plugin.yaml. */

const announcements: string[] = []

export function tonight(): { readonly play: string; readonly announcements: readonly string[] } {
  return { play: 'The Tempest', announcements }
}

export function announce({ text }: { readonly text: string }): string {
  announcements.push(text)
  return `announced: ${text}`
}

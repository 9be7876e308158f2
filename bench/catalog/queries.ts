/** What people and models type to find a tool, made up for a generated catalogue. */
import type { CatalogEntry } from '@callboard/sdk'

const SENTENCES = [
  'open a ticket for the failed deployment and assign it to the team',
  'which invoices of this customer have not been paid yet',
  'send a reminder about the meeting to everybody on the channel',
  'how do I restore an archived document',
  'export the report with the metrics of the last release as a file',
  'find the thread in which somebody approved the order',
]
const WORDS = ['issue', 'calendar', 'repo', 'deploy', 'delete', 'urgent', 'archi']
const PHRASES = [
  'list open issues',
  'create invoice',
  'merge branch',
  'user permissions',
  'schedule a meeting',
  'bucket settings',
]

/** One in four is a name that is there; the others are words, phrases and whole sentences. */
export function queries(entries: readonly CatalogEntry[], random: () => number): string[] {
  return Array.from({ length: 200 }, (_, i) => {
    const any = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
    if (i % 4 === 0) return entries[Math.floor(random() * entries.length)]?.declaredName ?? ''
    return any([WORDS, PHRASES, SENTENCES][(i % 4) - 1] ?? WORDS)
  })
}

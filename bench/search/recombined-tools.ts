/** As many tools as wanted, put together from the tools of real servers, always the same ones. */
import { randomNumbers } from '../generated-tools.ts'
import type { SetTool } from './tool-set.ts'

/**
 * The real tools come first. Each further one has the name of one, of its description and of another's the sentences by turns
 * and of both some arguments, and belongs to the first one's server under another number.
 */
export function recombinedTools(real: readonly SetTool[], count: number): SetTool[] {
  const random = randomNumbers(1)
  const any = (): SetTool => {
    const tool = real[Math.floor(random() * real.length)]
    if (!tool) throw new Error('there are no real tools to put others together from')
    return tool
  }
  return Array.from({ length: count }, (_, i) => {
    const own = real[i]
    if (own) return { ...own, id: String(i) }
    const [tool, other] = [any(), any()]
    return {
      id: String(i),
      server: `${tool.server}-${Math.floor(i / real.length)}`,
      name: tool.name,
      title: tool.title,
      description: mixed(tool.description, other.description),
      params: [...tool.params.filter(() => random() < 0.7), ...other.params.filter(() => random() < 0.3)],
    }
  })
}

/** The sentences of two texts by turns; of a single sentence, its first half and the other's second. */
function mixed(first: string, second: string): string {
  const [one, other] = [sentences(first), sentences(second)]
  if (one.length > 1) return one.map((sentence, i) => (i % 2 === 0 ? sentence : (other[i] ?? other[0] ?? ''))).join(' ')
  const [words, others] = [first.split(' '), (other[0] ?? '').split(' ')]
  return [...words.slice(0, Math.ceil(words.length / 2)), ...others.slice(others.length >> 1)].join(' ')
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?。])\s+/)
}

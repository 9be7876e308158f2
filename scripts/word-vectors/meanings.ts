/** Reads the meanings of WordNet: the words for each, what it is, and how these words are used. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files, and the digits by which the index of senses calls them. */
const PARTS = { noun: '1', verb: '2', adj: '35', adv: '4' }

export interface Meaning {
  readonly words: readonly string[]
  readonly definition: string
  readonly examples: readonly string[]
}

/** Those that texts were found to use, or of which there is an example. */
export function readMeanings(folder: string): readonly Meaning[] {
  const used = usedSenses(folder)
  return Object.entries(PARTS).flatMap(([part, digits]) =>
    lines(join(folder, `data.${part}`)).flatMap((line) => {
      if (!/^\d{8}/.test(line)) return []
      const meaning = read(line)
      const isUsed = [...digits].some((digit) => used.has(digit + line.slice(0, 8)))
      return isUsed || meaning.examples.length > 0 ? [meaning] : []
    }),
  )
}

function lines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n')
}

/** Senses that were counted in texts: the digit of the part of speech, then the place in its file. */
function usedSenses(folder: string): ReadonlySet<string> {
  const used = new Set<string>()
  for (const line of lines(join(folder, 'index.sense'))) {
    const [key = '', place = '', , count = '0'] = line.split(' ')
    if (Number(count) > 0) used.add(`${key.split('%')[1]?.[0]}${place}`)
  }
  return used
}

/** The format of WordNet's data files: fields with the words from the fourth on, a bar, and the gloss. */
function read(line: string): Meaning {
  const [fields = '', gloss = ''] = line.split(' | ')
  const all = fields.split(' ')
  const count = Number.parseInt(all[3] ?? '0', 16)
  const words = Array.from({ length: count }, (_, i) => (all[4 + 2 * i] ?? '').replace(/_/g, ' ').replace(/\(.*\)/, ''))
  return {
    words,
    definition: (gloss.split('; "')[0] ?? '').trim(),
    examples: Array.from(gloss.matchAll(/"([^"]*)"/g), ([, example = '']) => example),
  }
}

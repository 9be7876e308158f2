/** What the vectors learn from: words, and pairs of texts that are about the same. */
import { isTelling } from '../../packages/callboard/src/catalog/search/stop-words.ts'
import { wordsOf } from '../../packages/callboard/src/catalog/search/words.ts'
import { type Meaning, readMeanings } from './meanings.ts'
import { type Operation, readOperations } from './operations.ts'
import { randomNumbers, shuffle } from './random.ts'
import type { Sources } from './sources.ts'

/** Words of fewer texts are left out, and those beyond the most frequent ones. */
const LEAST_TEXTS = 2
const MOST_WORDS = 50_000
const WORD = /^\p{Script=Latin}{2,24}$/u
/** Fewer words say too little of what another text is about. */
const LEAST_WORDS = 2

export interface Corpus {
  /** The most frequent ones first. */
  readonly words: readonly string[]
  /** By word: in which part of the texts it is. */
  readonly shares: readonly number[]
  /** By text: the places of its words in `words`. */
  readonly pairs: readonly (readonly [readonly number[], readonly number[]])[]
  /** Texts in no order. */
  readonly texts: readonly string[]
}

export function readCorpus({ apis, wordNet }: Sources): Corpus {
  const operations = readOperations(apis)
  const meanings = readMeanings(wordNet)
  const counts = new Map<string, number>()
  const counted = [...operations.map(textOfOperation), ...meanings.map(textOfMeaning)]
  for (const text of counted) for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const frequent = [...counts]
    .filter(([word, count]) => count >= LEAST_TEXTS && WORD.test(word) && isTelling(word))
    .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
  const places = new Map(frequent.map(([word], place) => [word, place]))
  const pairs = [...operations.flatMap(pairOfOperation), ...meanings.flatMap(pairsOfMeaning)]
  return {
    words: frequent.map(([word]) => word),
    shares: frequent.map(([, count]) => count / counted.length),
    pairs: pairs
      .map(([a, b]) => [placesIn(a, places), placesIn(b, places)] as const)
      .filter(([a, b]) => a.length > 0 && b.length >= LEAST_WORDS),
    texts: shuffle(
      [...new Set([...operations.flatMap(textsOfOperation), ...meanings.flatMap(textsOfMeaning)])],
      randomNumbers(12345),
    ),
  }
}

/** The places of a text's telling words, each once. */
export function placesIn(text: string, places: ReadonlyMap<string, number>): number[] {
  return [...new Set(wordsOf(text))].filter(isTelling).flatMap((word) => places.get(word) ?? [])
}

/** A name with its words apart, so that no two of them are read as one. */
function apart(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|[_\-./:]+/g, ' ').toLowerCase()
}

function textOfOperation({ name, path, summary, description, parameters }: Operation): string {
  return apart([name, path, summary, description, ...parameters].join(' '))
}

function textOfMeaning({ words, definition, examples }: Meaning): string {
  return [...words, definition, ...examples].join(' ')
}

type Pair = readonly [string, string]

/** The name and the summary belong to the description, or else to the parameters. */
function pairOfOperation({ name, summary, description, parameters }: Operation): Pair[] {
  const called = `${apart(name)} ${summary}`
  return [[called, description === '' ? apart(parameters.join(' ')) : description]]
}

function pairsOfMeaning({ words, definition, examples }: Meaning): Pair[] {
  return [words, examples].map((some): Pair => [some.join(' '), definition])
}

function textsOfOperation({ name, summary, description }: Operation): string[] {
  return [summary || apart(name), description].filter((text) => text !== '')
}

function textsOfMeaning({ definition, examples }: Meaning): string[] {
  return [definition, examples.slice(0, 2).join('; ')].filter((text) => text !== '')
}

/** Which tools have which terms, and how much each term says there: an inverted index in four arrays of numbers. */
import { NAME_FIELD, SEARCH_FIELDS, type SearchableTool } from './searchable-tool.ts'
import { STOP_WORDS } from './stop-words.ts'
import { Uint32List } from './uint32-list.ts'
import { Vocabulary } from './vocabulary.ts'
import { runsOf, wordsOfRun } from './words.ts'

/** How soon more of the same word in a tool adds nothing (the k1 of BM25). */
const SATURATION = 1.2
/** Words of one field that count, so that no plugin's text can make the index large. */
const MOST_WORDS = 1000

export interface Postings {
  readonly vocabulary: Vocabulary
  /** By term: where its postings begin; one more at the end. */
  readonly starts: Uint32Array
  /** By posting: the position of the tool, ascending within a term. */
  readonly positions: Uint32Array
  /** By posting: the BM25F weight of the term in the tool, without its rarity. */
  readonly weights: Float32Array
  /** By position: where the stems of the tool's name begin in `nameStems`; one more at the end. */
  readonly nameStarts: Uint32Array
  /** Terms, each once in a name. */
  readonly nameStems: Uint32Array
}

/** The words of every tool as numbers of words, field after field, tool after tool. */
interface Words {
  readonly vocabulary: Vocabulary
  readonly words: Uint32Array
  /** By position times the number of fields, plus field: where the words of that field end. */
  readonly ends: Uint32Array
}

export function buildPostings(tools: readonly SearchableTool[]): Postings {
  const text = readWords(tools)
  const starts = countPostings(text)
  return { vocabulary: text.vocabulary, starts, ...fillPostings(text, starts), ...readNames(text) }
}

function readWords(tools: readonly SearchableTool[]): Words {
  const vocabulary = new Vocabulary()
  const terms = new RunTerms(vocabulary)
  const words = new Uint32List()
  const ends = new Uint32Array(tools.length * SEARCH_FIELDS.length)
  let field = 0
  for (const tool of tools) {
    for (const [i, { text }] of SEARCH_FIELDS.entries()) {
      const most = words.length + MOST_WORDS
      for (const run of runsOf(text(tool))) {
        for (const word of terms.of(run, i === NAME_FIELD)) if (words.length < most) words.push(word)
        if (words.length === most) break
      }
      ends[field++] = words.length
    }
  }
  return { vocabulary, words: words.toArray(), ends }
}

/** The terms of runs of letters; since the same few runs make up most of all text, each is taken apart once. */
class RunTerms {
  readonly #vocabulary: Vocabulary
  readonly #known = new Map<string, { readonly all: readonly number[]; readonly telling: readonly number[] }>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  of(run: string, withStopWords: boolean): readonly number[] {
    let terms = this.#known.get(run)
    if (!terms) {
      const words = wordsOfRun(run)
      const term = (word: string): number => this.#vocabulary.add(word)
      terms = { all: words.map(term), telling: words.filter((word) => !STOP_WORDS.has(word)).map(term) }
      this.#known.set(run, terms)
    }
    return withStopWords ? terms.all : terms.telling
  }
}

/** Calls `visit` with each word of each field of each tool. */
function forEachWord(
  { words, ends }: Words,
  visit: (word: number, position: number, field: number, length: number) => void,
): void {
  let from = 0
  for (const [i, end] of ends.entries()) {
    const field = i % SEARCH_FIELDS.length
    const position = (i - field) / SEARCH_FIELDS.length
    for (let at = from; at < end; at++) visit(words[at] ?? 0, position, field, end - from)
    from = end
  }
}

function countPostings(text: Words): Uint32Array {
  const { vocabulary } = text
  const starts = new Uint32Array(vocabulary.size + 1)
  const last = new Int32Array(vocabulary.size).fill(-1)
  const count = (term: number, position: number): void => {
    if (last[term] === position) return
    last[term] = position
    starts[term + 1] = (starts[term + 1] ?? 0) + 1
  }
  forEachWord(text, (word, position) => {
    count(word, position)
    count(vocabulary.stemTerm(word), position)
  })
  for (let term = 1; term < starts.length; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0)
  return starts
}

function fillPostings(text: Words, starts: Uint32Array): Pick<Postings, 'positions' | 'weights'> {
  const { vocabulary } = text
  const averages = averageLengths(text)
  const total = starts.at(-1) ?? 0
  const positions = new Uint32Array(total)
  const weights = new Float32Array(total)
  const next = starts.slice()
  const add = (term: number, position: number, weight: number): void => {
    const newest = (next[term] ?? 0) - 1
    const known = newest >= (starts[term] ?? 0) && positions[newest] === position
    const at = known ? newest : newest + 1
    positions[at] = position
    weights[at] = (weights[at] ?? 0) + weight
    next[term] = at + 1
  }
  forEachWord(text, (word, position, field, length) => {
    const { weight, evenness } = SEARCH_FIELDS[field] ?? { weight: 0, evenness: 0 }
    const share = weight / (1 - evenness + (evenness * length) / (averages[field] ?? 1))
    add(word, position, share)
    add(vocabulary.stemTerm(word), position, share)
  })
  for (let at = 0; at < total; at++) {
    const weight = weights[at] ?? 0
    weights[at] = (weight * (SATURATION + 1)) / (SATURATION + weight)
  }
  return { positions, weights }
}

/** By field: how many words it has on average, over the tools that have any. */
function averageLengths({ ends }: Words): readonly number[] {
  const sums = SEARCH_FIELDS.map(() => ({ words: 0, tools: 0 }))
  let from = 0
  for (const [i, end] of ends.entries()) {
    const sum = sums[i % SEARCH_FIELDS.length]
    if (sum && end > from) {
      sum.words += end - from
      sum.tools++
    }
    from = end
  }
  return sums.map(({ words, tools }) => (tools > 0 ? words / tools : 1))
}

function readNames({ vocabulary, words, ends }: Words): Pick<Postings, 'nameStarts' | 'nameStems'> {
  const tools = ends.length / SEARCH_FIELDS.length
  const nameStarts = new Uint32Array(tools + 1)
  const stems = new Uint32List()
  for (let position = 0; position < tools; position++) {
    const field = position * SEARCH_FIELDS.length + NAME_FIELD
    const name = words.subarray(field > 0 ? ends[field - 1] : 0, ends[field])
    for (const stem of new Set(Array.from(name, (word) => vocabulary.stemTerm(word)))) stems.push(stem)
    nameStarts[position + 1] = stems.length
  }
  return { nameStarts, nameStems: stems.toArray() }
}

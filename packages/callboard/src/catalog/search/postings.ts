/** Which tools of a few have which terms, and how often: an inverted index in arrays of numbers. */
import { MOST_WORDS } from './field-lengths.ts'
import { NAME_FIELD, SEARCH_FIELDS, type SearchableTool } from './searchable-tool.ts'
import { STOP_WORDS } from './stop-words.ts'
import { Uint32List } from './uint32-list.ts'
import type { Vocabulary } from './vocabulary.ts'
import { runsOf, wordsOfRun } from './words.ts'

/** Bits of a number that say how often a term is in one field; where it is there more often, that counts no more. */
export const COUNT_BITS = 6
export const MOST_COUNTED: number = 2 ** COUNT_BITS - 1

/** Tools are given by their slots, their numbers in the list that was read. */
export interface Postings {
  /** Ascending. */
  readonly terms: Uint32Array
  /** By number of the term in `terms`: where its postings begin; one more at the end. */
  readonly starts: Uint32Array
  /** By posting: the slot of the tool, ascending within a term. */
  readonly slots: Uint16Array
  /** By posting: how often the term is in each field, `COUNT_BITS` for each, the first field lowest. */
  readonly counts: Uint32Array
  /** By slot times the number of fields, plus field: how many words that field has. */
  readonly lengths: Uint16Array
  /** By slot: how many stems the tool's name has, each counted once. */
  readonly nameStems: Uint16Array<ArrayBuffer>
}

/** The words of every tool as numbers of words, field after field, tool after tool. */
interface Words {
  /** Ascending. */
  readonly terms: Uint32Array
  /** By number in `terms`: the number of the stem of that word; for a stem, its own. */
  readonly stems: Uint32Array
  readonly words: Uint32Array
  /** By slot times the number of fields, plus field: where the words of that field end. */
  readonly ends: Uint32Array
}

/** Reads at most 65,536 tools. The terms are in the vocabulary then, and held once for each of these postings. */
export function buildPostings(tools: readonly SearchableTool[], vocabulary: Vocabulary): Postings {
  const text = readWords(tools, vocabulary)
  for (const term of text.terms) vocabulary.hold(term)
  const starts = countPostings(text)
  const lengths = Uint16Array.from(text.ends, (end, i) => end - (text.ends[i - 1] ?? 0))
  return { terms: text.terms, starts, lengths, ...fillPostings(text, starts), nameStems: countNames(text) }
}

/** Takes the tools for which `drops` says so out, in place, and tells `gone` how many of them had each term. */
export function dropSlots(
  { terms, starts, slots, counts }: Postings,
  drops: (slot: number) => boolean,
  gone: (term: number, tools: number) => void,
): void {
  let from = 0
  let next = 0
  for (const [i, term] of terms.entries()) {
    const end = starts[i + 1] ?? from
    const begin = next
    for (let at = from; at < end; at++) {
      const slot = slots[at] ?? 0
      if (drops(slot)) continue
      slots[next] = slot
      counts[next++] = counts[at] ?? 0
    }
    const dropped = end - from - (next - begin)
    if (dropped > 0) gone(term, dropped)
    starts[i] = begin
    from = end
  }
  starts[terms.length] = next
}

/** The number of a term in the ascending list, or -1. */
export function placeOfTerm(terms: Uint32Array, term: number): number {
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((terms[middle] ?? 0) < term) low = middle + 1
    else high = middle
  }
  return terms[low] === term ? low : -1
}

function readWords(tools: readonly SearchableTool[], vocabulary: Vocabulary): Words {
  const runs = new RunTerms(vocabulary)
  const words = new Uint32List()
  const ends = new Uint32Array(tools.length * SEARCH_FIELDS.length)
  let field = 0
  for (const tool of tools) {
    for (const [i, { text }] of SEARCH_FIELDS.entries()) {
      const most = words.length + MOST_WORDS
      for (const run of runsOf(text(tool))) {
        for (const word of runs.of(run, i === NAME_FIELD)) if (words.length < most) words.push(word)
        if (words.length === most) break
      }
      ends[field++] = words.length
    }
  }
  return inOrder(runs.terms, { vocabulary, words: words.toArray(), ends })
}

/** The words renumbered by their places in the list of all terms that are there, stems among them. */
function inOrder(known: ReadonlySet<number>, text: Pick<Words, 'words' | 'ends'> & { vocabulary: Vocabulary }): Words {
  const { vocabulary, words, ends } = text
  const terms = Uint32Array.from(known).sort()
  const numbers = new Map(Array.from(terms, (term, number) => [term, number]))
  return {
    terms,
    stems: terms.map((term) => numbers.get(vocabulary.stemTerm(term)) ?? 0),
    words: words.map((word) => numbers.get(word) ?? 0),
    ends,
  }
}

/** The terms of runs of letters; since the same few runs make up most of all text, each is taken apart once. */
class RunTerms {
  /** All that were met, and their stems. */
  readonly terms: Set<number> = new Set()
  readonly #vocabulary: Vocabulary
  readonly #all = new Map<string, readonly number[]>()
  readonly #telling = new Map<string, readonly number[]>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  of(run: string, withStopWords: boolean): readonly number[] {
    const known = withStopWords ? this.#all : this.#telling
    let terms = known.get(run)
    if (!terms) {
      const words = wordsOfRun(run).filter((word) => withStopWords || !STOP_WORDS.has(word))
      terms = words.map((word) => this.#termOf(word))
      known.set(run, terms)
    }
    return terms
  }

  #termOf(word: string): number {
    const term = this.#vocabulary.add(word)
    this.terms.add(term).add(this.#vocabulary.stemTerm(term))
    return term
  }
}

/** Calls `visit` with each word of each field of each tool. */
function forEachWord({ words, ends }: Words, visit: (word: number, slot: number, field: number) => void): void {
  let from = 0
  for (const [i, end] of ends.entries()) {
    const field = i % SEARCH_FIELDS.length
    const slot = (i - field) / SEARCH_FIELDS.length
    for (let at = from; at < end; at++) visit(words[at] ?? 0, slot, field)
    from = end
  }
}

function countPostings(text: Words): Uint32Array {
  const starts = new Uint32Array(text.terms.length + 1)
  const last = new Int32Array(text.terms.length).fill(-1)
  const count = (number: number, slot: number): void => {
    if (last[number] === slot) return
    last[number] = slot
    starts[number + 1] = (starts[number + 1] ?? 0) + 1
  }
  forEachWord(text, (word, slot) => {
    count(word, slot)
    count(text.stems[word] ?? 0, slot)
  })
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0)
  return starts
}

function fillPostings(text: Words, starts: Uint32Array): Pick<Postings, 'slots' | 'counts'> {
  const total = starts.at(-1) ?? 0
  const slots = new Uint16Array(total)
  const counts = new Uint32Array(total)
  const next = starts.slice()
  const add = (number: number, slot: number, field: number): void => {
    const newest = (next[number] ?? 0) - 1
    const known = newest >= (starts[number] ?? 0) && slots[newest] === slot
    const at = known ? newest : newest + 1
    slots[at] = slot
    next[number] = at + 1
    const shift = field * COUNT_BITS
    const packed = counts[at] ?? 0
    if (((packed >>> shift) & MOST_COUNTED) < MOST_COUNTED) counts[at] = packed + (1 << shift)
  }
  forEachWord(text, (word, slot, field) => {
    add(word, slot, field)
    add(text.stems[word] ?? 0, slot, field)
  })
  return { slots, counts }
}

function countNames({ stems, words, ends }: Words): Uint16Array<ArrayBuffer> {
  return Uint16Array.from({ length: ends.length / SEARCH_FIELDS.length }, (_, slot) => {
    const field = slot * SEARCH_FIELDS.length + NAME_FIELD
    const name = words.subarray(field > 0 ? ends[field - 1] : 0, ends[field])
    return new Set(Array.from(name, (word) => stems[word])).size
  })
}

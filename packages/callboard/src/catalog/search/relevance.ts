/** How relevant each tool is to a query, by its words. */
import type { Postings } from './postings.ts'
import { STOP_WORDS } from './stop-words.ts'
import { SYNONYMS } from './synonyms.ts'
import { stemOf } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** What is read of a query: more would make the search slow and not better. */
const MOST_CHARACTERS = 4096
const MOST_WORDS = 64

/** What a word is worth as it stands and as its stem. */
const EXACT = 0.5
const STEMMED = 0.5
/** What another word for it is worth. */
const SYNONYM = 0.25
/** How much is added for a name of which the query has every word, and for a tool that has every word of the query. */
const NAME_COVERED = 0.3
const QUERY_COVERED = 0.3

/**
 * Its arrays are kept from query to query: with many tools, new ones for each would have the garbage collector stop
 * everything again and again.
 */
export class Relevance {
  readonly #postings: Postings
  readonly #found: Found

  constructor(postings: Postings) {
    const tools = postings.nameStarts.length - 1
    this.#postings = postings
    this.#found = {
      scores: new Float64Array(tools),
      covered: new Float64Array(tools),
      asked: 0,
      stems: new Float32Array(postings.vocabulary.size),
    }
  }

  /**
   * By position: 0 for a tool that has nothing of the query, else a number that is the larger the more it has. The array
   * is overwritten by the next query.
   */
  of(query: string): Float64Array {
    const found = this.#found
    for (const array of [found.scores, found.covered, found.stems]) array.fill(0)
    found.asked = 0
    for (const word of queryWords(query)) addWord(this.#postings, found, word)
    if (found.asked > 0) addCoverage(this.#postings, found)
    return found.scores
  }
}

interface Found {
  /** By position: the sum of the weights of what was found. */
  readonly scores: Float64Array
  /** By position: the rarity of the stems of the query that were found, summed. */
  readonly covered: Float64Array
  /** The rarity of all stems of the query that are anywhere, summed. */
  asked: number
  /** By term: what it counts in a name; 1 for the stems of the query, less for their synonyms, 0 for all others. */
  readonly stems: Float32Array
}

/** The words of the query, each once, in their order, without stop words unless there are no others. */
function queryWords(query: string): readonly string[] {
  const all = [...new Set(wordsOf(query.slice(0, MOST_CHARACTERS)))]
  const telling = all.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : all).slice(0, MOST_WORDS)
}

function addWord(postings: Postings, found: Found, word: string): void {
  const { vocabulary } = postings
  addTerm(postings, found.scores, vocabulary.word(word), EXACT)
  const stem = stemOf(word)
  for (const synonym of SYNONYMS.get(stem) ?? []) addStem(postings, found, vocabulary.stem(synonym), SYNONYM)
  addStem(postings, found, vocabulary.stem(stem), 1)
}

/** Adds a stem that says `share` of what the query's own stem would. */
function addStem(postings: Postings, found: Found, stem: number | undefined, share: number): void {
  if (stem === undefined) return
  if (share === 1) found.asked += rarity(postings, stem)
  found.stems[stem] = Math.max(share, found.stems[stem] ?? 0)
  addTerm(postings, found.scores, stem, STEMMED * share)
  addRarity(postings, found.covered, stem, share)
}

function addTerm(postings: Postings, scores: Float64Array, term: number | undefined, share: number): void {
  if (term === undefined) return
  const { starts, positions, weights } = postings
  const worth = share * rarity(postings, term)
  const end = starts[term + 1] ?? 0
  for (let at = starts[term] ?? 0; at < end; at++) {
    const position = positions[at] ?? 0
    scores[position] = (scores[position] ?? 0) + worth * (weights[at] ?? 0)
  }
}

function addRarity(postings: Postings, covered: Float64Array, term: number, share: number): void {
  const { starts, positions } = postings
  const worth = share * rarity(postings, term)
  const end = starts[term + 1] ?? 0
  for (let at = starts[term] ?? 0; at < end; at++) {
    const position = positions[at] ?? 0
    covered[position] = (covered[position] ?? 0) + worth
  }
}

/** How much it says that a tool has the term: the fewer have it, the more (the idf of BM25). */
function rarity({ starts, nameStarts }: Postings, term: number): number {
  const having = (starts[term + 1] ?? 0) - (starts[term] ?? 0)
  return Math.log(1 + (nameStarts.length - 1 - having + 0.5) / (having + 0.5))
}

function addCoverage({ nameStarts, nameStems }: Postings, { scores, covered, asked, stems }: Found): void {
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position] ?? 0
    if (score === 0) continue
    const start = nameStarts[position] ?? 0
    const end = nameStarts[position + 1] ?? start
    let named = 0
    for (let at = start; at < end; at++) named += stems[nameStems[at] ?? 0] ?? 0
    const ofName = end > start ? named / (end - start) : 0
    const ofQuery = Math.min(1, (covered[position] ?? 0) / asked)
    scores[position] = score * (1 + NAME_COVERED * ofName + QUERY_COVERED * ofQuery)
  }
}

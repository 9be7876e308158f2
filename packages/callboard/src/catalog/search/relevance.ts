/** How relevant each tool is to a query, by its words. */
import { type FieldLengths, MOST_WORDS } from './field-lengths.ts'
import { COUNT_BITS, MOST_COUNTED, type Postings, placeOfTerm } from './postings.ts'
import type { QueryTerm, QueryTerms } from './query-terms.ts'
import { NAME_FIELD, SEARCH_FIELDS } from './searchable-tool.ts'

/** The bits of a posting's count that are about the name. */
const IN_NAME = MOST_COUNTED << (NAME_FIELD * COUNT_BITS)
/** How soon more of the same word in a tool adds nothing (the k1 of BM25). */
const SATURATION = 1.2
/** How much is added for a name of which the query has every word, and for a tool that has every word of the query. */
const NAME_COVERED = 0.3
const QUERY_COVERED = 0.3

/**
 * Its arrays are kept from query to query: with many tools, new ones for each would have the garbage collector stop
 * everything again and again.
 */
export class Relevance {
  readonly #scores: Float64Array
  /** By slot: how much of the query was found. */
  readonly #covered: Float64Array
  /** By slot: how many stems of the tool's name were found. */
  readonly #named: Float64Array

  /** @param slots of the largest postings that it will be asked about */
  constructor(slots: number) {
    this.#scores = new Float64Array(slots)
    this.#covered = new Float64Array(slots)
    this.#named = new Float64Array(slots)
  }

  /**
   * By slot: 0 for a tool that has nothing of the query, else a number that is the larger the more it has. The array is
   * overwritten by the next question.
   */
  of(query: QueryTerms, postings: Postings, lengths: FieldLengths): Float64Array {
    for (const array of [this.#scores, this.#covered, this.#named]) array.fill(0)
    for (const term of query.terms) this.#addTerm(postings, term, lengths.shares)
    if (query.asked > 0) this.#addCoverage(postings, query.asked)
    return this.#scores
  }

  #addTerm(postings: Postings, { term, worth, covers, names }: QueryTerm, shares: Float64Array): void {
    const { terms, starts, slots, counts, lengths } = postings
    const place = placeOfTerm(terms, term)
    if (place < 0) return
    const [scores, covered, named] = [this.#scores, this.#covered, this.#named]
    const end = starts[place + 1] ?? 0
    for (let at = starts[place] ?? 0; at < end; at++) {
      const slot = slots[at] ?? 0
      const count = counts[at] ?? 0
      let length = slot * SEARCH_FIELDS.length
      let share = 0
      let found = 0
      for (let packed = count; packed !== 0; packed >>>= COUNT_BITS) {
        found += (packed & MOST_COUNTED) * (shares[share + (lengths[length] ?? 0)] ?? 0)
        length++
        share += MOST_WORDS + 1
      }
      scores[slot] = (scores[slot] ?? 0) + (worth * found * (SATURATION + 1)) / (SATURATION + found)
      if (covers === 0) continue
      covered[slot] = (covered[slot] ?? 0) + covers
      if ((count & IN_NAME) !== 0) named[slot] = (named[slot] ?? 0) + names
    }
  }

  #addCoverage({ nameStems }: Postings, asked: number): void {
    const scores = this.#scores
    for (let slot = 0; slot < nameStems.length; slot++) {
      const score = scores[slot] ?? 0
      if (score === 0) continue
      const stems = nameStems[slot] ?? 0
      const ofName = stems > 0 ? (this.#named[slot] ?? 0) / stems : 0
      const ofQuery = Math.min(1, (this.#covered[slot] ?? 0) / asked)
      scores[slot] = score * (1 + NAME_COVERED * ofName + QUERY_COVERED * ofQuery)
    }
  }
}

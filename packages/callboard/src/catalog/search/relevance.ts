/** How relevant each tool is to a query, by its words. */
import { type FieldLengths, MOST_WORDS } from './field-lengths.ts'
import { COUNT_BITS, MOST_COUNTED, type Postings, placeOfTerm } from './postings.ts'
import type { QueryTerm, QueryTerms } from './query-terms.ts'
import { NAME_FIELD, SEARCH_FIELDS } from './searchable-tool.ts'

/** The bits of a posting's count that are about the name. */
const IN_NAME = MOST_COUNTED << (NAME_FIELD * COUNT_BITS)
/** The field that a bit of a posting's count is about. */
const FIELD_OF_BIT = Uint8Array.from({ length: 32 }, (_, bit) => Math.floor(bit / COUNT_BITS))
const FIELDS = SEARCH_FIELDS.length
const SHARES = MOST_WORDS + 1
/** How soon more of the same word in a tool adds nothing (the k1 of BM25). */
const SATURATION = 1.2
/** How much is added for a name of which the query has every word, and for a tool that has every word of the query. */
const NAME_COVERED = 0.3
const QUERY_COVERED = 0.3

/**
 * The tools of one segment after the other. Its arrays are kept from query to query: new ones for each would have the garbage
 * collector stop everything again and again.
 */
export class Relevance {
  /** All by slot: the sum of the weights of what was found, */
  readonly #scores: Float64Array
  /** how much of the query was found, */
  readonly #covered: Float64Array
  /** and how many stems of the tool's name. */
  readonly #named: Float64Array
  #nameStems = new Uint16Array()
  #asked = 0

  /** @param slots of the largest postings that it will be asked about */
  constructor(slots: number) {
    this.#scores = new Float64Array(slots)
    this.#covered = new Float64Array(slots)
    this.#named = new Float64Array(slots)
  }

  /** Looks the query up in a segment, which `of` is about from then on. */
  find(query: QueryTerms, postings: Postings, lengths: FieldLengths): void {
    for (const array of [this.#scores, this.#covered, this.#named]) array.fill(0)
    for (const term of query.terms) this.#addTerm(postings, term, lengths.shares)
    this.#nameStems = postings.nameStems
    this.#asked = query.asked
  }

  /** 0 for a tool that has nothing of the query, else a number that is the larger the more it has. */
  of(slot: number): number {
    const score = this.#scores[slot] ?? 0
    if (score === 0 || this.#asked === 0) return score
    const stems = this.#nameStems[slot] ?? 0
    const ofName = stems > 0 ? (this.#named[slot] ?? 0) / stems : 0
    const ofQuery = Math.min(1, (this.#covered[slot] ?? 0) / this.#asked)
    return score * (1 + NAME_COVERED * ofName + QUERY_COVERED * ofQuery)
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
      let found = 0
      // From the last field to the first: most words are in one field, and no time is lost on the others.
      for (let rest = count; rest !== 0; ) {
        const field = FIELD_OF_BIT[31 - Math.clz32(rest)] ?? 0
        const often = rest >>> (field * COUNT_BITS)
        rest -= often << (field * COUNT_BITS)
        found += often * (shares[field * SHARES + (lengths[slot * FIELDS + field] ?? 0)] ?? 0)
      }
      scores[slot] = (scores[slot] ?? 0) + (worth * found * (SATURATION + 1)) / (SATURATION + found)
      if (covers === 0) continue
      covered[slot] = (covered[slot] ?? 0) + covers
      if ((count & IN_NAME) !== 0) named[slot] = (named[slot] ?? 0) + names
    }
  }
}

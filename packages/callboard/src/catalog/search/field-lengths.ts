/** How many words the fields of all tools have, and what a word in each of them counts for that. */
import { SEARCH_FIELDS } from './searchable-tool.ts'

/** Words of one field that are read, so that no plugin's text can make the index large. */
export const MOST_WORDS = 1000

/** Sums over the tools that have any word in a field; whole numbers, so that it is of no matter in which order they came. */
export class FieldLengths {
  readonly #words = SEARCH_FIELDS.map(() => 0)
  readonly #tools = SEARCH_FIELDS.map(() => 0)
  #shares: Float64Array | undefined

  /** Counts one tool in (`sign` 1) or out (-1): how many words each of its fields has. */
  count(lengths: ArrayLike<number>, sign: 1 | -1): void {
    for (const field of SEARCH_FIELDS.keys()) {
      const length = lengths[field] ?? 0
      if (length === 0) continue
      this.#words[field] = (this.#words[field] ?? 0) + sign * length
      this.#tools[field] = (this.#tools[field] ?? 0) + sign
    }
    this.#shares = undefined
  }

  /**
   * What one word counts in a field of so many words, at field times (`MOST_WORDS` + 1) plus words: the weight of the field,
   * less where it is longer than others (the part of BM25F that depends on length).
   */
  get shares(): Float64Array {
    this.#shares ??= this.#work()
    return this.#shares
  }

  #work(): Float64Array {
    const shares = new Float64Array(SEARCH_FIELDS.length * (MOST_WORDS + 1))
    for (const [field, { weight, evenness }] of SEARCH_FIELDS.entries()) {
      const tools = this.#tools[field] ?? 0
      const average = tools > 0 ? (this.#words[field] ?? 0) / tools : 1
      for (let length = 0; length <= MOST_WORDS; length++) {
        shares[field * (MOST_WORDS + 1) + length] = weight / (1 - evenness + (evenness * length) / average)
      }
    }
    return shares
  }
}

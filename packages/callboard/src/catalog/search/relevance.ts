/** How relevant each tool is to a query at a first look: the words that it has, each by what it is worth there. */
import type { AskedWord } from './asked-words.ts'
import { KIN } from './closer-look.ts'
import { floats, grown } from './grown.ts'
import { LARGEST_WORTH, POSTING_STEPS, slotOfPosting, stepsOfPosting, type WordIndex } from './word-index.ts'

/**
 * Its array is kept from query to query: a new one for each would have the garbage collector stop everything again and
 * again.
 */
export class Relevance {
  #scores = floats(0)
  #scoreBits = new Int32Array(0)
  #largest = 0

  /**
   * By slot: 0 for a tool that has nothing of the query, else the more the better; those of tools that went mean
   * nothing.
   */
  get scores(): Float32Array {
    return this.#scores
  }

  /** The same as whole numbers: 0 for 0, and more for more. */
  get scoreBits(): Int32Array {
    return this.#scoreBits
  }

  /** No score is larger. */
  get largest(): number {
    return this.#largest
  }

  find(asked: readonly AskedWord[], { postings }: WordIndex, slots: number): void {
    this.#scores = grown(this.#scores, slots, floats)
    const scores = this.#scores.fill(0)
    if (this.#scoreBits.buffer !== scores.buffer) this.#scoreBits = new Int32Array(scores.buffer)
    this.#largest = 0
    for (const [stem, weight] of weightsOf(asked)) {
      this.#largest += weight * LARGEST_WORTH
      const step = (weight * LARGEST_WORTH) / POSTING_STEPS
      const list = postings.of(stem)
      for (let i = 0; i < list.length; i++) {
        const posting = list[i] ?? 0
        const slot = slotOfPosting(posting)
        scores[slot] = (scores[slot] ?? 0) + step * stepsOfPosting(posting)
      }
    }
  }
}

/** What finding each stem adds, in the order of the query. */
function weightsOf(asked: readonly AskedWord[]): ReadonlyMap<number, number> {
  const weights = new Map<number, number>()
  const add = (stem: number, weight: number): void => {
    weights.set(stem, (weights.get(stem) ?? 0) + weight)
  }
  for (const { own, kin, share, rarity, kinRarity } of asked) {
    for (const stem of own) add(stem, share * rarity + KIN * kinRarity)
    for (const stem of kin) add(stem, KIN * kinRarity)
  }
  return weights
}

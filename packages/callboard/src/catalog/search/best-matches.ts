/** Keeps the best of many matches: by tier, inside a tier by score, ties by position. */

/** Tools at most in one index; their positions have 23 of the 53 bits of a key. */
const MAX_TOOLS = 2 ** 23
const SCORES = 2 ** 24
/** More than so many are all collected and sorted once; fewer are sorted whenever twice as many have come together. */
const MOST_SIFTED = 4096

/** A class of matches; 1 is the best. */
export type Tier = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** A tool that was found, by its position in the list. */
export interface Match {
  readonly tier: number
  readonly position: number
}

/** Each match is one number, because numbers are sorted without calls back into JavaScript. */
export class BestMatches {
  #keys: Float64Array<ArrayBuffer>
  #size = 0
  /**
   * Once there are enough: the key of the worst of them, its tier, and a score of which none in that tier can be
   * better.
   */
  #worst = Number.POSITIVE_INFINITY
  #worstTier = Number.POSITIVE_INFINITY
  #tooLow = 0
  readonly #most: number
  readonly #scale: number

  /**
   * @param most matches that are kept
   * @param largest no score is larger; scores are compared in steps of 1/16,777,216 of it
   */
  constructor(most: number, largest: number) {
    this.#most = most
    this.#scale = largest > 0 ? (SCORES - 1) / largest : 0
    this.#keys = new Float64Array(Math.min(most, MOST_SIFTED) * 2)
  }

  /** @param score 0 or more */
  add(position: number, tier: number, score: number): void {
    const behind = SCORES - 1 - Math.min(SCORES - 1, Math.round(score * this.#scale))
    const key = (tier * SCORES + behind) * MAX_TOOLS + position
    if (key > this.#worst) return
    if (this.#size === this.#keys.length) this.#makeRoom()
    this.#keys[this.#size++] = key
  }

  /** A score above 0 that a match of this tier needs at least to be kept. */
  leastScore(tier: Tier): number {
    if (tier > this.#worstTier) return Number.POSITIVE_INFINITY
    return tier === this.#worstTier ? Math.max(this.#tooLow, Number.MIN_VALUE) : Number.MIN_VALUE
  }

  /** The best ones, best first. */
  sorted(): readonly Match[] {
    return Array.from(this.#sort(), (key) => {
      const tiered = Math.floor(key / MAX_TOOLS)
      return { tier: Math.floor(tiered / SCORES), position: key - tiered * MAX_TOOLS }
    })
  }

  #sort(): Float64Array {
    return this.#keys.subarray(0, this.#size).sort().subarray(0, this.#most)
  }

  #makeRoom(): void {
    if (this.#most > MOST_SIFTED) {
      const larger = new Float64Array(this.#size * 2)
      larger.set(this.#keys)
      this.#keys = larger
      return
    }
    const best = this.#sort()
    this.#size = best.length
    this.#worst = best.at(-1) ?? this.#worst
    const tiered = Math.floor(this.#worst / MAX_TOOLS)
    this.#worstTier = Math.floor(tiered / SCORES)
    // A step less than the worst, so that rounding is of no matter.
    if (this.#scale > 0) this.#tooLow = (SCORES - 2 - (tiered - this.#worstTier * SCORES)) / this.#scale
  }
}

/** Puts matches in order: by tier, inside a tier by score, ties by position. */
import type { SearchMatches } from './search-index.ts'

/** Tools at most in one index; their positions have 23 of the 53 bits of a key. */
export const MAX_TOOLS: number = 2 ** 23
const SCORES = 2 ** 24
/** Up to so many of the best are picked out one by one; beyond that it is quicker to sort all. */
const MOST_PICKED = 256

/** A class of matches; 1 is the best, 0 is none. */
export type Tier = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** What was found, in any order; kept from search to search, because arrays of this size are better not made anew. */
export class Matches {
  #positions: Uint32Array<ArrayBuffer> = new Uint32Array(1024)
  #tiers: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  #scores: Float64Array<ArrayBuffer> = new Float64Array(1024)
  #room: Float64Array<ArrayBuffer> = new Float64Array(1024)
  #size = 0

  clear(): void {
    this.#size = 0
  }

  /** @param score 0 or more */
  add(position: number, tier: Tier, score: number): void {
    if (this.#size === this.#positions.length) this.#grow()
    this.#positions[this.#size] = position
    this.#tiers[this.#size] = tier
    this.#scores[this.#size++] = score
  }

  /**
   * Tier, score and position of each in one number, because numbers are sorted without calls back into JavaScript. The
   * array is overwritten by the next search.
   */
  keys(): Float64Array {
    const keys = this.#room.subarray(0, this.#size)
    let best = 0
    for (let i = 0; i < keys.length; i++) best = Math.max(best, this.#scores[i] ?? 0)
    const scale = best > 0 ? (SCORES - 1) / best : 0
    for (let i = 0; i < keys.length; i++) {
      const behind = SCORES - 1 - Math.round((this.#scores[i] ?? 0) * scale)
      keys[i] = ((this.#tiers[i] ?? 0) * SCORES + behind) * MAX_TOOLS + (this.#positions[i] ?? 0)
    }
    return keys
  }

  #grow(): void {
    const size = this.#size * 2
    const [positions, tiers, scores] = [new Uint32Array(size), new Uint8Array(size), new Float64Array(size)]
    positions.set(this.#positions)
    tiers.set(this.#tiers)
    scores.set(this.#scores)
    this.#positions = positions
    this.#tiers = tiers
    this.#scores = scores
    this.#room = new Float64Array(size)
  }
}

/**
 * The `most` best matches, best first, and how many there are. Scores are compared in steps of 1/16,777,216 of the best.
 */
export function rankedMatches(matches: Matches, most: number): SearchMatches {
  const keys = matches.keys()
  const best = most < keys.length && most <= MOST_PICKED ? smallest(keys, most) : keys.sort().subarray(0, most)
  return { positions: Array.from(best, positionIn), total: keys.length }
}

/** The remainder by `MAX_TOOLS`, several times as fast as `%` is for numbers of this size. */
function positionIn(key: number): number {
  return key - Math.floor(key / MAX_TOOLS) * MAX_TOOLS
}

/** The `most` smallest keys, ascending: each key that belongs there is moved into its place. */
function smallest(keys: Float64Array, most: number): Float64Array {
  const best = keys.slice(0, most).sort()
  for (let i = most; i < keys.length; i++) {
    const key = keys[i] ?? 0
    let place = most
    while (place > 0 && key < (best[place - 1] ?? 0)) place--
    if (place === most) continue
    best.copyWithin(place + 1, place, most - 1)
    best[place] = key
  }
  return best
}

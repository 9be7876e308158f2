/** Puts matches in order: by tier, inside a tier by score, ties by position. */
import type { AcceptPosition, SearchMatches } from './search-index.ts'

/** Tools at most in one index; their positions have 23 of the 53 bits of a key. */
export const MAX_TOOLS: number = 2 ** 23
const SCORES = 2 ** 24
/** Up to so many of the best are picked out one by one; beyond that it is quicker to sort all. */
const MOST_PICKED = 256

/** A class of matches; 1 is the best, 0 is none. */
export type Tier = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** What was found, by position. */
export interface Matches {
  /** A `Tier`, or 0 for what does not match. */
  readonly tiers: Uint8Array
  /** 0 or more. */
  readonly scores: Float64Array
  /** As long as these; what is in it is overwritten. */
  readonly room: Float64Array
}

/**
 * The accepted matches: the `most` best of them, best first, and how many there are. Tier, score and position of each are
 * packed into one number, because numbers are sorted without calls back into JavaScript. Scores are compared in steps of
 * 1/16,777,216 of the best.
 */
export function rankedMatches(matches: Matches, accepts: AcceptPosition, most: number): SearchMatches {
  const keys = keysOf(matches, accepts)
  const best = most < keys.length && most <= MOST_PICKED ? smallest(keys, most) : keys.sort().subarray(0, most)
  return { positions: Array.from(best, positionIn), total: keys.length }
}

function keysOf({ tiers, scores, room: keys }: Matches, accepts: AcceptPosition): Float64Array {
  let count = 0
  let best = 0
  for (let position = 0; position < tiers.length; position++) {
    if (tiers[position] === 0 || !accepts(position)) continue
    keys[count++] = position
    best = Math.max(best, scores[position] ?? 0)
  }
  const scale = best > 0 ? (SCORES - 1) / best : 0
  for (let i = 0; i < count; i++) {
    const position = keys[i] ?? 0
    const behind = SCORES - 1 - Math.round((scores[position] ?? 0) * scale)
    keys[i] = ((tiers[position] ?? 0) * SCORES + behind) * MAX_TOOLS + position
  }
  return keys.subarray(0, count)
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

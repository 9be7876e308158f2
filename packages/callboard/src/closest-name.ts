/** The name that somebody may have meant, for errors that name what is not there. */
import { distance } from 'fastest-levenshtein'

/** Longer names are compared by their beginnings. */
const MAX_LENGTH = 64

/**
 * The candidate that is most like `name`, the first of equals; undefined when none is near enough to be a slip: about
 * two letters in five. Case and the signs between words make no difference.
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 2.5)) + 1
  for (const candidate of candidates) {
    const steps = distance(wanted, plain(candidate))
    if (steps >= least || steps >= wanted.length) continue
    least = steps
    best = candidate
  }
  return best
}

function plain(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

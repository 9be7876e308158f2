/** Finds the word that was probably meant. */

/** Longer words are not worth the comparison. */
const MAX_LENGTH = 64

/** The candidate that is nearest to `word`, if one is near enough to be a slip; case counts half as much as a letter. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 0.5
  for (const candidate of candidates) {
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - word.length) > least) continue
    const distance = editDistance(word, candidate)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Levenshtein's distance, two rows at a time; two neighbours swapped are one step. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      row[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + letterCost(a[i - 1], b[j - 1]),
        swapped,
      )
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

function letterCost(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  return a?.toLowerCase() === b?.toLowerCase() ? 0.5 : 1
}

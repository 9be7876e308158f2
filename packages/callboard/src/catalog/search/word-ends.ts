/** Finds words by how they begin, and words that differ from one in a single letter. */

/** Letters at either end by which words are kept. */
const END = 2
/** Shorter words are not corrected: too many of them differ in one letter only. */
const LEAST_CORRECTED = 5

/**
 * An edit in one place leaves the first two letters of a word as they are, or the last two; so the words that may be
 * one edit away are among those that begin or end like it.
 */
export class WordEnds {
  readonly #byStart = new Map<string, Set<string>>()
  readonly #byEnd = new Map<string, Set<string>>()

  add(word: string): void {
    if (word.length <= END) return
    put(this.#byStart, word.slice(0, END), word)
    if (word.length >= LEAST_CORRECTED - 1) put(this.#byEnd, word.slice(-END), word)
  }

  delete(word: string): void {
    take(this.#byStart, word.slice(0, END), word)
    take(this.#byEnd, word.slice(-END), word)
  }

  /** Longer words that begin with this one, which has at least two letters; the shortest first. */
  beginningWith(word: string): string[] {
    if (word.length < END) return []
    const found: string[] = []
    for (const other of this.#byStart.get(word.slice(0, END)) ?? []) {
      if (other.length > word.length && other.startsWith(word)) found.push(other)
    }
    return found.sort(byLength)
  }

  /**
   * Words that one letter more, less or another, or two neighbours in the other order, make of a word of five letters
   * or more.
   */
  near(word: string): string[] {
    if (word.length < LEAST_CORRECTED) return []
    const found = new Set<string>()
    for (const words of [this.#byStart.get(word.slice(0, END)), this.#byEnd.get(word.slice(-END))]) {
      for (const other of words ?? []) if (isOneEditAway(word, other)) found.add(other)
    }
    return [...found].sort(byLength)
  }
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

function put(map: Map<string, Set<string>>, key: string, word: string): void {
  const words = map.get(key)
  if (words) words.add(word)
  else map.set(key, new Set([word]))
}

function take(map: Map<string, Set<string>>, key: string, word: string): void {
  const words = map.get(key)
  if (words?.delete(word) && words.size === 0) map.delete(key)
}

/**
 * Whether a letter too many, too few or another, or two that changed places, make one of the other; not for equal
 * words.
 */
export function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (at === long.length) return false
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}

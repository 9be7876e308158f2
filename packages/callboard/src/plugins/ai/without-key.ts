/** What a provider says, without its key and without the parts of it that providers like to repeat. */
import type { Secrets } from '../../secrets.ts'

const REPLACEMENT = '[secret]'
/** So many characters of either end of the key are no chance. */
const LEAST_PART = 6
/** Where others are masked beside them, so many are enough. */
const LEAST_BESIDE_MASK = 4
/** A single dot or hyphen stands between any words. */
const MASK = /(?:[*•…]|[-.·#_]{2}|x{3})[-*•….·#_x]*/y
/** What may stand inside a word and is not seen there, or only breaks it. */
const BETWEEN = /[\s\p{C}\p{M}\p{DI}]/u

export interface KeyOptions {
  /** Left out where the provider has none. */
  readonly key: string | undefined
  /** Known to it: the key, as a whole and in the forms in which it travels. */
  readonly secrets: Secrets
  /** So many characters are told at most. */
  readonly max: number
}

/**
 * The beginning of the text without secrets, and without any run of six characters or more that the key begins or ends
 * with, in whatever case and also with a space in it; beside a mask (`sk-t…cdef`) four are enough, from both sides
 * together.
 */
export function withoutKey(text: string, { key = '', secrets, max }: KeyOptions): string {
  // Twice as much, so that no part of the key is cut off before it is known as one.
  const excerpt = secrets.excerpt(text, max * 2)
  return withoutParts(excerpt, [...folded(key)].map(([, letter]) => letter).join('')).slice(0, max)
}

/** @param key folded */
function withoutParts(text: string, key: string): string {
  if (key.length < LEAST_PART) return text
  const seen = [...folded(text)]
  const letters = seen.map(([, letter]) => letter).join('')
  let [rest, told] = ['', 0]
  for (let at = 0; at < letters.length; ) {
    const length = lengthOfPart(letters, at, key)
    if (length > 0) {
      rest += text.slice(told, seen[at]?.[0]) + REPLACEMENT
      told = (seen[at + length - 1]?.[0] ?? 0) + 1
    }
    at += Math.max(1, length)
  }
  return rest + text.slice(told)
}

/** How much of the text is a part of the key there, with the mask and what follows it; 0 when it is none. */
function lengthOfPart(letters: string, at: number, key: string): number {
  let begun = 0
  while (begun < key.length && letters[at + begun] === key[begun]) begun += 1
  MASK.lastIndex = at + begun
  const mask = MASK.exec(letters)?.[0].length ?? 0
  const masked = begun + mask
  const ended = endAt(letters, at + masked, key)
  if (begun + ended < (mask > 0 ? LEAST_BESIDE_MASK : LEAST_PART)) return 0
  return ended > 0 ? masked + ended : begun
}

/** How many characters the key ends with that stand there. */
function endAt(letters: string, at: number, key: string): number {
  for (let length = Math.min(key.length, letters.length - at); length > 0; length -= 1)
    if (letters.startsWith(key.slice(-length), at)) return length
  return 0
}

/** Each character that is seen, in small letters, with its place. */
function* folded(text: string): Generator<readonly [place: number, letter: string]> {
  for (let place = 0; place < text.length; place += 1) {
    const letter = text[place] ?? ''
    const small = letter.toLowerCase()
    if (!BETWEEN.test(letter)) yield [place, small.length === 1 ? small : letter]
  }
}

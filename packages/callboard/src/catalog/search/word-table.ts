/**
 * Finds the numbers of words by their letters, where these stand in a text: nothing is made of a word that is known
 * already.
 */
import { grown, integers } from './grown.ts'

const PLACES_AT_FIRST = 1024
/**
 * Odd, and another in each process, so that nobody can make up words that all fall on one place. Nothing depends on it
 * but time.
 */
const FACTOR: number = (Math.random() * 2 ** 32) | 1

/** A hash table with open addressing. Words are lower-case; in a text A to Z stand for a to z. */
export class WordTable {
  /** By place: the number of the word there, plus one; 0 where there is none. */
  #places = integers(PLACES_AT_FIRST)
  #size = 0
  /** By number. */
  readonly #texts: string[] = []
  #hashes = integers(0)

  /** Every number is less than this. */
  get numbers(): number {
    return this.#texts.length
  }

  /** The number of the word that stands there in the text. */
  find(text: string, from = 0, to: number = text.length): number | undefined {
    const hash = hashOf(text, from, to)
    const last = this.#places.length - 1
    for (let place = this.#placeOf(hash); ; place = (place + 1) & last) {
      const number = (this.#places[place] ?? 0) - 1
      if (number < 0) return undefined
      if (this.#hashes[number] === hash && isSame(this.#texts[number] ?? '', text, from, to)) return number
    }
  }

  /** Puts in a word that is not there under a number that no other has. */
  set(number: number, word: string): void {
    this.#texts[number] = word
    this.#hashes = grown(this.#hashes, number + 1, integers)
    this.#hashes[number] = hashOf(word, 0, word.length)
    if ((this.#size + 1) * 2 > this.#places.length) this.#widen()
    this.#put(number)
  }

  textOf(number: number): string {
    return this.#texts[number] ?? ''
  }

  /** Takes out the words whose numbers `isGone` says; they keep their texts until the numbers are used again. */
  sweep(isGone: (number: number) => boolean): void {
    this.#fill(
      this.#numbersThere().filter((number) => !isGone(number)),
      this.#places.length,
    )
  }

  #numbersThere(): number[] {
    return Array.from(this.#places, (number) => number - 1).filter((number) => number >= 0)
  }

  #widen(): void {
    this.#fill(this.#numbersThere(), this.#places.length * 2)
  }

  #fill(numbers: readonly number[], places: number): void {
    this.#places = integers(places)
    this.#size = 0
    for (const number of numbers) this.#put(number)
  }

  #put(number: number): void {
    const last = this.#places.length - 1
    let place = this.#placeOf(this.#hashes[number] ?? 0)
    while (this.#places[place] !== 0) place = (place + 1) & last
    this.#places[place] = number + 1
    this.#size++
  }

  #placeOf(hash: number): number {
    return (Math.imul(hash, 0x9e3779b1) >>> 8) & (this.#places.length - 1)
  }
}

/** The code of the letter there, of a to z where it is A to Z. */
function lowerCodeAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 65 && code <= 90 ? code + 32 : code
}

function hashOf(text: string, from: number, to: number): number {
  let hash = to - from
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ lowerCodeAt(text, at), FACTOR)
  return (hash ^ (hash >>> 15)) >>> 0
}

function isSame(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== lowerCodeAt(text, from + i)) return false
  return true
}

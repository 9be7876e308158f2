/** Finds which of many texts contain a string, without regard to case. */

/** Letters that are looked at together. */
const GRAM = 3
/** Grams of a needle that are looked up; so many leave few texts that do not contain it. */
const MOST_GRAMS = 24

/**
 * Each text has a signature: one bit for each three letters in a row, by a hash. Signatures are kept in columns, all texts'
 * first bit, then all texts' second bit, so that a few passes over short stretches of numbers leave the texts that may
 * contain a needle; only these are read.
 */
export class TextScan {
  readonly #texts: string[]
  readonly #bits: number
  /** Numbers in a column: one for each 32 texts. */
  readonly #height: number
  readonly #columns: Uint32Array

  /** @param bits of a signature, a power of two; about twice as many as a text has letters is good, more costs memory */
  constructor(texts: readonly string[], bits: number) {
    this.#texts = texts.map((text) => text.toLowerCase())
    this.#bits = bits
    this.#height = Math.ceil(texts.length / 32)
    this.#columns = new Uint32Array(bits * this.#height)
    for (const [position, text] of this.#texts.entries()) {
      const row = position >>> 5
      const bit = 1 << (position & 31)
      for (let i = 0; i + GRAM <= text.length; i++) {
        const at = this.#columnOf(text, i) + row
        this.#columns[at] = (this.#columns[at] ?? 0) | bit
      }
    }
  }

  /** Takes a text out. */
  forget(position: number): void {
    this.#texts[position] = ''
  }

  /** Calls `visit` with the position of each text that contains `needle`, which is lower-case and not empty, in ascending order. */
  forEachContaining(needle: string, visit: (position: number) => void): void {
    const possible = this.#possible(needle)
    for (let row = 0; row < possible.length; row++) {
      for (let bits = possible[row] ?? 0; bits !== 0; bits &= bits - 1) {
        const position = row * 32 + 31 - Math.clz32(bits & -bits)
        if (this.#texts[position]?.includes(needle)) visit(position)
      }
    }
  }

  /** A bit for each text that may contain the needle. */
  #possible(needle: string): Uint32Array {
    const possible = new Uint32Array(this.#height).fill(0xffffffff)
    const grams = Math.min(needle.length - GRAM + 1, MOST_GRAMS)
    for (let i = 0; i < grams; i++) {
      const column = this.#columnOf(needle, i)
      for (let row = 0; row < possible.length; row++) {
        possible[row] = (possible[row] ?? 0) & (this.#columns[column + row] ?? 0)
      }
    }
    return possible
  }

  /** Where the column of the letters from `at` begins. */
  #columnOf(text: string, at: number): number {
    const letters = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)
    return ((Math.imul(letters, 0x9e3779b1) >>> 16) & (this.#bits - 1)) * this.#height
  }
}

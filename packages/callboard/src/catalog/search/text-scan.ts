/** Finds which of many texts contain a string, without regard to case. */

/** Letters that are looked at together. */
const GRAM = 3
/** Grams of a needle that are looked up; so many leave few texts that do not contain it. */
const MOST_GRAMS = 24

/** What is looked for, worked out once for many lists of texts. */
export interface ScanNeedle {
  readonly text: string
  /** The hashes of its grams. */
  readonly hashes: readonly number[]
}

/** @param text lower-case and not empty */
export function scanNeedle(text: string): ScanNeedle {
  const grams = Math.max(0, Math.min(text.length - GRAM + 1, MOST_GRAMS))
  return { text, hashes: Array.from({ length: grams }, (_, i) => hashAt(text, i)) }
}

/** The hash of the letters from `at` on, in 16 bits. */
function hashAt(text: string, at: number): number {
  const letters = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)
  return Math.imul(letters, 0x9e3779b1) >>> 16
}

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
        const at = this.#columnOf(hashAt(text, i)) + row
        this.#columns[at] = (this.#columns[at] ?? 0) | bit
      }
    }
  }

  /** Takes a text out. */
  forget(position: number): void {
    this.#texts[position] = ''
  }

  /** Calls `visit` with the position of each text that contains the needle, in ascending order. */
  forEachContaining(needle: ScanNeedle, visit: (position: number) => void): void {
    const possible = this.#possible(needle)
    for (let row = 0; row < possible.length; row++) {
      for (let bits = possible[row] ?? 0; bits !== 0; bits &= bits - 1) {
        const position = row * 32 + 31 - Math.clz32(bits & -bits)
        if (this.#texts[position]?.includes(needle.text)) visit(position)
      }
    }
  }

  /** A bit for each text that may contain the needle. */
  #possible({ hashes }: ScanNeedle): Uint32Array {
    const possible = new Uint32Array(this.#height).fill(0xffffffff)
    for (const hash of hashes) {
      const column = this.#columnOf(hash)
      let left = 0
      for (let row = 0; row < possible.length; row++) {
        const bits = (possible[row] ?? 0) & (this.#columns[column + row] ?? 0)
        possible[row] = bits
        left |= bits
      }
      if (left === 0) break
    }
    return possible
  }

  /** Where the column of a hash begins. */
  #columnOf(hash: number): number {
    return (hash & (this.#bits - 1)) * this.#height
  }
}

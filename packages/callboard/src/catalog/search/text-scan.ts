/** Finds which of many texts contain a string, without regard to case. */
import { bitCount } from './bit-count.ts'
import { integers, page } from './grown.ts'

/** Letters that are looked at together. */
const GRAM = 3
/** Grams of a needle that are looked up; so many leave few texts that do not contain it. */
const MOST_GRAMS = 24
/** Texts whose signatures lie together; a power of two. */
const BLOCK_BITS = 10
const BLOCK = 2 ** BLOCK_BITS
/** Numbers in a column of a block: one for each 32 texts. */
const HEIGHT = BLOCK / 32

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
  return hashOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))
}

function hashOf(first: number, second: number, third: number): number {
  return Math.imul((first * 31 + second) * 31 + third, 0x9e3779b1) >>> 16
}

/**
 * Each text has a signature: one bit for each three letters in a row, by a hash. Signatures are kept in columns, so
 * many texts' first bit, then their second bit, so that a few passes over short stretches of numbers leave the texts
 * that may contain a needle; only these are read.
 */
export class TextScan {
  readonly #texts: string[] = []
  readonly #bits: number
  readonly #blocks: Uint32Array[] = []
  readonly #possible = new Uint32Array(HEIGHT)
  /** The length of the longest text that ever was here. */
  #longest = 0

  /**
   * @param bits of a signature, a power of two; about twice as many as a text has letters is good, more costs memory
   */
  constructor(bits: number) {
    this.#bits = bits
  }

  /** Puts a text into a slot that has none. */
  set(slot: number, whole: string): void {
    while (this.#texts.length < slot) this.#texts.push('')
    const text = whole.toLowerCase()
    this.#texts[slot] = text
    this.#longest = Math.max(this.#longest, text.length)
    while (this.#blocks.length <= slot >>> BLOCK_BITS) this.#blocks.push(page(this.#bits * HEIGHT))
    const block = this.#blocks[slot >>> BLOCK_BITS] ?? integers(0)
    const row = (slot & (BLOCK - 1)) >>> 5
    const bit = 1 << (slot & 31)
    // The same as the hash at each place, reading each letter once.
    let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)]
    for (let i = GRAM - 1; i < text.length; i++) {
      const third = text.charCodeAt(i)
      const at = this.#columnOf(hashOf(first, second, third)) + row
      block[at] = (block[at] ?? 0) | bit
      first = second
      second = third
    }
  }

  /** Takes a text out. */
  forget(slot: number): void {
    this.#texts[slot] = ''
    const block = this.#blocks[slot >>> BLOCK_BITS] ?? integers(0)
    const others = ~(1 << (slot & 31))
    for (let at = (slot & (BLOCK - 1)) >>> 5; at < block.length; at += HEIGHT) block[at] = (block[at] ?? 0) & others
  }

  /** Calls `visit` with the slot of each text that contains the needle, in ascending order. */
  forEachContaining({ text, hashes }: ScanNeedle, visit: (slot: number) => void): void {
    if (text.length > this.#longest) return
    const columns = this.#rarestFirst(hashes)
    for (const [i, block] of this.#blocks.entries()) {
      if (!this.#narrow(block, columns)) continue
      for (let row = 0; row < HEIGHT; row++) {
        for (let bits = this.#possible[row] ?? 0; bits !== 0; bits &= bits - 1) {
          const slot = i * BLOCK + row * 32 + 31 - Math.clz32(bits & -bits)
          if (this.#texts[slot]?.includes(text)) visit(slot)
        }
      }
    }
  }

  /**
   * The columns of the hashes, those first that fewer texts of some block have: so a block is passed over after a few.
   */
  #rarestFirst(hashes: readonly number[]): readonly number[] {
    const block = this.#blocks[this.#blocks.length >> 1] ?? integers(0)
    const columns = hashes.map((hash) => {
      const column = this.#columnOf(hash)
      let texts = 0
      for (let row = 0; row < HEIGHT; row++) texts += bitCount(block[column + row] ?? 0)
      return { column, texts }
    })
    return columns.sort((a, b) => a.texts - b.texts).map(({ column }) => column)
  }

  /** Leaves a bit for each text of the block that may contain the needle; false when none may. */
  #narrow(block: Uint32Array, columns: readonly number[]): boolean {
    const possible = this.#possible.fill(0xffffffff)
    for (const column of columns) {
      let left = 0
      for (let row = 0; row < HEIGHT; row++) {
        const bits = (possible[row] ?? 0) & (block[column + row] ?? 0)
        possible[row] = bits
        left |= bits
      }
      if (left === 0) return false
    }
    return true
  }

  /** Where the column of a hash begins in a block. */
  #columnOf(hash: number): number {
    return (hash & (this.#bits - 1)) * HEIGHT
  }
}

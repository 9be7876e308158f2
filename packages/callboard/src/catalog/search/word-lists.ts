/**
 * For each tool the words that it has, with what each is worth there: what a ranking reads of a tool once it was found.
 */
import { bytes, grown, integers, page } from './grown.ts'

/** Lists lie in pages of so many numbers, none across two. */
const PAGE_BITS = 14
const PAGE = 2 ** PAGE_BITS
/** Words of one tool at most. */
const MOST_LISTED = PAGE

/**
 * One number for a word of a tool: the word's number, whether it is in the name, and the code of how much it is there.
 */
export const WORD_SHIFT = 8
export const IN_NAME = 0x80
export const AMOUNT_CODES = 0x80

const LEAST_AMOUNT = 0.01
const LARGEST_AMOUNT = 100
const STEPS = (AMOUNT_CODES - 1) / Math.log(LARGEST_AMOUNT / LEAST_AMOUNT)

/** How much of a word a tool has, in one of 128 steps that grow by some eight hundredths. */
export function amountCode(amount: number): number {
  const code = Math.round(Math.log(amount / LEAST_AMOUNT) * STEPS)
  return Math.max(0, Math.min(AMOUNT_CODES - 1, code))
}

/** By code. */
export const AMOUNTS: Float64Array = Float64Array.from(
  { length: AMOUNT_CODES },
  (_, code) => LEAST_AMOUNT * Math.exp(code / STEPS),
)

/** By slot, a list of numbers as those above. */
export class WordLists {
  #pages: Uint32Array[] = []
  #used = PAGE
  /** By slot: where its list begins, how long it is, and how many stems its tool's name has. */
  #places = integers(0)
  #lengths = integers(0)
  #nameStems = bytes(0)
  #all = 0
  #gone = 0

  /** @param words what is beyond 16,384 of them is left out */
  set(slot: number, words: Uint32Array, nameStems: number): void {
    this.#places = grown(this.#places, slot + 1, integers)
    this.#lengths = grown(this.#lengths, slot + 1, integers)
    this.#nameStems = grown(this.#nameStems, slot + 1, bytes)
    this.#nameStems[slot] = Math.min(nameStems, 255)
    this.#put(slot, words.length > MOST_LISTED ? words.subarray(0, MOST_LISTED) : words)
    this.#all += this.#lengths[slot] ?? 0
  }

  of(slot: number): Uint32Array {
    const place = this.#places[slot] ?? 0
    const from = place & (PAGE - 1)
    return this.#pages[place >>> PAGE_BITS]?.subarray(from, from + (this.#lengths[slot] ?? 0)) ?? new Uint32Array()
  }

  nameStems(slot: number): number {
    return this.#nameStems[slot] ?? 0
  }

  delete(slot: number): void {
    const length = this.#lengths[slot] ?? 0
    this.#gone += length
    this.#all -= length
    this.#lengths[slot] = 0
  }

  /** Closes the gaps that deleted lists have left, where they are as large as what is there. */
  sweep(): void {
    if (this.#gone < this.#all) return
    const lists = Array.from(this.#lengths, (_, slot) => this.of(slot))
    this.#pages = []
    this.#used = PAGE
    this.#gone = 0
    for (const [slot, list] of lists.entries()) if (list.length > 0) this.#put(slot, list)
  }

  #put(slot: number, words: Uint32Array): void {
    if (this.#used + words.length > PAGE) {
      this.#pages.push(page(PAGE))
      this.#used = 0
    }
    this.#pages.at(-1)?.set(words, this.#used)
    this.#places[slot] = (this.#pages.length - 1) * PAGE + this.#used
    this.#lengths[slot] = words.length
    this.#used += words.length
  }
}

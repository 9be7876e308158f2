/** For each stem a list of the tools that have it, with what it is worth there: an inverted index in few large arrays. */
import { bytes, grown, integers, page } from './grown.ts'

/** Short lists share pages of so many numbers; a list that is longer than half of one has an array of its own. */
const PAGE_BITS = 14
const PAGE = 2 ** PAGE_BITS
const LARGEST_SHARED_BITS = PAGE_BITS - 1
const SHARED_BITS_AT_FIRST = 1

/** Lists of numbers, by number of the list. */
export class PostingLists {
  readonly #pages: Uint32Array[] = []
  #used = PAGE
  /** Places in pages that lists have left, by the power of two that they have room for. */
  readonly #left: number[][] = Array.from({ length: PAGE_BITS }, () => [])
  readonly #own = new Map<number, Uint32Array>()
  /** By list: how long it is, the power of two that it has room for, and where in the pages it begins. */
  #lengths = integers(0)
  #bits = bytes(0)
  #places = integers(0)

  add(list: number, posting: number): void {
    this.#makeRoom(list)
    const length = this.#lengths[list] ?? 0
    this.#lengths[list] = length + 1
    const own = this.#own.get(list)
    if (own) {
      own[length] = posting
      return
    }
    const place = (this.#places[list] ?? 0) + length
    const shared = this.#pages[place >>> PAGE_BITS]
    if (shared) shared[place & (PAGE - 1)] = posting
  }

  /** The list as it is at the moment. */
  of(list: number): Uint32Array {
    const length = this.#lengths[list] ?? 0
    return this.#own.get(list)?.subarray(0, length) ?? this.#shared(list, length)
  }

  /** Takes out of every list what `isGone` says. */
  sweep(isGone: (posting: number) => boolean): void {
    for (let list = 0; list < this.#lengths.length; list++) {
      const postings = this.of(list)
      let kept = 0
      for (const posting of postings) {
        if (isGone(posting)) continue
        postings[kept++] = posting
      }
      this.#lengths[list] = kept
      if (kept === 0) this.#leave(list)
    }
  }

  #shared(list: number, length: number): Uint32Array {
    const place = this.#places[list] ?? 0
    const from = place & (PAGE - 1)
    return this.#pages[place >>> PAGE_BITS]?.subarray(from, from + length) ?? new Uint32Array()
  }

  #makeRoom(list: number): void {
    if (list >= this.#lengths.length) {
      this.#lengths = grown(this.#lengths, list + 1, integers)
      this.#bits = grown(this.#bits, list + 1, bytes)
      this.#places = grown(this.#places, list + 1, integers)
    }
    const length = this.#lengths[list] ?? 0
    const bits = this.#bits[list] ?? 0
    if (bits > 0 && length < 1 << bits) return
    const own = this.#own.get(list)
    if (own) {
      if (length === own.length) this.#own.set(list, grown(own, length + 1, page))
      return
    }
    const before = this.of(list)
    this.#leave(list)
    if (bits === LARGEST_SHARED_BITS) {
      const larger = page(PAGE)
      larger.set(before)
      this.#own.set(list, larger)
      return
    }
    this.#bits[list] = bits === 0 ? SHARED_BITS_AT_FIRST : bits + 1
    this.#places[list] = this.#place(this.#bits[list] ?? 0)
    this.#shared(list, length).set(before)
  }

  /** Gives up the room that a list has. */
  #leave(list: number): void {
    const bits = this.#bits[list] ?? 0
    if (bits > 0) this.#left[bits]?.push(this.#places[list] ?? 0)
    this.#bits[list] = 0
    this.#own.delete(list)
  }

  #place(bits: number): number {
    const left = this.#left[bits]?.pop()
    if (left !== undefined) return left
    const size = 2 ** bits
    if (this.#used + size > PAGE) {
      this.#pages.push(page(PAGE))
      this.#used = 0
    }
    const place = (this.#pages.length - 1) * PAGE + this.#used
    this.#used += size
    return place
  }
}

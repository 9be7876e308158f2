/**
 * For each stem a list of the tools that have it, with what it is worth there: an inverted index in few large arrays.
 */
import { bytes, grown, integers, page } from './grown.ts'

/** Short lists share pages of so many numbers; a list that is longer than half of one has an array of its own. */
const PAGE_BITS = 14
const PAGE = 2 ** PAGE_BITS
const LARGEST_SHARED_BITS = PAGE_BITS - 1
const SHARED_BITS_AT_FIRST = 1
/** Stands for the bits of a list that has an array of its own. */
const OWN = 255

/** Lists of numbers, by number of the list. */
export class PostingLists {
  readonly #pages: Uint32Array[] = []
  #used = PAGE
  /** Places in pages that lists have left, by the power of two that they have room for. */
  readonly #left: number[][] = Array.from({ length: PAGE_BITS }, () => [])
  readonly #own: Uint32Array[] = []
  /** Places in `#own` that lists have left. */
  readonly #leftOwn: number[] = []
  /**
   * By list: how long it is, the power of two that it has room for, and where in the pages it begins, or in `#own` it
   * is.
   */
  #lengths = integers(0)
  #bits = bytes(0)
  #places = integers(0)

  add(list: number, posting: number): void {
    if (list >= this.#lengths.length) this.#makeLists(list + 1)
    const length = this.#lengths[list] ?? 0
    const bits = this.#bits[list] ?? 0
    if (bits === OWN) this.#addToOwn(this.#places[list] ?? 0, length, posting)
    else if (bits > 0 && length < 1 << bits) this.#put(list, length, posting)
    else {
      this.#widen(list, bits, length)
      this.#put(list, length, posting)
    }
    this.#lengths[list] = length + 1
  }

  /** The list as it is at the moment. */
  of(list: number): Uint32Array {
    const length = this.#lengths[list] ?? 0
    const place = this.#places[list] ?? 0
    if (this.#bits[list] === OWN) return this.#own[place]?.subarray(0, length) ?? new Uint32Array()
    const from = place & (PAGE - 1)
    return this.#pages[place >>> PAGE_BITS]?.subarray(from, from + length) ?? new Uint32Array()
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

  #makeLists(count: number): void {
    this.#lengths = grown(this.#lengths, count, integers)
    this.#bits = grown(this.#bits, count, bytes)
    this.#places = grown(this.#places, count, integers)
  }

  #addToOwn(place: number, length: number, posting: number): void {
    let own = this.#own[place] ?? new Uint32Array()
    if (length === own.length) {
      own = grown(own, length + 1, page)
      this.#own[place] = own
    }
    own[length] = posting
  }

  #put(list: number, at: number, posting: number): void {
    if (this.#bits[list] === OWN) {
      this.#addToOwn(this.#places[list] ?? 0, at, posting)
      return
    }
    const place = (this.#places[list] ?? 0) + at
    const shared = this.#pages[place >>> PAGE_BITS]
    if (shared) shared[place & (PAGE - 1)] = posting
  }

  /** Moves a list to where there is room for more. */
  #widen(list: number, bits: number, length: number): void {
    const before = this.of(list)
    this.#leave(list)
    if (bits === LARGEST_SHARED_BITS) {
      const larger = page(PAGE)
      larger.set(before)
      const place = this.#leftOwn.pop() ?? this.#own.length
      this.#own[place] = larger
      this.#bits[list] = OWN
      this.#places[list] = place
      return
    }
    const wider = bits === 0 ? SHARED_BITS_AT_FIRST : bits + 1
    this.#bits[list] = wider
    this.#places[list] = this.#place(wider)
    if (length > 0) this.of(list).set(before)
  }

  /** Gives up the room that a list has. */
  #leave(list: number): void {
    const bits = this.#bits[list] ?? 0
    const place = this.#places[list] ?? 0
    if (bits === OWN) {
      this.#own[place] = new Uint32Array()
      this.#leftOwn.push(place)
    } else if (bits > 0) this.#left[bits]?.push(place)
    this.#bits[list] = 0
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

/** Which of the peer's streams were there already, so that a late packet brings none of them back. */

/** The ids of one opener, which grow by four (RFC 9000, 2.1). Holds only what is out of order. */
export class SeenStreams {
  #next: number
  readonly #early = new Set<number>()

  constructor(first: number) {
    this.#next = first
  }

  /** Whether `id` is new; from now on it is not. */
  add(id: number): boolean {
    if (id < this.#next || this.#early.has(id)) return false
    this.#early.add(id)
    while (this.#early.delete(this.#next)) this.#next += 4
    return true
  }
}

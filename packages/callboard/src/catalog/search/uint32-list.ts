/** A list of unsigned 32-bit numbers that grows, at four bytes a number. */

export class Uint32List {
  #numbers: Uint32Array<ArrayBuffer> = new Uint32Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#numbers.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length++] = value
  }

  /** The numbers so far, in an array of just that length. */
  toArray(): Uint32Array {
    return this.#numbers.slice(0, this.#length)
  }
}

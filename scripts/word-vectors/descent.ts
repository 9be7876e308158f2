/** Moves vectors a little down the slope of the loss, each number by what its slopes were so far (the method called Adam). */
import type { Table } from './bags.ts'

const KEPT = 0.9
const KEPT_OF_SQUARES = 0.99

export class Descent {
  readonly #table: Table
  readonly #means: Float32Array
  readonly #squares: Float32Array

  constructor(table: Table) {
    this.#table = table
    this.#means = new Float32Array(table.vectors.length)
    this.#squares = new Float32Array(table.vectors.length)
  }

  /** @param gradients by place of the word; the others stay as they are */
  step(gradients: ReadonlyMap<number, Float32Array>, rate: number): void {
    const { vectors, dimensions } = this.#table
    for (const [place, gradient] of gradients) {
      for (const [i, slope] of gradient.entries()) {
        const at = place * dimensions + i
        const mean = KEPT * (this.#means[at] ?? 0) + (1 - KEPT) * slope
        const square = KEPT_OF_SQUARES * (this.#squares[at] ?? 0) + (1 - KEPT_OF_SQUARES) * slope * slope
        this.#means[at] = mean
        this.#squares[at] = square
        vectors[at] = (vectors[at] ?? 0) - (rate * mean) / (Math.sqrt(square) + 1e-8)
      }
    }
  }
}

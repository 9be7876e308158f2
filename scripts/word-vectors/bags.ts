/** A batch of texts as unit vectors: each the sum of its words' vectors, brought to length 1. */
import { addTo, product } from './arithmetic.ts'

/** The vectors of words, one after the other. */
export interface Table {
  readonly vectors: Float32Array
  readonly dimensions: number
}

export class Bags {
  /** By text: its unit vector, and by how much the loss grows along it. */
  readonly units: readonly Float32Array[]
  readonly gradients: readonly Float32Array[]
  readonly #texts: readonly (readonly number[])[]
  readonly #lengths: readonly number[]

  /** @param texts by text: the places of its words */
  constructor({ vectors, dimensions }: Table, texts: readonly (readonly number[])[]) {
    this.#texts = texts
    const sums = texts.map((places) => {
      const sum = new Float32Array(dimensions)
      for (const place of places) addTo(sum, vectors.subarray(place * dimensions, (place + 1) * dimensions), 1)
      return sum
    })
    this.#lengths = sums.map((sum) => Math.hypot(...sum) || 1)
    this.units = sums.map((sum, i) => sum.map((value) => value / (this.#lengths[i] ?? 1)))
    this.gradients = sums.map(() => new Float32Array(dimensions))
  }

  /** Adds by how much the loss grows along the vectors of the words. */
  addToWords(gradients: Map<number, Float32Array>): void {
    for (const [i, places] of this.#texts.entries()) {
      const [unit, gradient] = [this.units[i], this.gradients[i]]
      if (!unit || !gradient) continue
      // What only makes the sum longer changes no unit vector.
      addTo(gradient, unit, -product(unit, gradient))
      for (const place of places) {
        const sum = gradients.get(place) ?? new Float32Array(unit.length)
        addTo(sum, gradient, 1 / (this.#lengths[i] ?? 1))
        gradients.set(place, sum)
      }
    }
  }
}

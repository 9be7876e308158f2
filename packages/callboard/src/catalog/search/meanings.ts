/** How close tools are to a query by what their words mean, whether or not the words are the same. */
import type { AskedWord } from './asked-words.ts'
import type { SearchableTool } from './searchable-tool.ts'
import { type WordIndex, worthOf } from './word-index.ts'
import { AMOUNT_CODES, AMOUNTS, WORD_SHIFT } from './word-lists.ts'
import type { WordVectors } from './word-vectors.ts'

const LARGEST = 127
/** By code of an amount: what it is worth. */
const WORTHS: Float64Array = AMOUNTS.map(worthOf)

/** From 0 to 1 for the tool in this slot, which is that one. */
export type Closeness = (slot: number, tool: SearchableTool) => number

/**
 * A tool's vector is the sum of those of its words, each times what the word is worth there: it depends on the tool
 * alone. It is worked out when a search first looks at the tool closely, and kept for as long as the tool is.
 */
export class Meanings {
  readonly #vectors: WordVectors
  readonly #index: WordIndex
  readonly #ofTools = new WeakMap<SearchableTool, Int8Array>()
  /** Of the tool that is being worked out. */
  readonly #sum: Float64Array

  constructor(vectors: WordVectors, index: WordIndex) {
    this.#vectors = vectors
    this.#index = index
    this.#sum = new Float64Array(vectors.dimensions)
  }

  /** @param places of the words that are meant; undefined where none of them is known */
  closenessTo(asked: readonly AskedWord[], places: readonly number[]): Closeness | undefined {
    const meant = new Float64Array(this.#vectors.dimensions)
    for (const place of places) this.#vectors.addTo(meant, asked[place]?.text ?? '', 1)
    const length = lengthOf(meant)
    if (length === 0) return undefined
    return (slot, tool) => Math.max(0, product(meant, this.#ofTool(slot, tool)) / (length * LARGEST))
  }

  #ofTool(slot: number, tool: SearchableTool): Int8Array {
    const known = this.#ofTools.get(tool)
    if (known) return known
    const sum = this.#sum.fill(0)
    const list = this.#index.lists.of(slot)
    for (let i = 0; i < list.length; i++) {
      const listed = list[i] ?? 0
      const worth = WORTHS[listed & (AMOUNT_CODES - 1)] ?? 0
      this.#vectors.addTo(sum, this.#index.vocabulary.wordText(listed >>> WORD_SHIFT), worth)
    }
    const length = lengthOf(sum) || 1
    const vector = new Int8Array(sum.length)
    for (let i = 0; i < sum.length; i++) vector[i] = Math.round(((sum[i] ?? 0) / length) * LARGEST)
    this.#ofTools.set(tool, vector)
    return vector
  }
}

/** Not `Math.hypot`, which takes its numbers one by one. */
function lengthOf(vector: Float64Array): number {
  return Math.sqrt(product(vector, vector))
}

function product(a: Float64Array, b: Float64Array | Int8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/**
 * What words mean, as vectors: words that stand in texts of much the same meaning have vectors that point much the same
 * way.
 */
import { readFileSync } from 'node:fs'
import { CallboardError } from '../../errors.ts'

/** Made by scripts/word-vectors.ts; NOTICE says of what. */
const SHIPPED = new URL('./word-vectors.bin', import.meta.url)
/** What such a file begins with, before two numbers of 32 bits, little-endian: words, and numbers in a vector. */
const MAGIC = 'CBWV1\n\0\0'
const HEAD = MAGIC.length + 8

/** Vectors of bytes; a word's length says how much it tells. */
export class WordVectors {
  readonly dimensions: number
  readonly #places: ReadonlyMap<string, number>
  readonly #vectors: Int8Array

  constructor(words: readonly string[], vectors: Int8Array) {
    this.dimensions = words.length === 0 ? 0 : vectors.length / words.length
    this.#places = new Map(words.map((word, i) => [word, i * this.dimensions]))
    this.#vectors = vectors
  }

  /** Adds the vector of the word, times a factor, to a sum; nothing for a word that is not known. */
  addTo(sum: Float64Array, word: string, factor: number): void {
    const place = this.#places.get(word)
    if (place === undefined) return
    for (let i = 0; i < this.dimensions; i++) sum[i] = (sum[i] ?? 0) + factor * (this.#vectors[place + i] ?? 0)
  }
}

/** The contents of a file of vectors: the head, the vectors, then the words, one a line. */
export function writeWordVectors(words: readonly string[], vectors: Int8Array): Uint8Array {
  const text = new TextEncoder().encode(words.join('\n'))
  const file = new Uint8Array(HEAD + vectors.length + text.length)
  file.set(new TextEncoder().encode(MAGIC))
  const head = new DataView(file.buffer)
  head.setUint32(MAGIC.length, words.length, true)
  head.setUint32(MAGIC.length + 4, vectors.length / words.length, true)
  file.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), HEAD)
  file.set(text, HEAD + vectors.length)
  return file
}

/** @throws CallboardError `internal` for what is no such file */
export function parseWordVectors(file: Uint8Array): WordVectors {
  const bad = new CallboardError('internal', 'this is no file of word vectors; install callboard again')
  if (file.length < HEAD || new TextDecoder().decode(file.subarray(0, MAGIC.length)) !== MAGIC) throw bad
  const head = new DataView(file.buffer, file.byteOffset)
  const count = head.getUint32(MAGIC.length, true)
  const end = HEAD + count * head.getUint32(MAGIC.length + 4, true)
  const words = file.length < end ? [] : new TextDecoder().decode(file.subarray(end)).split('\n')
  if (words.length !== count) throw bad
  return new WordVectors(words, new Int8Array(file.subarray(HEAD, end)))
}

export interface ShippedVectors {
  readonly vectors: WordVectors | undefined
  /** Why there are none. */
  readonly problem?: string
}

let shipped: ShippedVectors | undefined

/** The vectors that come with this package, read when they are first asked for. A search works without them. */
export function shippedWordVectors(): ShippedVectors {
  shipped ??= readShipped()
  return shipped
}

function readShipped(): ShippedVectors {
  try {
    return { vectors: parseWordVectors(readFileSync(SHIPPED)) }
  } catch (error) {
    return { vectors: undefined, problem: error instanceof Error ? error.message : String(error) }
  }
}

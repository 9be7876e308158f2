import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseWordVectors, shippedWordVectors, type WordVectors, writeWordVectors } from './word-vectors.ts'

function vectorOf(vectors: WordVectors | undefined, word: string): number[] {
  const sum = new Float64Array(vectors?.dimensions ?? 0)
  vectors?.addTo(sum, word, 1)
  return [...sum]
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  return product / (Math.hypot(...a) * Math.hypot(...b))
}

describe('a file of word vectors', () => {
  const file = writeWordVectors(['mail', 'größe'], Int8Array.of(1, -2, 127, -127))

  test('gives back what was written, wherever it lies in memory', () => {
    for (const read of [file, Buffer.concat([Buffer.from('x'), file]).subarray(1)]) {
      const vectors = parseWordVectors(read)
      expect(vectors.dimensions).toBe(2)
      expect(vectorOf(vectors, 'mail')).toEqual([1, -2])
      expect(vectorOf(vectors, 'größe')).toEqual([127, -127])
      expect(vectorOf(vectors, 'post')).toEqual([0, 0])
    }
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['another file', new TextEncoder().encode('{"name": "this is something else"}')],
    ['a file that was cut', file.subarray(0, 18)],
    ['a file without its last word', file.subarray(0, 24)],
  ])('is not taken from %s', (_, contents) => {
    expect(() => parseWordVectors(contents)).toThrow('this is no file of word vectors; install callboard again')
  })
})

describe('the vectors that come with this package', () => {
  const { vectors, problem } = shippedWordVectors()

  test('are there, and take less than 4 MB', () => {
    expect(problem).toBeUndefined()
    expect(statSync(new URL('./word-vectors.bin', import.meta.url)).size).toBeLessThan(4e6)
  })

  test.each([
    ['email', 'inbox', 'weather'],
    ['rain', 'weather', 'invoice'],
    ['invoice', 'payment', 'rain'],
    ['song', 'music', 'folder'],
    ['flight', 'airport', 'music'],
  ])('have "%s" closer to "%s" than to "%s"', (word, close, far) => {
    const [a, b, c] = [word, close, far].map((one) => vectorOf(vectors, one))
    expect(cosine(a ?? [], b ?? [])).toBeGreaterThan(cosine(a ?? [], c ?? []) + 0.1)
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader, type LongLine } from './line-reader.ts'

function read(chunks: readonly Buffer[], maxBytes: number): { readonly lines: string[]; readonly long: LongLine[] } {
  const lines: string[] = []
  const long: LongLine[] = []
  const reader = new LineReader({ maxBytes, onLine: (line) => lines.push(line), onLongLine: (line) => long.push(line) })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return { lines, long }
}

test('however the bytes are cut, the lines are the same', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r]/.test(text))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 400 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
      expect(read(chunks, 100_000)).toEqual({ lines, long: [] })
    }),
  )
})

test('a line beyond the bound is told by its ends and its size, and the next one is read', () => {
  const bytes = Buffer.from(`{"id":1,${'x'.repeat(2_000)},"end":2}\nnext\n`)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  )
  const { lines, long } = read(chunks, 1_000)
  expect(lines).toEqual(['next'])
  expect(long).toHaveLength(1)
  expect(long[0]).toMatchObject({ head: expect.stringMatching(/^\{"id":1,x/), bytes: 2_017 })
  expect(long[0]?.tail).toMatch(/x,"end":2\}$/)
})

test('a line as long as the bound is read', () => {
  expect(read([Buffer.from('12345\n')], 5).lines).toEqual(['12345'])
  expect(read([Buffer.from('123456\n')], 5).long).toHaveLength(1)
})

test('a carriage return before the end and a last line without one are no trouble', () => {
  expect(read([Buffer.from('a\r\n\r\nb')], 100).lines).toEqual(['a', '', 'b'])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventCutter } from './event-cutter.ts'

test('however the bytes come, the pieces are whole events and nothing is lost', () => {
  const event = fc.tuple(
    fc.string({ unit: fc.constantFrom('a', '\n', '\r') }),
    fc.constantFrom('\n\n', '\r\n\r\n', '\r\r'),
  )
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat({ max: 60 })), (events, cuts) => {
      const bytes = Buffer.from(events.map(([text, end]) => `${text}${end}`).join(''))
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const cutter = new EventCutter(1_000)
      const pieces = edges.slice(1).flatMap((edge, index) => cutter.push(bytes.subarray(edges[index], edge)).pieces)
      for (const piece of pieces) expect(piece.toString()).toMatch(/(\n\n|\n\r\n|\r\r)$/)
      const rest = cutter.end()
      expect(rest.toString().trim()).toBe('')
      expect(Buffer.concat([...pieces, rest])).toEqual(bytes)
    }),
  )
})

test('many events at once come in several pieces', () => {
  const bytes = Buffer.from('data: 1\n\n'.repeat(10_000))
  const pieces = new EventCutter(1_000).push(bytes).pieces
  expect(pieces.length).toBeGreaterThan(5)
  expect(Buffer.concat(pieces)).toEqual(bytes)
})

test('of an event beyond the bound both ends are told, however many before it were read; what follows is read', () => {
  const cutter = new EventCutter(1_000)
  for (let times = 0; times < 10; times++) cutter.push(Buffer.from(`data: ${'x'.repeat(900)}\n\n`))
  cutter.push(Buffer.from('data: {"a":1,'))
  expect(cutter.isBeyond).toBe(false)
  for (let times = 0; times < 10; times++) cutter.push(Buffer.alloc(500, 'x'))
  expect(cutter.isBeyond).toBe(true)
  const { edges, pieces } = cutter.push(Buffer.from('"id":7}\n\ndata: next\n\n'))
  expect(edges).toMatch(/^data: \{"a":1,x+"id":7\}\n\n$/)
  expect(edges?.length).toBeLessThan(1_000)
  expect(pieces.map(String)).toEqual(['data: next\n\n'])
  expect(cutter.isBeyond).toBe(false)
})

test('a large event comes in the parts in which it came, and what follows it in pieces', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('\n\n', '\r\n\r\n', '\r\r'),
      fc.integer({ min: 300_000, max: 300_020 }),
      fc.integer({ min: 1, max: 16 }),
      (end, length, ahead) => {
        const large = Buffer.from(`data: ${'x'.repeat(length)}${end}`)
        const bytes = Buffer.concat([Buffer.from('data: 1\n\n'), large, Buffer.from(`data: 2${end}data: 3`)])
        const cutter = new EventCutter(1_000_000)
        const whole: Buffer[] = []
        const parts: Buffer[] = []
        for (let from = 0, to = length + ahead; from < bytes.length; from = to, to += 7) {
          const events = cutter.push(bytes.subarray(from, to))
          parts.push(...(events.large ?? []))
          whole.push(...events.pieces)
        }
        expect(Buffer.concat(parts).equals(large)).toBe(true)
        expect(Buffer.concat(whole).toString()).toBe(`data: 1\n\ndata: 2${end}`)
        expect(cutter.end().toString()).toBe('data: 3')
      },
    ),
  )
})

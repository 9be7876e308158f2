import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventCutter, EventTooLong } from './event-cutter.ts'

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
      const pieces = edges.slice(1).flatMap((edge, index) => cutter.push(bytes.subarray(edges[index], edge)))
      for (const piece of pieces) expect(piece.toString()).toMatch(/(\n\n|\n\r\n|\r\r)$/)
      const rest = cutter.end()
      expect(rest.toString().trim()).toBe('')
      expect(Buffer.concat([...pieces, rest])).toEqual(bytes)
    }),
  )
})

test('many events at once come in several pieces', () => {
  const bytes = Buffer.from('data: 1\n\n'.repeat(10_000))
  const pieces = new EventCutter(1_000).push(bytes)
  expect(pieces.length).toBeGreaterThan(5)
  expect(Buffer.concat(pieces)).toEqual(bytes)
})

test('an event beyond the bound is an error, however many before it were read', () => {
  const cutter = new EventCutter(1_000)
  for (let times = 0; times < 10; times++) cutter.push(Buffer.from(`data: ${'x'.repeat(900)}\n\n`))
  expect(() => cutter.push(Buffer.alloc(1_001, 'x'))).toThrow(EventTooLong)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitEvent } from './large-event.ts'

/** The event in parts of these lengths, again and again. */
function split(text: string, lengths: readonly number[]): { readonly others: string; readonly data: string } {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    parts.push(bytes.subarray(at, at + length))
    at += length
  }
  for (const work = splitEvent(parts); ; ) {
    const { done, value } = work.next()
    if (done === true) return { others: value.others, data: Buffer.concat(value.data).toString() }
  }
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 })

test('the data of an event is taken out of its other lines, however it came', () => {
  fc.assert(
    fc.property(lengths, (cuts) => {
      expect(split('id: 7\nevent: message\ndata: {"a":\ndata:1}\n: a comment\n\n', cuts)).toEqual({
        others: 'id: 7\nevent: message\n: a comment\n',
        data: '{"a":\n1}',
      })
    }),
  )
})

test('of lines that end with a carriage return as well, it stays in the data', () => {
  expect(split('event: message\r\ndata:  {}\r\n\r\n', [5])).toEqual({ others: 'event: message\n', data: ' {}\r' })
})

test('an event without data has none', () => {
  expect(split(': nothing\n\n', [3])).toEqual({ others: ': nothing\n', data: '' })
})

test('what a reader makes of the data of one event is nothing to the next', () => {
  const event = 'event: message\ndata: {"a":\ndata: 1}\n\n'
  for (const work = splitEvent([Buffer.from(event)]); ; ) {
    const { done, value } = work.next()
    if (done !== true) continue
    for (const part of value.data) part.fill(0x20)
    break
  }
  expect(split(event, [7])).toEqual({ others: 'event: message\n', data: '{"a":\n1}' })
})

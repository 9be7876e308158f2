import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodedResult } from '../plugins/encoded-result.ts'
import { jsonLength } from './json-length.ts'

/** Without what `JSON.stringify` escapes, and numbers that it writes as `String` does. */
const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.stringMatching(/^[a-zé搜 ]{0,9}$/),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.stringMatching(/^[a-z]{0,5}$/), tie('value')),
  ),
})).value

test('it is the length of the JSON where nothing needs an escape', () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(jsonLength(value)).toBe(JSON.stringify(value).length)
    }),
  )
})

test('a member that JSON leaves out is not counted, and neither is what it can not hold', () => {
  expect(jsonLength({ a: undefined, b: 1, toJSON: () => 1 })).toBe('{"b":1}'.length)
  expect([undefined, () => 1, 1n, Symbol('x')].map(jsonLength)).toEqual([0, 0, 0, 0])
})

test('a long text costs no more than a short one', () => {
  expect(jsonLength({ text: 'x'.repeat(100_000_000) })).toBe(100_000_011)
})

test('a value that leads back to itself, is deep or has millions of values comes to an end', () => {
  const circle: unknown[] = []
  circle.push(circle, circle, circle)
  expect(jsonLength(circle)).toBeGreaterThan(100_000)
  let deep: unknown = []
  for (let i = 0; i < 100_000; i += 1) deep = [deep]
  expect(jsonLength(deep)).toBeGreaterThan(900)
  const wide = new Array<number>(3_000_000).fill(1)
  expect(jsonLength(wide)).toBeGreaterThan(3_000_000)
  expect(jsonLength(wide)).toBeLessThan(3_200_000)
})

test('counts the bytes of a result that is there in bytes', () => {
  const text = JSON.stringify([{ type: 'text', text: 'x'.repeat(1000) }])
  const fields = new Map([['content', [Buffer.from(text.slice(0, 400)), Buffer.from(text.slice(400))]]])
  const result = encodedResult(fields, { content: [], isError: false })
  expect(jsonLength(result)).toBe(JSON.stringify(result).length)
})

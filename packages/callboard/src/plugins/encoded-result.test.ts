import { expect, test } from 'vitest'
import { encodedFields, encodedMembers, encodedResult } from './encoded-result.ts'

const fields = new Map([
  ['content', [Buffer.from('[{"type":"text",'), Buffer.from('"text":"ä"}]')]],
  ['a "b"', [Buffer.from('1.50')]],
])
const bytesOf = (result: object): string =>
  Buffer.concat(
    encodedMembers(result, encodedFields(result) ?? new Map()).map((piece) => Buffer.from(piece)),
  ).toString()

test.each([
  [{}, ''],
  [{ content: [] }, ''],
  [{ isError: true, content: [] }, '"isError":true,'],
  [{ isError: undefined }, ''],
])('what is plain (%j) stands before the bytes, which take the place of their own keys', (plain, before) => {
  expect(bytesOf(encodedResult(fields, plain))).toBe(`${before}"content":[{"type":"text","text":"ä"}],"a \\"b\\"":1.50`)
})

test('a copy made by spreading has the bytes as well, and what was put in besides', () => {
  const copy = { first: 1, ...encodedResult(fields, { _meta: { x: 1 } }), _meta: { y: 2 } }
  const whole = { first: 1, _meta: { y: 2 }, content: [{ type: 'text', text: 'ä' }], 'a "b"': 1.5 }
  expect(JSON.parse(`{${bytesOf(copy)}}`)).toEqual(whole)
  expect(JSON.parse(JSON.stringify({ copy }))).toEqual({ copy: whole })
})

test('any other result has none', () => {
  expect(encodedFields({ content: [] })).toBeUndefined()
})

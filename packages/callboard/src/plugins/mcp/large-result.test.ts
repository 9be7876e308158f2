/** What of a large answer is read on the way. */
import { expect, test } from 'vitest'
import { encodedFields } from '../encoded-result.ts'
import { largeResult } from './large-result.ts'

const fieldsOf = (result: object): Map<string, Buffer[]> =>
  new Map(Object.entries(result).map(([key, value]) => [key, [Buffer.from(JSON.stringify(value))]]))

test('small fields that are looked at are plain, and all others bytes', () => {
  const result = largeResult(fieldsOf({ content: [1], isError: true, _meta: { a: 1 }, other: 2 }))
  expect(result).toMatchObject({ content: [], isError: true, _meta: { a: 1 } })
  expect([...(encodedFields(result)?.keys() ?? [])]).toEqual(['content', 'other'])
})

test('a large `_meta` stays bytes', () => {
  const given = { _meta: { a: 'a'.repeat(70_000) }, content: [] }
  const result = largeResult(fieldsOf(given))
  expect(Object.keys(result)).not.toContain('_meta')
  expect(JSON.parse(JSON.stringify(result))).toEqual(given)
})

test('a `content` that is no list is none, however large it is', () => {
  const result = largeResult(fieldsOf({ content: 'x'.repeat(70_000) }))
  expect(result.content).toBeNull()
  expect(encodedFields(result)?.has('content')).toBe(false)
})

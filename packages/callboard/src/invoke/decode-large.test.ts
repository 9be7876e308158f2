/** Results that came as bytes, for those who take values alone. */
import { expect, test } from 'vitest'
import { encodedFields, encodedResult } from '../plugins/encoded-result.ts'
import { decodeLarge } from './decode-large.ts'

const { signal } = new AbortController()
const bytesOf = (value: unknown): Buffer[] => [Buffer.from(JSON.stringify(value))]

test('the bytes of a result become values, in place of those that it has, and nothing else of it changes', async () => {
  const content = [{ type: 'text', text: 'done' }]
  const fields = new Map(
    Object.entries({ content, structuredContent: { a: 1 } }).map(([key, value]) => [key, bytesOf(value)]),
  )
  const decoded = await decodeLarge(
    encodedResult(fields.set('__proto__', bytesOf({ b: 1 })), { content: [], _meta: { c: 1 } }),
    signal,
  )
  expect(encodedFields(decoded)).toBeUndefined()
  expect(JSON.stringify(decoded)).toBe(
    '{"content":[{"type":"text","text":"done"}],"_meta":{"c":1},"structuredContent":{"a":1},"__proto__":{"b":1}}',
  )
})

test('a result of values is returned as it is, at once', () => {
  const result = { content: [{ type: 'text', text: 'done' }] }
  expect(decodeLarge(result, signal)).toBe(result)
})

test('others have their turn meanwhile, and may cancel it', async () => {
  const rows = [Buffer.from(JSON.stringify(Array.from({ length: 1_000_000 }, (_, n) => [n])))]
  const result = encodedResult(new Map([['structuredContent', rows]]), { content: [] })
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await decodeLarge(result, signal)
  isDone = true
  expect(turns).toBeGreaterThan(5)
  const caller = new AbortController()
  const decoding = decodeLarge(result, caller.signal)
  const reason = new Error('no longer wanted')
  caller.abort(reason)
  await expect(decoding).rejects.toBe(reason)
})

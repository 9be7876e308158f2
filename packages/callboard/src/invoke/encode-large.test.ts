import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodedFields } from '../plugins/encoded-result.ts'
import type { ToolResult } from '../plugins/plugin.ts'
import { encodeLarge } from './encode-large.ts'

const { signal } = new AbortController()
const filling = 'x'.repeat(600_000)

const withData = (structuredContent: unknown): ToolResult => ({
  content: [{ type: 'text', text: filling }],
  structuredContent,
  isError: false,
  _meta: { a: 1 },
})

test('a large result is the same whether it is written at once or a little at a time', async () => {
  // Small values many times over, so that they become large.
  const value = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 3_000 }))
  await fc.assert(
    fc.asyncProperty(value, async ([one, times]) => {
      const result = withData({ one, many: Array(times).fill(one), deep: { ...Array(times).fill(one) } })
      const encoded = await encodeLarge(result, signal)
      expect(encodedFields(encoded)?.has('content')).toBe(true)
      expect(JSON.parse(JSON.stringify(encoded))).toEqual(JSON.parse(JSON.stringify(result)))
      expect(encoded).toMatchObject({ isError: false, _meta: { a: 1 }, content: [] })
    }),
    { numRuns: 50 },
  )
})

test.each(['🎭', 'a🎭', '\ud83c', '"\n', 'ä\u2028'])(
  'a long text of %j is written as JSON.stringify does',
  async (text) => {
    const long = text.repeat(600_000)
    const encoded = await encodeLarge({ content: [{ type: 'text', text: long }] }, signal)
    const [...bytes] = encodedFields(encoded)?.get('content') ?? []
    expect(Buffer.concat(bytes).toString() === JSON.stringify([{ type: 'text', text: long }])).toBe(true)
    expect(Math.max(...bytes.map(({ length }) => length))).toBeLessThan(250_000)
  },
)

test('what JSON leaves out is left out, and what it writes as null is null', async () => {
  const list = [undefined, filling, undefined]
  const encoded = await encodeLarge(withData({ gone: undefined, list, none: { gone: undefined, filling } }), signal)
  expect(JSON.parse(JSON.stringify(encoded)).structuredContent).toEqual({
    list: [null, filling, null],
    none: { filling },
  })
})

test('a small result is returned as it is, at once, and so is one in bytes', async () => {
  const small = { content: [{ type: 'text', text: 'done' }] }
  expect(encodeLarge(small, signal)).toBe(small)
  const encoded = await encodeLarge(withData([1]), signal)
  expect(encodeLarge(encoded, signal)).toBe(encoded)
})

test('others have their turn meanwhile, and may cancel it', async () => {
  const list = Array.from({ length: 300_000 }, (_, n) => [n])
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await encodeLarge(withData(list), signal)
  expect(turns).toBeGreaterThan(5)
  const caller = new AbortController()
  const encoding = encodeLarge(withData(list), caller.signal)
  const reason = new Error('no longer wanted')
  caller.abort(reason)
  await expect(encoding).rejects.toBe(reason)
  isDone = true
})

test('what is nested too deeply is left to whoever says so', async () => {
  let deep: unknown = filling
  for (let level = 0; level < 1_000; level++) deep = [deep]
  const result = withData(deep)
  expect(await encodeLarge(result, signal)).toBe(result)
})

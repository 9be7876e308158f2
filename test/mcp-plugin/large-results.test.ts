/** Large results reach those who pass them on as the bytes that they were, and everybody else as any other result. */
import { describe, expect, test } from 'vitest'
import { encodedFields } from '../../packages/callboard/src/plugins/encoded-result.ts'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, type McpUnderTest, stdioPlugin } from './mcp-under-test.ts'

const ways: [string, () => Promise<McpUnderTest>][] = ['legacy', 'modern'].flatMap((era) => [
  [`stdio, ${era}`, () => Promise.resolve(stdioPlugin('echo-server', ['--era', era]))],
  [`HTTP, ${era}`, () => httpPlugin('echo-server', ['--era', era])],
  [`HTTP, ${era}, streams`, () => httpPlugin('echo-server', ['--era', era, '--sse'])],
])
ways.push(['HTTP+SSE', () => httpPlugin('echo-server', ['--era', 'legacy', '--http-sse'])])

const takesEncoded = { takesEncoded: true }
const LEFT_OUT = /message of 1100\d{3} bytes, which is more than the 1048576 that are read of what is no result/
const leftOut = ({ lines }: McpUnderTest): readonly unknown[] => lines.filter(({ msg }) => LEFT_OUT.test(String(msg)))

describe.each(ways)('over %s', (_, make) => {
  test.each(['content', 'structured', 'error', 'empty'])(
    'a large result (%s) is the same in both ways',
    async (kind) => {
      await using under = await make()
      await startPlugin(under.plugin)
      const args = { kind, times: 20_000 }
      const whole = await callPlugin(under.plugin, 'large', args)
      expect(encodedFields(whole)).toBeUndefined()
      const bytes = await callPlugin(under.plugin, 'large', args, takesEncoded)
      expect(encodedFields(bytes)?.has('beside')).toBe(true)
      expect(JSON.parse(JSON.stringify(bytes))).toEqual(whole)
      // A copy is as good.
      expect(JSON.parse(JSON.stringify({ ...bytes, more: 1 }))).toEqual({ ...whole, more: 1 })
      expect(bytes.isError).toBe(whole.isError)
      expect(bytes._meta).toEqual(whole._meta)
    },
  )

  test('large results come among small ones, each to its own call, with the progress before it', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const seen: unknown[] = []
    const more = { ...takesEncoded, onProgress: (step: unknown) => seen.push(step) }
    const times = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? 1 : 12_000 + n))
    const results = await Promise.all(times.map((count) => callPlugin(under.plugin, 'large', { times: count }, more)))
    const lengths = results.map((result) => textOf(JSON.parse(JSON.stringify(result))).length)
    const [one = 0] = lengths
    expect(lengths).toEqual(times.map((count) => count * one))
    expect(seen).toHaveLength(times.length)
  })

  test('an error beyond a bound of its own fails its call with words that say so, and no other call', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const other = callPlugin(under.plugin, 'large', { times: 20_000 }, takesEncoded)
    for (const more of [{}, takesEncoded])
      await expect(callPlugin(under.plugin, 'fault', { bytes: 1_100_000 }, more)).rejects.toThrow(LEFT_OUT)
    const small = { message: 'quota exceeded', data: 'x'.repeat(1_000_000) }
    await expect(callPlugin(under.plugin, 'fault', { bytes: 1_000_000 }, takesEncoded)).rejects.toMatchObject(small)
    await other
    expect(leftOut(under)).toHaveLength(2)
  })

  test('a notification beyond it is left out and the log says so; what comes after it arrives', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const seen: unknown[] = []
    const onProgress = (step: unknown): void => void seen.push(step)
    const args = { steps: 2, bytes: 1_100_000 }
    expect(textOf(await callPlugin(under.plugin, 'progress', args, { onProgress }))).toBe('done')
    expect(textOf(await callPlugin(under.plugin, 'log', args))).toBe('logged')
    expect(seen).toEqual([])
    expect(leftOut(under)).toHaveLength(3)
    expect(textOf(await callPlugin(under.plugin, 'progress', { steps: 2, bytes: 500_000 }, { onProgress }))).toBe(
      'done',
    )
    expect(seen).toHaveLength(2)
  })
})

const filling = 'x'.repeat(300_000)

test.each([
  [`"error":{"code":-32050,"message":"too much","data":"${filling}"}`, { rpcCode: -32050, message: 'too much' }],
  [`"result":{"content":"${filling}"}`, { message: expect.stringContaining('"content" that is no list') }],
  [`"result":["${filling}"]`, { message: expect.stringContaining('no result object') }],
])('a large answer that is no result of a tool fails its call in words (%.20s)', async (answer, error) => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const text = `{"jsonrpc":"2.0","id":$ID,${answer}}`
  await expect(callPlugin(under.plugin, 'raw', { text }, takesEncoded)).rejects.toMatchObject(error)
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
})

test('what is no JSON is never passed on, however large', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const text = `{"jsonrpc":"2.0","id":$ID,"result":{"content":["${filling}",]}}`
  const caller = new AbortController()
  const waiting = callPlugin(under.plugin, 'raw', { text }, { ...takesEncoded, signal: caller.signal })
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  expect(under.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('{"jsonrpc"') }))
})

test('a large answer that comes after its call was cancelled disturbs nobody', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1}}'
  const text = `${progress}\n{"jsonrpc":"2.0","id":$ID,"result":{"content":["${filling}"]}}`
  const caller = new AbortController()
  const more = { ...takesEncoded, signal: caller.signal, onProgress: () => caller.abort() }
  await expect(callPlugin(under.plugin, 'raw', { text }, more)).rejects.toMatchObject({ code: 'cancelled' })
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
})

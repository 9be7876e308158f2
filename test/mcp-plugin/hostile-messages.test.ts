/** Whatever a server sends over stdio costs at most its own call. */
import { expect, test } from 'vitest'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { stdioPlugin } from './mcp-under-test.ts'

test('an error of null beside a result, as of JSON-RPC 1.0, is a result', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const text = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"fine"}]},"error":null}'
  expect(textOf(await callPlugin(under.plugin, 'raw', { text }))).toBe('fine')
})

test.each([
  ['"error":"too busy"', /too busy/],
  ['"error":["a"],"result":{"content":[]}', /an error that is no object: \["a"\]/],
  ['"error":null', /neither a result nor an error/],
  ['"error":{"message":{"a":1}}', /gave no reason/],
  ['"result":{"content":{"length":1}}', /"content" that is no list/],
  ['"result":[]', /no result object/],
  ['"result":null', /no result object/],
])('the answer %s fails its own call at once, in words', async (answer, words) => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const text = `{"jsonrpc":"2.0","id":$ID,${answer}}`
  await expect(callPlugin(under.plugin, 'raw', { text })).rejects.toThrow(words)
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
})

test('what can not be handed on for its sender’s sake ends only the call that it belongs to', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const notification = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1}}'
  const onProgress = (): void => {
    throw new Error('no room')
  }
  const text = `${notification}\n{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}`
  await expect(callPlugin(under.plugin, 'raw', { text }, { onProgress })).rejects.toThrow('no room')
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  expect(under.lines).toContainEqual(expect.objectContaining({ reason: 'no room' }))
})

test.each([
  ['empty lines', '\n', 1_000_000],
  ['lines that are no messages', 'garbage garbage\n', 100_000],
])('a flood of %s costs next to nothing', async (_, text, times) => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'flood', { text, times })
  const before = process.cpuUsage()
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1.5)
})

test.each([
  ['requests that are answered at once', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n', 20_000, 1],
  ['notifications', '{"jsonrpc":"2.0","method":"notifications/x"}\n', 20_000, 1],
  ['batches', `[${'{"jsonrpc":"2.0","method":"x"},'.repeat(99)}{"jsonrpc":"2.0","method":"x"}]\n`, 1_000, 100],
])('a flood of %s leaves everybody else a turn after every few', async (_, text, times, messages) => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'flood', { text, times })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  isOver = true
  expect(turns).toBeGreaterThan((times * messages) / 100)
})

test('calls of a server that reads no more are refused at once before they fill the memory', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'deaf')
  const caller = new AbortController()
  const more = { signal: caller.signal }
  const text = 'x'.repeat(16 * 1024 * 1024)
  const waiting = Array.from({ length: 3 }, () => callPlugin(under.plugin, 'plain', { text }, more))
  const cancelled = Promise.allSettled(waiting)
  await expect(callPlugin(under.plugin, 'plain', { text }, more)).rejects.toThrow(
    'plugin "acme": the server does not read its input, and too much waits for it already',
  )
  caller.abort()
  expect((await cancelled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('a message beyond what is read that answers nobody fails no call, and the log says that it came', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  const caller = new AbortController()
  const waiting = callPlugin(under.plugin, 'wait', { key: 'a' }, { signal: caller.signal })
  expect(textOf(await callPlugin(under.plugin, 'log', { bytes: 140_000_000 }))).toBe('logged')
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  const msg = expect.stringMatching(/message of 14\d{7} bytes, which is more than the 134217728 that are read/)
  expect(under.lines).toContainEqual(expect.objectContaining({ msg }))
})

test.each([
  ['no JSON', 'x'.repeat(1_100_000)],
  ['several messages in one', `[{"jsonrpc":"2.0","method":"${'x'.repeat(1_100_000)}"}]`],
])('a line of more than a megabyte that is %s is left out, and the log says so', async (_, text) => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const caller = new AbortController()
  const waiting = callPlugin(under.plugin, 'raw', { text }, { signal: caller.signal })
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  const msg = expect.stringMatching(/more than the 1048576 that are read of what is no result/)
  expect(under.lines).toContainEqual(expect.objectContaining({ msg }))
})

test('an answer of that size that can not be passed on fails its own call, and no other', async () => {
  await using under = stdioPlugin('raw-server')
  await startPlugin(under.plugin)
  const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
  const text = `{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"structuredContent":${deep}}}`
  await expect(callPlugin(under.plugin, 'raw', { text })).rejects.toThrow('that are read of what is no result')
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
})

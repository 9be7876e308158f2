/** What passes between a caller and an MCP server reaches the other end as it was sent. */
import { describe, expect, test } from 'vitest'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { callPlugin, eventually, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, type McpUnderTest, mcpPlugin, stdioPlugin, stdioTarget } from './mcp-under-test.ts'

const ways: [string, (args?: readonly string[]) => Promise<McpUnderTest>][] = [
  ['stdio, legacy', () => Promise.resolve(stdioPlugin('echo-server', ['--era', 'legacy']))],
  ['stdio, modern', () => Promise.resolve(stdioPlugin('echo-server', ['--era', 'modern']))],
  ['HTTP, legacy', () => httpPlugin('echo-server', ['--era', 'legacy'])],
  ['HTTP, modern', () => httpPlugin('echo-server', ['--era', 'modern'])],
  ['HTTP, legacy, streams', () => httpPlugin('echo-server', ['--era', 'legacy', '--sse'])],
  ['HTTP+SSE', () => httpPlugin('echo-server', ['--era', 'legacy', '--http-sse'])],
  ['HTTP, modern, streams', () => httpPlugin('echo-server', ['--era', 'modern', '--sse'])],
]

describe.each(ways)('over %s', (_, make) => {
  test('results are untouched, whatever their output schema says', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const odd = (kind: string) => callPlugin(under.plugin, 'odd', { kind })
    expect(await odd('structured')).toEqual({ content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] })
    expect(await odd('unasked')).toMatchObject({ structuredContent: { n: 'not a number' } })
    expect(await odd('error')).toEqual({ content: [{ type: 'text', text: 'the disk is full' }], isError: true })
    expect(await odd('empty')).toEqual({ content: [] })
    expect(Object.keys(await odd('content')).sort()).toEqual(['_meta', 'content', 'future'])
  })

  test("the server's own error keeps its code, message and data", async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    await expect(callPlugin(under.plugin, 'odd', { kind: 'fault' })).rejects.toMatchObject({
      name: 'UpstreamError',
      rpcCode: -32050,
      message: 'quota exceeded',
      data: { retryAfter: 30, deep: { list: [1, null] } },
    })
    const unknown = callPlugin(under.plugin, 'nowhere')
    await expect(unknown).rejects.toMatchObject({ rpcCode: -32602, message: 'unknown tool: nowhere', data: undefined })
  })

  test('a cancellation reaches the server', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const caller = new AbortController()
    const waiting = callPlugin(
      under.plugin,
      'wait',
      { key: 'k1' },
      { signal: caller.signal, onProgress: () => caller.abort() },
    )
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    await eventually(async () => textOf(await callPlugin(under.plugin, 'cancelled')) === '["k1"]', 'the cancellation')
  })

  test('large results come whole', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    for (const bytes of [3_000_000, 12_000_000])
      expect(textOf(await callPlugin(under.plugin, 'big', { bytes }))).toHaveLength(bytes)
  })

  test('no progress is asked for when nobody wants it', async () => {
    await using under = await make()
    await startPlugin(under.plugin)
    const { meta } = JSON.parse(textOf(await callPlugin(under.plugin, 'echo')))
    expect(meta).not.toHaveProperty('progressToken')
  })
})

test('a message beyond the bound fails its own call, in words, and no other', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  const caller = new AbortController()
  const other = callPlugin(under.plugin, 'wait', {}, { signal: caller.signal })
  const kept = expect(other).rejects.toMatchObject({ code: 'cancelled' })
  const huge = callPlugin(under.plugin, 'big', { bytes: 129 * 1024 * 1024 })
  await expect(huge).rejects.toThrow(/plugin "acme": the server sent a message of 135\d+ bytes, which is more than/)
  caller.abort()
  await kept
})

test('a result of 100 MB comes through whole', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'big', { bytes: 100_000_000 }))).toHaveLength(100_000_000)
})

test('what is no message on stdout goes to the log and disturbs nothing', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'noise'))).toBe('quiet again')
  const noise = under.lines.filter((line) => line.stream === 'stdout, not a message').map((line) => line.msg)
  expect(noise).toEqual(['Debugger attached.', '{"level":"info"}', '[1]'])
  await eventually(() => under.lines.some((line) => line.msg === 'noise 1'), 'the line of stderr')
})

test('stderr goes to the log by line with the name of the plugin, bounded and without secrets', async () => {
  const secrets = new Secrets()
  secrets.add('noise 3')
  await using under = stdioPlugin('echo-server', [], { secrets })
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'noise', { lines: 5_000 })
  await under.plugin.stop()
  const lines = under.lines.filter((line) => line.stream === 'stderr')
  expect(lines.length).toBeLessThan(1_000)
  expect(lines[0]).toMatchObject({ plugin: 'acme', msg: 'noise 1' })
  expect(lines[2]).toMatchObject({ msg: '[secret]' })
  expect(lines.some((line) => Number(line.lines) > 1_000)).toBe(true)
})

test.each(['legacy', 'modern'])('a log message of the server goes to the log (%s)', async (era) => {
  await using under = stdioPlugin('echo-server', ['--era', era])
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'log')
  const message = '{"level":"warning","logger":"acme","data":{"free":3}}'
  await eventually(() => under.lines.some((line) => line.msg === message && line.plugin === 'acme'), 'the message')
})

test('a request of the server is refused, since nothing was offered', async () => {
  await using under = stdioPlugin('echo-server', ['--era', 'legacy'])
  await startPlugin(under.plugin)
  expect(JSON.parse(textOf(await callPlugin(under.plugin, 'ask')))).toMatchObject({ error: { code: -32601 } })
})

test('the server has the basics of the environment and what the config names, nothing else', async () => {
  process.env.CALLBOARD_TEST_PRIVATE = 'private'
  await using under = mcpPlugin({ ...stdioTarget('echo-server'), env: { ACME: 'a b$c' }, cwd: import.meta.dirname })
  await startPlugin(under.plugin)
  const { env, cwd } = JSON.parse(textOf(await callPlugin(under.plugin, 'environment')))
  delete process.env.CALLBOARD_TEST_PRIVATE
  expect(env).toMatchObject({ ACME: 'a b$c', PATH: process.env.PATH })
  expect(env).not.toHaveProperty('CALLBOARD_TEST_PRIVATE')
  expect(cwd).toBe(import.meta.dirname)
})

test('over HTTP every request carries the headers of the config', async () => {
  await using under = await httpPlugin('echo-server', ['--token', 't0p'], {
    Authorization: 'Bearer t0p',
    'X-Acme': 'yes',
  })
  await startPlugin(under.plugin)
  const { headers } = JSON.parse(textOf(await callPlugin(under.plugin, 'echo')))
  expect(headers).toMatchObject({ authorization: 'Bearer t0p', 'x-acme': 'yes' })
})

test.each([
  ['modern', { 'mcp-param-region': '=?base64?w7xi?=', 'mcp-name': 'mirror' }],
  ['legacy', {}],
])('an argument that wants to be a header is one in the modern era only (%s)', async (era, expected) => {
  await using under = await httpPlugin('echo-server', ['--era', era])
  await startPlugin(under.plugin)
  const { headers } = JSON.parse(textOf(await callPlugin(under.plugin, 'mirror', { region: 'üb' })))
  const names = ['mcp-param-region', 'mcp-name']
  expect(Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))).toEqual(expected)
})

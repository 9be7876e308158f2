/** What can happen on the way to an MCP server over HTTP. */
import { text as textIn } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { answering } from '../fixtures/answering.ts'
import { startHttpFixture } from '../fixtures/fixture.ts'
import { callPlugin, startPlugin, stateReached, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, type McpUnderTest, mcpPlugin } from './mcp-under-test.ts'

const plain = (url: string, headers = {}): McpUnderTest => mcpPlugin({ transport: 'http', url, headers })

test.each([
  [401, {}, /\/mcp asks for credentials \(HTTP 401\); add "headers: { Authorization: 'Bearer …' }"/],
  [
    401,
    { authorization: 'Bearer old' },
    /did not accept the credentials \(HTTP 401\); correct "headers.Authorization"/,
  ],
  [403, {}, /denies access \(HTTP 403\)/],
  [404, {}, /has nothing there \(HTTP 404\); check the path/],
  [405, {}, /does not take MCP over Streamable HTTP/],
  [500, {}, /answered HTTP 500: it broke/],
])('an answer of HTTP %i with the headers %j is told with its mend', async (status, headers, reason) => {
  await using server = await answering((_, response) => response.writeHead(status).end('it\n broke'))
  await using under = plain(server.url, headers)
  await expect(startPlugin(under.plugin)).rejects.toThrow(reason)
  expect(under.plugin.health().reason).not.toContain('hidden')
})

test('a page that is no MCP server is told as that', async () => {
  await using server = await answering((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>'),
  )
  await using under = plain(server.url)
  await expect(startPlugin(under.plugin)).rejects.toThrow(/does not speak MCP.*text\/html.*check the url/)
})

test('a server that is not there is told as that', async () => {
  const { url, [Symbol.asyncDispose]: end } = await answering(() => {})
  await end()
  await using under = plain(url)
  await expect(startPlugin(under.plugin)).rejects.toThrow(
    /127\.0\.0\.1:\d+\/mcp refuses the connection; is the server running\?/,
  )
})

test('a server that does not answer is given up when the time is up', async () => {
  await using server = await answering(() => {})
  await using under = plain(server.url)
  const signal = AbortSignal.timeout(200)
  await expect(startPlugin(under.plugin, signal)).rejects.toThrow('it did not answer')
})

test('a redirect to another origin is not followed, so no credentials leave', async () => {
  const seen: unknown[] = []
  await using elsewhere = await answering((request, response) => {
    seen.push(request.headers)
    response.writeHead(200).end()
  })
  await using server = await answering((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  await using under = plain(server.url, { authorization: 'Bearer t0p' })
  await expect(startPlugin(under.plugin)).rejects.toThrow(/redirects elsewhere \(HTTP 307\): .*use that URL/)
  expect(seen).toEqual([])
})

test('a session that the server forgot is replaced once for all calls, which then succeed', async () => {
  await using under = await httpPlugin('echo-server', ['--era', 'legacy'])
  await startPlugin(under.plugin)
  await fetch(new URL('/forget', under.url), { method: 'POST' })
  const calls = Array.from({ length: 8 }, (_, n) => callPlugin(under.plugin, 'echo', { n }))
  const results = await Promise.all(calls)
  expect(results.map((result) => JSON.parse(textOf(result)).arguments.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(new Set(results.map((result) => JSON.parse(textOf(result)).headers['mcp-session-id'])).size).toBe(1)
  expect(under.plugin.health().state).toBe('up')
  expect(under.lines.filter((line) => String(line.msg).includes('lost the session'))).toHaveLength(1)
})

test.each(['legacy', 'modern'])('a server that went away is down, and can be started again (%s)', async (era) => {
  const first = await startHttpFixture('echo-server', ['--era', era])
  const { url } = first
  await using under = mcpPlugin({ transport: 'http', url, headers: {} })
  await startPlugin(under.plugin)
  const running = Promise.withResolvers<void>()
  const waiting = callPlugin(under.plugin, 'wait', {}, { onProgress: () => running.resolve() })
  const failed = expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
  await running.promise
  await first.stop()
  await failed
  await stateReached(under.plugin, 'down')
  await expect(callPlugin(under.plugin, 'echo')).rejects.toThrow(/is down since .*refuses the connection/)
  await using _second = await startHttpFixture('echo-server', ['--era', era], Number(new URL(url).port))
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
})

test('the official SDK’s own server runs over HTTP', async () => {
  await using under = await httpPlugin('sdk-server')
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'greet', { name: 'Ana' }))).toBe('hello Ana')
})

/** A server that answers a call with a body of many megabytes, in the way that its tool is named after. */
const swelling = (): ReturnType<typeof answering> =>
  answering((request, response) => {
    void textIn(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body)
      if (id === undefined) return response.writeHead(202).end()
      const tools = ['gzip', 'event', 'cut', 'plain'].map((name) => ({ name, inputSchema: { type: 'object' } }))
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'swelling', version: '1' },
        },
        'tools/list': { tools },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      }
      const answer = (more: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...more })
      if (params?.name === 'cut')
        return response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"json')
      const isEvent = params?.name === 'event'
      if (!isEvent && params?.name !== 'gzip') {
        const result = results[method]
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(answer(result === undefined ? { error: { code: -32601, message: 'no' } } : { result }))
      }
      const type = isEvent ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
      const packed = createGzip()
      packed.pipe(response)
      const filling = isEvent ? `id: 1\n\ndata: ` : `{"jsonrpc":"2.0","id":${id},"result":"`
      packed.write(filling)
      for (let megabytes = 0; megabytes < 140; megabytes++) packed.write(Buffer.alloc(1024 * 1024, 'x'))
      packed.end('"}\n\n')
      return response
    })
  })

test.each(['gzip', 'event'])(
  'an answer that swells beyond the bound (%s) fails its own call, in words',
  async (way) => {
    await using server = await swelling()
    await using under = plain(server.url)
    await startPlugin(under.plugin)
    await expect(callPlugin(under.plugin, way)).rejects.toThrow(
      'plugin "acme": the server sent a message of more than the 134217728 bytes that are read',
    )
    expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
  },
)

test('an answer that breaks off in the middle of an event fails its own call', async () => {
  await using server = await swelling()
  await using under = plain(server.url)
  await startPlugin(under.plugin)
  await expect(callPlugin(under.plugin, 'cut')).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringMatching(/may have been done or not: the server broke off its answer$/),
  })
  expect(textOf(await callPlugin(under.plugin, 'plain'))).toBe('done')
})

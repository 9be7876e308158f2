/** Servers that speak HTTP+SSE, the transport of 2024-11-05, and what can happen on the way to them. */
import { request as httpRequest, type RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { McpPluginOptions } from '../../packages/callboard/src/plugins/mcp/mcp-plugin-options.ts'
import { answering } from '../fixtures/answering.ts'
import { type HttpFixture, startHttpFixture } from '../fixtures/fixture.ts'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import { callPlugin, startPlugin, stateReached, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, type McpUnderTest, mcpPlugin } from './mcp-under-test.ts'

const SSE = ['--era', 'legacy', '--http-sse']

/** A plugin whose config says what is spoken at the address, or does not. */
function reaching(
  url: string,
  type: 'sse' | 'http' | undefined,
  { headers = {}, ...more }: Partial<McpPluginOptions> & { readonly headers?: Record<string, string> } = {},
): McpUnderTest {
  return mcpPlugin({ transport: 'http', url, headers, ...(type && { type }) }, more)
}

describe('of a server that the config calls `sse`', () => {
  test.each([
    [401, {}, /\/mcp asks for credentials \(HTTP 401\); add "headers: { Authorization: 'Bearer …' }"/],
    [401, { authorization: 'Bearer old' }, /did not accept the credentials \(HTTP 401\)/],
    [403, {}, /denies access \(HTTP 403\)/],
    [404, {}, /has nothing there \(HTTP 404\); check the path of the url, which often is \/sse/],
    [405, {}, /does not take MCP over HTTP\+SSE \(HTTP 405\); check the url/],
    [500, {}, /answered HTTP 500: it broke/],
  ])('an answer of HTTP %i with the headers %j is told with its mend', async (status, headers, reason) => {
    await using server = await answering((_, response) => response.writeHead(status).end('it\n broke'))
    await using under = reaching(server.url, 'sse', { headers })
    await expect(startPlugin(under.plugin)).rejects.toThrow(reason)
    expect(under.plugin.health().reason).not.toContain('hidden')
  })

  test('a page that is no stream is told as that', async () => {
    await using server = await answering((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>'),
    )
    await using under = reaching(server.url, 'sse')
    await expect(startPlugin(under.plugin)).rejects.toThrow(/does not speak MCP.*text\/html.*check the url/)
  })

  test('its absence is told as that', async () => {
    const { url, [Symbol.asyncDispose]: end } = await answering(() => {})
    await end()
    await using under = reaching(url, 'sse')
    await expect(startPlugin(under.plugin)).rejects.toThrow(/refuses the connection; is the server running\?/)
  })

  test.each([
    ['answers nothing', () => {}, 'it did not open the stream on which it would answer'],
    [
      'opens its stream and says nothing',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
      'it did not answer',
    ],
  ] satisfies [string, RequestListener, string][])(
    'one that %s is given up when the time is up',
    async (_, listener, words) => {
      await using server = await answering(listener)
      await using under = reaching(server.url, 'sse')
      await expect(startPlugin(under.plugin, AbortSignal.timeout(200))).rejects.toThrow(words)
    },
  )

  test('neither a redirect nor an endpoint at another origin is followed, so no credentials leave', async () => {
    const seen: unknown[] = []
    await using elsewhere = await answering((request, response) => {
      seen.push(request.headers)
      response.writeHead(200).end()
    })
    await using moved = await answering((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
    await using pointing = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`event: endpoint\ndata: ${elsewhere.url}\n\n`)
    })
    const headers = { authorization: 'Bearer t0p' }
    await using first = reaching(moved.url, 'sse', { headers })
    await expect(startPlugin(first.plugin)).rejects.toThrow(/redirects elsewhere \(HTTP 307\): .*use that URL/)
    await using second = reaching(pointing.url, 'sse', { headers })
    await expect(startPlugin(second.plugin)).rejects.toThrow(/Endpoint origin does not match connection origin/)
    expect(seen).toEqual([])
  })
})

test('every request carries the headers of the config', async () => {
  await using under = await httpPlugin('echo-server', [...SSE, '--token', 't0ken'], { Authorization: 'Bearer t0ken' })
  await startPlugin(under.plugin)
  const seen = JSON.parse(textOf(await callPlugin(under.plugin, 'echo', {})))
  expect(seen.headers).toMatchObject({ authorization: 'Bearer t0ken', 'mcp-protocol-version': '2025-11-25' })
})

test('a session that the server forgot is replaced once for all calls, which then succeed', async () => {
  await using under = await httpPlugin('echo-server', SSE)
  await startPlugin(under.plugin)
  await fetch(new URL('/forget', under.url), { method: 'POST' })
  const calls = Array.from({ length: 8 }, (_, n) => callPlugin(under.plugin, 'echo', { n }))
  const results = await Promise.all(calls)
  expect(results.map((result) => JSON.parse(textOf(result)).arguments.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(under.plugin.health().state).toBe('up')
  expect(under.lines.filter((line) => String(line.msg).includes('lost the session'))).toHaveLength(1)
})

test.each(['its stream', 'itself'])('a server that ended %s is down, and can be started again', async (what) => {
  const first = await startHttpFixture('echo-server', SSE)
  const { url } = first
  await using under = reaching(url, 'sse')
  await startPlugin(under.plugin)
  const running = Promise.withResolvers<void>()
  const waiting = callPlugin(under.plugin, 'wait', {}, { onProgress: () => running.resolve() })
  const failed = expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
  await running.promise
  if (what === 'itself') await first.stop()
  else await fetch(new URL('/hangup', url), { method: 'POST' })
  await failed
  await stateReached(under.plugin, 'down')
  await expect(callPlugin(under.plugin, 'echo')).rejects.toThrow(
    /is down since .*the server ended the stream on which it answers/,
  )
  await using _second =
    what === 'itself' ? await startHttpFixture('echo-server', SSE, Number(new URL(url).port)) : first
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
})

test('an answer beyond the bound fails its own call, and no other on the same stream', async () => {
  await using under = await httpPlugin('echo-server', SSE)
  await startPlugin(under.plugin)
  const caller = new AbortController()
  const waiting = callPlugin(under.plugin, 'wait', {}, { signal: caller.signal })
  await expect(callPlugin(under.plugin, 'big', { bytes: 140_000_000 })).rejects.toThrow(
    'plugin "acme": the server sent a message of more than the 134217728 bytes that are read',
  )
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
})

/** Passes everything on to a fixture, but for posts to its stream, which get this status; notes what was asked for. */
async function inFrontOf(fixture: HttpFixture, status: number) {
  const seen: string[] = []
  const server = await answering((request, response) => {
    const path = String(request.url).replace(/\?.*/, '')
    seen.push(`${request.method} ${path}`)
    if (request.method === 'POST' && path === '/sse') return void response.writeHead(status).end('<p>no</p>')
    const { method, headers, url = '/' } = request
    const onward = httpRequest(new URL(url, fixture.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
      response.on('close', () => answer.destroy())
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  return { url: new URL('/sse', server.url).href, seen, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

describe('of a server of which the config says no type', () => {
  test.each([400, 404, 405])('HTTP %i leads to HTTP+SSE, where the next start begins', async (status) => {
    await using fixture = await startHttpFixture('echo-server', SSE)
    await using front = await inFrontOf(fixture, status)
    const store = memoryToolLists()
    await using first = reaching(front.url, undefined, { store })
    await startPlugin(first.plugin)
    expect(textOf(await callPlugin(first.plugin, 'progress'))).toBe('done')
    expect(front.seen[0]).toBe('POST /sse')
    await first.plugin.stop()
    front.seen.length = 0
    await using second = reaching(front.url, undefined, { store })
    await startPlugin(second.plugin)
    expect(front.seen[0]).toBe('GET /sse')
    expect(front.seen).not.toContain('POST /sse')
  })

  test('what was remembered of it is forgotten when it has learned Streamable HTTP', async () => {
    const store = memoryToolLists()
    await using fixture = await startHttpFixture('echo-server', SSE)
    const { url } = fixture
    await using under = reaching(url, undefined, { store })
    await startPlugin(under.plugin)
    await under.plugin.stop()
    await fixture.stop()
    // It takes posts under every path, and has no stream for whoever has no session.
    await using _newer = await startHttpFixture('echo-server', ['--era', 'legacy'], Number(new URL(url).port))
    await startPlugin(under.plugin)
    expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
  })

  test('HTTP+SSE is not tried when the config says `http`, or when the answer is another', async () => {
    const seen: unknown[] = []
    await using server = await answering((request, response) => {
      seen.push(request.method)
      response.writeHead(request.url?.startsWith('/mcp') ? 405 : 500).end()
    })
    await using strict = reaching(server.url, 'http')
    await expect(startPlugin(strict.plugin)).rejects.toThrow(/does not take MCP over Streamable HTTP/)
    await using broken = reaching(new URL('/broken', server.url).href, undefined)
    await expect(startPlugin(broken.plugin)).rejects.toThrow(/answered HTTP 500/)
    expect(new Set(seen)).toEqual(new Set(['POST']))
  })

  test.each([
    [405, /does not take MCP over Streamable HTTP \(HTTP 405\)/],
    [401, /asks for credentials \(HTTP 401\)/],
  ])('one that has no stream either (HTTP %i) is told as what it is', async (status, reason) => {
    await using server = await answering((request, response) =>
      response.writeHead(request.method === 'POST' ? 405 : status).end(),
    )
    await using under = reaching(server.url, undefined)
    await expect(startPlugin(under.plugin)).rejects.toThrow(reason)
  })
})

/** A call that broke off may have been done or not, and is told as that; `unavailable` is for what surely was not run. */
import type { ServerResponse } from 'node:http'
import { text as textIn } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answering } from '../fixtures/answering.ts'
import { startHttpFixture } from '../fixtures/fixture.ts'
import { callPlugin, startPlugin } from '../fixtures/plugin-calls.ts'
import { mcpPlugin, stdioPlugin } from './mcp-under-test.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS_TYPE = { 'content-type': 'text/event-stream' }

/** What a server does with a call, by the name of the tool. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  reset: (response) => void response.socket?.destroy(),
  half(response) {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 500 })
    response.write('{"jsonrpc":"2.0",', () => response.socket?.destroy())
  },
  'half-event'(response) {
    response.writeHead(200, EVENTS_TYPE)
    response.write(':hi\n\n', () => response.socket?.destroy())
  },
  'no-event': (response) => void response.writeHead(200, EVENTS_TYPE).end(':hi\n\n'),
  page: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  fault: (response) => void response.writeHead(500).end('boom'),
  gateway: (response) => void response.writeHead(502).end(),
  credentials: (response) => void response.writeHead(401).end(),
  busy: (response) => void response.writeHead(429).end(),
}

const dying = (): ReturnType<typeof answering> =>
  answering((request, response) => {
    void textIn(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body)
      if (id === undefined) return response.writeHead(202).end()
      if (method === 'tools/call') return ANSWERS[params.name]?.(response)
      const tools = Object.keys(ANSWERS).map((name) => ({ name, inputSchema: { type: 'object' } }))
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'dying', version: '1' },
        },
        'tools/list': { tools },
        ping: {},
      }
      const result = results[method]
      const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })

test.each([
  ['reset', 'interrupted'],
  ['half', 'interrupted'],
  ['half-event', 'interrupted'],
  ['no-event', 'interrupted'],
  ['page', 'interrupted'],
  ['fault', 'interrupted'],
  ['gateway', 'interrupted'],
  ['credentials', 'unavailable'],
  ['busy', 'unavailable'],
])('over HTTP a call that is answered with "%s" is %s', async (name, code) => {
  await using server = await dying()
  await using under = mcpPlugin({ transport: 'http', url: server.url, headers: {} })
  await startPlugin(under.plugin)
  await expect(callPlugin(under.plugin, name)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(
      code === 'interrupted'
        ? /^plugin "acme" broke off the call, which may have been done or not: /
        : /^plugin "acme": http/,
    ),
  })
})

test('a call to an HTTP server that is gone surely was not run', async () => {
  const server = await startHttpFixture('echo-server')
  await using under = mcpPlugin({ transport: 'http', url: server.url, headers: {} })
  await startPlugin(under.plugin)
  await server.stop()
  await expect(callPlugin(under.plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
})

test('a call that runs while its server is stopped is interrupted, and one after that surely was not run', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  const running = Promise.withResolvers<void>()
  const waiting = callPlugin(under.plugin, 'wait', {}, { onProgress: () => running.resolve() })
  const failed = expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
  await running.promise
  await under.plugin.stop()
  await failed
  await expect(callPlugin(under.plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
})

/** What a bridge makes of servers that answer what no provider should. */
import { describe, expect, test } from 'vitest'
import type { ToolResult } from '../../packages/callboard/src/plugins/plugin.ts'
import { GOOD_KEY, type Turn } from '../fixtures/model-server.ts'
import { callPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { APIS, startScene } from './ai-under-test.ts'

const TOOLS = ['ai_prompt', 'ai_prompt_stream'] as const

function errorOf({ _meta }: ToolResult): unknown {
  const meta: Record<string, unknown> = { ..._meta }
  return Object(meta['callboard/ai']).error
}

describe.each(APIS)('through the API %s', (api) => {
  test('a stream that just stops is no answer', async () => {
    const { server, plugin } = await startScene(api)
    server.plan({ kind: 'unfinished', pieces: ['half ', 'an answer'] })
    const half = await callPlugin(plugin, 'ai_prompt_stream', { prompt: 'x' })
    expect(errorOf(half)).toEqual({ kind: 'interrupted' })
    server.plan({ kind: 'raw', body: '', type: 'text/event-stream' })
    const none = await callPlugin(plugin, 'ai_prompt_stream', { prompt: 'x' })
    expect(errorOf(none)).toEqual({ kind: 'unreadable' })
    expect(server.requests).toHaveLength(2)
  })

  test.each<[what: string, turn: Turn, kind: string]>([
    ['an empty body', { kind: 'raw', body: '' }, 'unreadable'],
    ['null', { kind: 'raw', body: 'null' }, 'unreadable'],
    ['a page of HTML as a stream', { kind: 'raw', body: '<html></html>', type: 'text/event-stream' }, 'unreadable'],
    ['null as an event', { kind: 'raw', body: 'data: null\n\n', type: 'text/event-stream' }, 'unreadable'],
    ['half of a JSON as an event', { kind: 'raw', body: 'data: {"a\n\n', type: 'text/event-stream' }, 'unreadable'],
    // In its own API the SDK takes this for a fault of the server.
    ['JSON of something else', { kind: 'raw', body: '{"id":"x"}' }, api === 'openai' ? '' : 'unreadable'],
    ['another protocol', { kind: 'bytes', bytes: 'SSH-2.0-OpenSSH_9.9\r\n' }, 'unavailable'],
    [
      'a header without an end',
      { kind: 'bytes', bytes: `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}` },
      'unavailable',
    ],
    ['a status of its own', { kind: 'bytes', bytes: 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n' }, 'unreadable'],
  ])('%s is told in a line that names the provider', async (_, turn, kind) => {
    for (const tool of kind === '' ? [] : TOOLS) {
      const { server, plugin } = await startScene(api, { provider: 'odd' })
      server.usually(turn)
      const result = await callPlugin(plugin, tool, { prompt: 'x' })
      expect(errorOf(result)).toEqual({ kind })
      expect(textOf(result)).toMatch(/^odd \((unreadable|unavailable)\): .{5,400}$/)
    }
  })

  test.each<[retryAfter: string, told: number | undefined]>([
    ['999999999999999999', 30 * 24 * 3_600_000],
    ['3600', 3_600_000],
    [new Date(Date.now() + 48 * 3_600_000).toUTCString(), 48 * 3_600_000],
  ])('a wait of %j is left to the caller', async (retryAfter, told = 0) => {
    const { server, plugin } = await startScene(api)
    server.usually({ kind: 'status', status: 429, headers: { 'retry-after': retryAfter } })
    const error = Object(errorOf(await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })))
    expect(error.kind).toBe('rate_limit')
    expect(Math.abs(error.retryAfterMs - told)).toBeLessThan(60_000)
    expect(server.requests).toHaveLength(1)
  })

  test('a wait that is none is not taken for one, and status 429 without an end is asked three times', async () => {
    const { server, plugin } = await startScene(api)
    for (const headers of [{ 'retry-after': 'Infinity' }, { 'retry-after-ms': '' }, { 'retry-after': '-5' }])
      server.plan({ kind: 'status', status: 429, headers })
    expect(errorOf(await callPlugin(plugin, 'ai_prompt', { prompt: 'x' }))).toEqual({ kind: 'rate_limit', status: 429 })
    expect(server.requests).toHaveLength(3)
  })

  test('an error under status 200 is told, without the key that it repeats', async () => {
    const { server, plugin, lines } = await startScene(api)
    server.plan({ kind: 'raw', body: JSON.stringify({ error: { message: `upstream of ${GOOD_KEY} is gone` } }) })
    const result = await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
    expect(result.isError).toBe(true)
    expect(JSON.stringify([result, lines, plugin.health()])).not.toContain(GOOD_KEY)
    // Its own API has a field for that, whose form this is not.
    if (api === 'openai-compatible') expect(textOf(result)).toContain('it sent an error: upstream of [secret] is gone')
  })

  test('what a provider says is shown in one line, and not in pages', async () => {
    const { server, plugin } = await startScene(api, { provider: 'odd' }, { failures: 1, pauseMs: 60_000 })
    const message = `over\u001b[2J\nloaded\t${'x'.repeat(100_000)} ${GOOD_KEY}`
    server.plan({ kind: 'status', status: 503, message, headers: { 'retry-after': '3600' } })
    const told = textOf(await callPlugin(plugin, 'ai_prompt', { prompt: 'x' }))
    const { reason = '' } = plugin.health()
    for (const text of [told, reason]) {
      expect(text).toContain('over [2J loaded xxx')
      expect(text.length).toBeLessThan(800)
    }
  })

  test('a schema that can not be checked is refused before anything is sent', async () => {
    const { server, plugin } = await startScene(api)
    for (const $ref of ['#/x', 'https://example.com/x'])
      await expect(
        callPlugin(plugin, 'ai_prompt', { prompt: 'x', schema: { type: 'object', $ref } }),
      ).rejects.toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining("`schema` can't be used: "),
      })
    expect(server.requests).toEqual([])
  })
})

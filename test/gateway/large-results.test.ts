/** Large results pass through the real command, from every kind of server to every kind of client, as they were sent. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../fixtures/fixture.ts'
import { call, initialize, modernCall, type RawRequest, raw } from '../http/surface.ts'
import { connect, createSite, ERAS, type Serving, type Site } from './callboard.ts'

// The SDK's client reads a long line in time that grows with the square of its length.
vi.setConfig({ testTimeout: 90_000 })

/** About a megabyte. */
const TIMES = 40_000
const PLUGINS = ['process', 'http', 'stream'] as const

let fixtures: readonly HttpFixture[]
let site: Site
let serving: Serving

beforeAll(async () => {
  fixtures = await Promise.all([startHttpFixture('echo-server'), startHttpFixture('echo-server', ['--sse'])])
  const [plain, streaming] = fixtures.map(({ url }) => url)
  site = createSite({
    process: { mcp: fixtureCommand('echo-server') },
    http: { mcp: { url: plain } },
    stream: { mcp: { url: streaming } },
  })
  serving = await site.serve()
})

afterAll(async () => {
  await site[Symbol.asyncDispose]()
  for (const fixture of fixtures) await fixture.stop()
})

const lines = 'a "line" of täxt 🎭\n\t\\'.repeat(TIMES)
const filling = { content: [{ type: 'text', text: lines }], beside: { lines: [lines], n: [1.5e300, -0.1] } }

/** What the fixture sends, as a client of this era is to get it. */
const expected = {
  empty: () => filling,
  error: () => ({
    ...filling,
    content: [{ type: 'text', text: 'the disk is full' }, ...filling.content],
    isError: true,
  }),
  structured: (era: string) => ({
    ...filling,
    content: [{ type: 'text', text: '[1,2]' }, ...filling.content],
    structuredContent: era === 'legacy' ? { result: [1, 2] } : [1, 2],
  }),
}
const KINDS = Object.keys(expected) as (keyof typeof expected)[]

describe.each(ERAS)('to a client of the %s era', (era) => {
  test.each(['http', 'stdio'] as const)('over %s, by its own name and through call_mcp_tool', async (way) => {
    const client = await connect(era, way === 'http' ? { url: serving.url } : { stdio: site.stdio })
    try {
      for (const plugin of PLUGINS)
        for (const kind of KINDS) {
          const params = { name: `${plugin}_large`, arguments: { kind, times: TIMES } }
          expect(await client.request({ method: 'tools/call', params })).toMatchObject(expected[kind](era))
          const through = { name: 'call_mcp_tool', arguments: { tool_name: params.name, arguments: params.arguments } }
          expect(await client.request({ method: 'tools/call', params: through })).toMatchObject(expected[kind](era))
        }
    } finally {
      await client.close()
    }
  })
})

/** Sends the request and answers with the message that answers it, also where that came as an event. */
async function answerTo(request: RawRequest): Promise<{ readonly result: unknown; readonly streamed: boolean }> {
  const { text, headers } = await raw(serving.url, request)
  const streamed = String(headers['content-type']).startsWith('text/event-stream')
  const data = streamed ? text.slice(text.lastIndexOf('data: ') + 'data: '.length) : text
  return { result: JSON.parse(data).result, streamed }
}

describe.each(PLUGINS)('from %s', (plugin) => {
  test('fields and content that nobody knows, and _meta, come along', async () => {
    const { result } = await answerTo(modernCall(`${plugin}_large`, { kind: 'content', times: TIMES }))
    expect(result).toMatchObject({ resultType: 'complete', future: { field: true }, beside: filling.beside })
    expect(result).toHaveProperty(['_meta', 'acme.example/trace'], { a: [1, null] })
    expect(result).toHaveProperty(['_meta', 'io.modelcontextprotocol/serverInfo', 'name'], 'callboard')
    expect(result).toHaveProperty(['content', 5], { type: 'hologram', depth: 3 })
  })

  test('after progress, and in a batch, the answer comes as in any other case', async () => {
    const { headers } = await raw(serving.url, { body: initialize })
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const large = call('large', `${plugin}_large`, { times: TIMES })
    const params = { ...Object(large.params), _meta: { progressToken: 7 } }
    const streamed = await answerTo({ headers: session, body: { ...large, params } })
    expect(streamed).toEqual({ streamed: true, result: filling })
    const { text } = await raw(serving.url, { headers: session, body: [large, call('small', `${plugin}_echo`)] })
    const answers: { readonly id: string; readonly result: unknown }[] = JSON.parse(text)
    expect(answers.map(({ id }) => id).sort()).toEqual(['large', 'small'])
    expect(answers.find(({ id }) => id === 'large')?.result).toEqual(filling)
  })
})

/** `tools/list` over HTTP from kept bytes: what a client reads is what the SDK's server would have written. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { SERVER_INFO } from '../../packages/callboard/src/surfaces/mcp/bare-server.ts'
import { callTool } from '../../packages/callboard/src/surfaces/mcp/call-tool.ts'
import { EncodedPages } from '../../packages/callboard/src/surfaces/mcp/encoded-pages.ts'
import type { ServerContext } from '../../packages/callboard/src/surfaces/mcp/http/server-context.ts'
import type { ToolCalls } from '../../packages/callboard/src/surfaces/mcp/http/tool-calls.ts'
import { listTools } from '../../packages/callboard/src/surfaces/mcp/list-tools.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import { type HostDouble, hostDouble, ScriptedPlugin, type ScriptedTool } from '../mcp/host-double.ts'
import { initialize, open, type RawAnswer, raw, startSurface, until } from './surface.ts'

const TOOLS: readonly ScriptedTool[] = [
  { name: 'plain', description: 'Says “grüezi”\n\u2028', title: 'Plain' },
  {
    name: 'array',
    outputSchema: { type: 'array', items: { $ref: '#/$defs/one' }, $defs: { one: { type: 'string' } } },
  },
  { name: 'typeless', outputSchema: { anyOf: [{ type: 'object' }, { type: 'null' }] } },
  { name: 'object', outputSchema: { type: 'object', properties: { x: { type: 'number' } } } },
  {
    name: 'listed',
    listed: { name: 'listed', inputSchema: { type: 'object' }, icons: [{ src: 'a:b' }], future: { a: [1] } },
  },
  ...Array.from({ length: 600 }, (_, i) => ({ name: `many_${i}`, readOnly: i % 2 === 0 })),
]

const ABOUT = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }

interface Stage {
  readonly double: HostDouble
  readonly url: string
  /** How often a list was given past the SDK's server. */
  given(): number
}

/** A surface that keeps bytes, or one on which every list is the SDK's own. */
async function stage(keeps: boolean, double: HostDouble): Promise<Stage> {
  const options = ({ caller, ...context }: ServerContext) => ({ ...context, user: caller.user, expose: 'all' as const })
  const pages = new EncodedPages()
  let given = 0
  const toolCalls: ToolCalls = {
    serverInfo: SERVER_INFO,
    call: (request, context, mcpReq) =>
      callTool({ host: double.host, options: options(context), request, ctx: { mcpReq } }),
    ...(keeps && {
      list: (request, context, { signal, session }) => {
        given += 1
        const list = { host: double.host, pages, options: options(context), request, signal }
        return listTools({ ...list, ...(session && { session }) })
      },
    }),
  }
  const subject = await startSurface({
    toolCalls,
    createServer: (context) => createMcpServer(double.host, options(context)),
  })
  onTestFinished(() => subject[Symbol.asyncDispose]())
  return { double, url: subject.url, given: () => given }
}

async function session(url: string, version: string): Promise<Record<string, string>> {
  const body = { ...initialize, params: { ...initialize.params, protocolVersion: version } }
  const { headers } = await raw(url, { body })
  return { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': version }
}

const list = (params?: unknown, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/list',
  ...(params !== undefined && { params }),
})

/** What the answer says, without the order of its fields, in which no client reads anything. */
const told = ({ status, headers, text }: RawAnswer) => ({
  status,
  type: headers['content-type'],
  body: JSON.parse(text),
})

async function both(): Promise<readonly [kept: Stage, own: Stage]> {
  const double = await hostDouble([new ScriptedPlugin('lab', TOOLS)])
  return [await stage(true, double), await stage(false, double)]
}

/** Every page from the first one on, as the client of that url is told. */
async function pagesOf(
  { url }: Stage,
  headers: Record<string, string>,
  extra: Record<string, unknown> | undefined,
): Promise<ReturnType<typeof told>[]> {
  const pages: ReturnType<typeof told>[] = []
  let cursor: unknown
  do {
    const params =
      extra === undefined && cursor === undefined ? undefined : { ...extra, ...(cursor !== undefined && { cursor }) }
    const page = told(await raw(url, { headers, body: list(params, `page ${pages.length}`) }))
    pages.push(page)
    cursor = page.body.result.nextCursor
  } while (cursor !== undefined)
  return pages
}

describe('every page of the list', () => {
  it.each(['2025-11-25', '2025-06-18', '2024-11-05'])(
    'is to a session of %s what it is without kept bytes',
    async (version) => {
      const [kept, own] = await both()
      const expected = await pagesOf(own, await session(own.url, version), undefined)
      const headers = await session(kept.url, version)
      expect(expected).toHaveLength(3)
      for (let round = 0; round < 2; round += 1) expect(await pagesOf(kept, headers, undefined)).toEqual(expected)
      expect(kept.given()).toBe(6)
    },
  )

  it('is to a client of 2026-07-28 what it is without kept bytes', async () => {
    const [kept, own] = await both()
    const expected = await pagesOf(own, MODERN, { _meta: ABOUT })
    for (let round = 0; round < 2; round += 1) expect(await pagesOf(kept, MODERN, { _meta: ABOUT })).toEqual(expected)
    expect(kept.given()).toBe(6)
  })

  it('is in one answer among others in a batch', async () => {
    const [kept, own] = await both()
    const answers = await Promise.all(
      [kept, own].map(async ({ url }) => {
        const headers = await session(url, '2025-03-26')
        return told(await raw(url, { headers, body: [list(undefined, 7), { jsonrpc: '2.0', id: 8, method: 'ping' }] }))
      }),
    )
    const sorted = answers.map(({ body, ...rest }) => ({
      ...rest,
      body: body.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id),
    }))
    expect(sorted[0]).toEqual(sorted[1])
  })
})

describe('a cursor that is none', () => {
  it.each([[{ cursor: 'nonsense' }], [{ cursor: 5 }], [{ cursor: '' }]])(
    '%j is refused as the SDK’s server does',
    async (params) => {
      const [kept, own] = await both()
      const [mine, theirs] = await Promise.all(
        [kept, own].map(async ({ url }) => {
          const legacy = await raw(url, { headers: await session(url, '2025-11-25'), body: list(params) })
          await raw(url, { headers: MODERN, body: list({ _meta: ABOUT }) })
          const modern = await raw(url, { headers: MODERN, body: list({ ...params, _meta: ABOUT }) })
          return [legacy, modern].map(told)
        }),
      )
      expect(mine).toEqual(theirs)
      expect(mine?.[0]?.body.error).toMatchObject({ code: -32602 })
    },
  )
})

describe('after a change', () => {
  it('the list is the new one at once, for both eras', async () => {
    const double = await hostDouble([new ScriptedPlugin('lab', [{ name: 'before' }])])
    const { url } = await stage(true, double)
    const headers = await session(url, '2025-11-25')
    const names = async () => {
      const legacy = told(await raw(url, { headers, body: list() }))
      const modern = told(await raw(url, { headers: MODERN, body: list({ _meta: ABOUT }) }))
      return [legacy, modern].map(({ body }) => body.result.tools.map(({ name }: { name: string }) => name))
    }
    for (const listed of [...(await names()), ...(await names())]) expect(listed).toContain('lab_before')
    double.setPlugins([new ScriptedPlugin('lab', [{ name: 'after' }])])
    for (const listed of await names()) {
      expect(listed).toContain('lab_after')
      expect(listed).not.toContain('lab_before')
    }
  })

  it('a session that was given kept bytes is told, and once it has seen the change not again', async () => {
    const double = await hostDouble([new ScriptedPlugin('lab', [{ name: 'a' }])])
    const { url } = await stage(true, double)
    const headers = await session(url, '2025-11-25')
    const stream = await open(url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } })
    onTestFinished(() => void stream.destroy())
    let heard = ''
    stream.on('data', (chunk) => {
      heard += chunk
    })
    const notices = () => heard.split('notifications/tools/list_changed').length - 1
    await raw(url, { headers, body: list() })
    double.setPlugins([new ScriptedPlugin('lab', [{ name: 'b' }])])
    await until(() => notices() === 1)
    await raw(url, { headers, body: list() })
    // Seen already: only the next one is news.
    double.setPlugins([new ScriptedPlugin('lab', [{ name: 'b' }])])
    double.setPlugins([new ScriptedPlugin('lab', [{ name: 'c' }])])
    await until(() => notices() === 2)
  })
})

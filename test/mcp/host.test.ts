/** From an SDK client of either era through the whole host to real MCP servers, and back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Expose } from '../../packages/callboard/src/config/config.ts'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import type { CallRecord } from '../../packages/callboard/src/invoke/call-record.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { legacyClient, modernRequest } from './raw-client.ts'

const EVERYTHING = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')

let host: Host
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'callboard-mcp-'))
  const data = {
    dataDir,
    plugins: {
      everything: { mcp: { command: process.execPath, args: [EVERYTHING, 'stdio'] } },
      echo: { mcp: fixtureCommand('echo-server') },
      modern: { mcp: fixtureCommand('echo-server', '--era', 'modern') },
      changing: { mcp: fixtureCommand('changing-server') },
      paged: { mcp: fixtureCommand('paged-server') },
    },
  }
  const secrets = new Secrets()
  const config = loadConfig({ data, cwd: dataDir, env: process.env, secrets })
  host = await createHost({ config, secrets, log: createLog(secrets, 'silent') })
  await host.start()
})

afterAll(async () => {
  await host[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true })
})

type Era = 'legacy' | 'modern'
const ERAS: readonly Era[] = ['legacy', 'modern']

async function connect(era: Era, offer: { expose?: Expose; only?: string } = {}): Promise<Client> {
  const make = () => createMcpServer(host, { user: 'owner', era, expose: 'catalog', ...offer })
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  if (era === 'legacy') {
    const [mine, theirs] = InMemoryTransport.createLinkedPair()
    await Promise.all([make().connect(theirs), client.connect(mine)])
    return client
  }
  const handler = createMcpHandler(make, { legacy: 'reject' })
  onTestFinished(() => handler.close())
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }))
  return client
}

describe.each(ERAS)('a %s client', (era) => {
  it('finds, looks at and calls a tool of a real server with the four', async () => {
    const client = await connect(era)
    expect((await client.listTools()).tools).toHaveLength(4)
    const found = await client.callTool({
      name: 'search_mcp_tools',
      arguments: { query: 'sum of two numbers', limit: 1 },
    })
    expect(found.structuredContent).toMatchObject({ tools: [{ name: 'everything_get-sum', required: ['a', 'b'] }] })
    const shown = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'everything_get-sum' } })
    expect(shown.structuredContent).toMatchObject({ schema: { required: ['a', 'b'] } })
    const args = { tool_name: 'everything_get-sum', arguments: { a: 2, b: 3 } }
    const { content } = await client.callTool({ name: 'call_mcp_tool', arguments: args })
    expect(content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }])
  })

  it('gets every tool of a server that pages, with expose', async () => {
    const { tools } = await (await connect(era, { expose: ['paged_*'] })).listTools()
    expect(tools.filter(({ name }) => name.startsWith('paged_'))).toHaveLength(78)
  })

  it('sees one server as it is with only', async () => {
    const client = await connect(era, { only: 'everything' })
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'get-sum')).toMatchObject({ title: 'Get Sum Tool' })
    const { content } = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }])
  })

  it('is told what arguments would be right, directly and through call_mcp_tool', async () => {
    const client = await connect(era)
    const bad = { a: 'two', b: 3 }
    const direct = await client.callTool({ name: 'everything_get-sum', arguments: bad })
    const args = { tool_name: 'everything_get-sum', arguments: bad }
    const relayed = await client.callTool({ name: 'call_mcp_tool', arguments: args })
    for (const { isError, content } of [direct, relayed]) {
      expect(isError).toBe(true)
      expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\ba\b.*number/s) }])
    }
  })

  it('gets numbers brought into range, and wrong types explained', async () => {
    const client = await connect(era)
    const list = (limit: unknown) => client.callTool({ name: 'list_mcp_tools', arguments: { limit } })
    expect((await list(500)).structuredContent).toMatchObject({ limit: 200, notes: [expect.stringContaining('500')] })
    expect((await list(0)).structuredContent).toMatchObject({ limit: 50 })
    expect(await list('ten')).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('limit') }] })
  })

  it('gets progress of the server, each step once', async () => {
    const client = await connect(era)
    const steps: unknown[] = []
    await client.callTool(
      { name: 'call_mcp_tool', arguments: { tool_name: 'echo_progress', arguments: { steps: 5 } } },
      { onprogress: (step) => steps.push(step) },
    )
    expect(steps).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5, message: `step ${progress}` })))
  })

  it('cancels a call at the server', async () => {
    const client = await connect(era)
    const before = await client.callTool({ name: 'echo_cancelled', arguments: {} })
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const call = client.callTool(
      { name: 'call_mcp_tool', arguments: { tool_name: 'echo_wait', arguments: {} } },
      { signal: stop.signal, onprogress: () => begun.resolve() },
    )
    const rejected = expect(call).rejects.toThrow()
    await begun.promise
    stop.abort()
    await rejected
    await expect
      .poll(async () => (await client.callTool({ name: 'echo_cancelled', arguments: {} })).content)
      .not.toEqual(before.content)
  })

  it('leaves one record of a call through call_mcp_tool, of the tool that ran', async () => {
    const client = await connect(era)
    const records: CallRecord[] = []
    onTestFinished(host.onCall((record) => records.push(record)))
    await client.callTool({
      name: 'call_mcp_tool',
      arguments: { tool_name: 'everything_echo', arguments: { message: 'x' } },
    })
    await client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: 'nope' } })
    expect(records).toMatchObject([
      { tool: 'plugin:everything:echo', outcome: 'ok', via: 'call_mcp_tool' },
      { tool: 'nope', outcome: 'unknown', via: 'call_mcp_tool' },
    ])
  })
})

describe('an answer of a server', () => {
  it.each(['echo', 'modern'])('of %s arrives as it was sent, whatever it holds', async (plugin) => {
    const client = await legacyClient(createMcpServer(host, { user: 'owner', era: 'legacy', expose: 'catalog' }))
    onTestFinished(() => client.close())
    const direct = await client.request('tools/call', { name: `${plugin}_odd`, arguments: { kind: 'content' } })
    const args = { tool_name: `${plugin}_odd`, arguments: { kind: 'content' } }
    const relayed = await client.request('tools/call', { name: 'call_mcp_tool', arguments: args })
    expect(direct.result).toMatchObject({
      content: { 5: { type: 'hologram', depth: 3 } },
      _meta: { 'acme.example/trace': { a: [1, null] } },
      future: { field: true },
    })
    expect(JSON.stringify(relayed.result)).toBe(JSON.stringify(direct.result))
  })

  it.each(['echo', 'modern'])('of %s that is a JSON-RPC error arrives exactly', async (plugin) => {
    const params = { name: `${plugin}_odd`, arguments: { kind: 'fault' } }
    const make = () => createMcpServer(host, { user: 'owner', era: 'modern', expose: 'catalog' })
    const expected = { code: -32050, message: 'quota exceeded', data: { retryAfter: 30, deep: { list: [1, null] } } }
    expect((await modernRequest(make, 'tools/call', params)).error).toEqual(expected)
    const inner = { name: 'call_mcp_tool', arguments: { tool_name: params.name, arguments: params.arguments } }
    expect((await modernRequest(make, 'tools/call', inner)).error).toEqual(expected)
  })

  it('is preceded by the _meta that the client sent, but for its progress token', async () => {
    const client = await legacyClient(createMcpServer(host, { user: 'owner', era: 'legacy', expose: 'catalog' }))
    onTestFinished(() => client.close())
    const _meta = { progressToken: 'mine', traceparent: '00-1', 'com.example/a': { b: 1 } }
    const args = { tool_name: 'echo_echo', arguments: { c: 2 } }
    const { result } = await client.request('tools/call', { name: 'call_mcp_tool', arguments: args, _meta })
    const content = Array.isArray(result?.content) ? result.content : []
    const seen = JSON.parse(content[0].text)
    expect(seen.arguments).toEqual({ c: 2 })
    expect(seen.meta).toMatchObject({ traceparent: '00-1', 'com.example/a': { b: 1 } })
    expect(seen.meta.progressToken).not.toBe('mine')
  })
})

it('a client is told when the tools of a server are others, and sees them', async () => {
  const client = await connect('legacy', { expose: ['changing_*'] })
  const told = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve())
  await client.listTools()
  await client.callTool({ name: 'changing_grow', arguments: { count: 2 } })
  await told.promise
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('changing_extra-2')
})

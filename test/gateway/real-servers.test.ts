/** The quickstart as it is served: real MCP servers behind the command, real SDK clients of both eras in front, on both ways in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, createSite, ERAS, type Serving, type Site, textOf } from './callboard.ts'

const modules = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol')
const files = join(import.meta.dirname, '../../examples/quickstart/files')
const server = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(modules, `server-${name}/dist/index.js`), ...args],
})

let site: Site
let serving: Serving

beforeAll(async () => {
  site = createSite({
    everything: { mcp: server('everything', 'stdio') },
    filesystem: { mcp: server('filesystem', files) },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the config expands it
    memory: { mcp: { ...server('memory'), env: { MEMORY_FILE_PATH: '${callboard:dataDir}/memory.jsonl' } } },
  })
  serving = await site.serve()
  await Promise.all(['everything', 'filesystem', 'memory'].map((id) => serving.prints(new RegExp(`${id} +up`))))
})

afterAll(() => site[Symbol.asyncDispose]())

const ways = ERAS.flatMap((era) => (['HTTP', 'stdio'] as const).map((way) => [era, way] as const))

describe.each(ways)('a %s client over %s', (era, way) => {
  let client: Client

  beforeAll(async () => {
    client = await connect(era, way === 'HTTP' ? serving : site)
  })

  afterAll(() => client.close())

  const call = (tool: string, args: Record<string, unknown>) =>
    client.callTool({ name: 'call_mcp_tool', arguments: { tool_name: tool, arguments: args } })

  it('sees the four tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'call_mcp_tool',
      'get_mcp_tool',
      'list_mcp_tools',
      'search_mcp_tools',
    ])
  })

  it('calls server-everything, directly and through call_mcp_tool', async () => {
    expect(textOf(await call('everything_get-sum', { a: 2, b: 40 }))).toBe('The sum of 2 and 40 is 42.')
    expect(textOf(await client.callTool({ name: 'everything_echo', arguments: { message: 'hi' } }))).toBe('Echo: hi')
  })

  it('reads a file through server-filesystem', async () => {
    const path = join(files, 'opening-night.md')
    expect(textOf(await call('filesystem_read_text_file', { path }))).toBe(readFileSync(path, 'utf8'))
  })

  it('gets structured content of server-memory', async () => {
    const { structuredContent } = await call('memory_read_graph', {})
    expect(structuredContent).toEqual({ entities: [], relations: [] })
  })

  it('finds a tool from a sentence and reads its schema', async () => {
    const found = await client.callTool({ name: 'search_mcp_tools', arguments: { query: 'add two numbers', limit: 3 } })
    expect(found.structuredContent).toHaveProperty(['tools', 0, 'name'], 'everything_get-sum')
    const shown = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'everything_get-sum' } })
    expect(JSON.stringify(shown.structuredContent)).toContain('"b"')
  })
})

it('answers a request that brings no token with 401 where tokens are asked for', async () => {
  await using closed = createSite({}, { http: { listen: '127.0.0.1:0', auth: 'tokens' } })
  const { url, prints } = await closed.serve()
  await prints(/note: .*no token lets anybody in/)
  const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toContain('Bearer')
})

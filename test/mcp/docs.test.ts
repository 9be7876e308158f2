/** Asks what docs/mcp.md asks, of the servers that it names, and compares the answers. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { connectLines } from '../../packages/callboard/src/surfaces/cli/connect-lines.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import { offerOverHttp } from '../../packages/callboard/src/surfaces/mcp/offer-over-http.ts'
import { readPage, writeProject } from '../page-project.ts'
import { legacyClient, type RawClient } from './raw-client.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8')

interface Block {
  readonly kind: string
  readonly text: string
}

/** The fenced blocks of the page, in order. */
const blocks: readonly Block[] = [...page.matchAll(/^(`{3,})(.*)\n([\s\S]*?)\n\1$/gm)].map(
  ([, , kind = '', text = '']) => ({
    kind,
    text,
  }),
)

interface Example {
  readonly params: Readonly<Record<string, unknown>>
  readonly answer: string
  readonly structured: { readonly tools: readonly unknown[] } | undefined
}

const examples: readonly Example[] = blocks.flatMap(({ kind, text }, index) => {
  if (kind !== 'json call') return []
  const [answer, structured] = blocks.slice(index + 1)
  return {
    params: JSON.parse(text),
    answer: answer?.kind === 'text answer' ? answer.text : '',
    structured: structured?.kind === 'json structured' ? JSON.parse(structured.text) : undefined,
  }
})

let host: Host
let client: RawClient
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-docs-'))
  const secrets = new Secrets()
  const file = join(ROOT, 'examples/quickstart/callboard.yaml')
  const config = loadConfig({ file, cwd: ROOT, env: { ...process.env, XDG_DATA_HOME: folder }, secrets })
  host = await createHost({
    config: { ...config, http: { ...config.http, port: 0 } },
    secrets,
    log: createLog(secrets, 'silent'),
  })
  await host.start()
  client = await legacyClient(createMcpServer(host, { user: 'owner', era: 'legacy', expose: 'catalog' }))
})

afterAll(async () => {
  await client.close()
  await host[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('the clients by hand of docs/mcp.md', () => {
  const PRINTED = 'http://127.0.0.1:2255/mcp'
  let surface: Awaited<ReturnType<typeof offerOverHttp>>
  beforeAll(async () => {
    surface = await offerOverHttp(host, {})
  })
  afterAll(() => surface.close())

  const shells = blocks.flatMap(({ kind, text }) => (kind === 'sh' && text.includes('curl') ? [text] : []))

  it('are one of each era', () => expect(shells.map((text) => text.includes('2026-07-28'))).toEqual([true, false]))

  it.each(shells.keys().toArray())('find the tool (%i)', async (nth) => {
    const text = shells[nth] ?? ''
    const { stdout } = await promisify(execFile)('sh', ['-ec', text.replaceAll(PRINTED, surface.url)])
    const answer = stdout.startsWith('{') ? stdout : stdout.slice(stdout.indexOf('data: ') + 'data: '.length)
    expect(JSON.parse(answer).result.structuredContent.tools[0].name).toBe('everything_get-sum')
  })

  it('and the program of the SDK finds it too', async () => {
    const project = readPage('docs/mcp.md')
    const files = project.files.map(({ name, text }) => ({ name, text: text.replaceAll(PRINTED, surface.url) }))
    const here = join(folder, 'program')
    mkdirSync(here)
    writeProject({ ...project, files }, here)
    const { stdout } = await promisify(execFile)(process.execPath, ['client.ts'], { cwd: here })
    expect(stdout).toContain('everything_get-sum')
  })
})

describe('docs/mcp.md', () => {
  it('has an example of each of the four', () => {
    const names = examples.map(({ params }) => params.name)
    expect(new Set(names)).toEqual(new Set(['search_mcp_tools', 'get_mcp_tool', 'call_mcp_tool', 'list_mcp_tools']))
  })

  it.each(examples)('shows what is answered to $params', async ({ params, answer, structured }) => {
    const { result } = await client.request('tools/call', params)
    expect(result?.content).toEqual([{ type: 'text', text: answer }])
    if (structured === undefined) return
    const [first] = structured.tools
    expect(result?.structuredContent).toMatchObject({ ...structured, tools: { 0: first } })
  })

  it('connects clients as `callboard serve` says', () => {
    for (const [name, line] of connectLines('http://127.0.0.1:2255/mcp', 'none')) {
      const shown = name === 'Cursor' ? line.slice(line.indexOf('{')) : line
      const known = blocks.map(({ kind, text }) => (kind === 'json' ? JSON.stringify(JSON.parse(text)) : text))
      expect(known).toContain(shown)
    }
  })

  it('starts a Callboard of the clone from any folder', async () => {
    const shown = blocks.find(({ kind, text }) => kind === 'json' && text.includes('--prefix'))?.text ?? ''
    const { command, args } = JSON.parse(shown).mcpServers.callboard
    expect(page).toContain(`claude mcp add callboard -- ${command} ${args.join(' ')}\n`)
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'))
    const config = join(elsewhere, 'callboard.yaml')
    writeFileSync(config, 'dataDir: data\nplugins: {}\n')
    const places: Record<string, string> = { '/path/to/clone': ROOT, '/home/me/callboard.yaml': config }
    const words = args.map((word: string) => places[word] ?? word)
    const cloned = new Client({ name: 'test', version: '1.0.0' })
    await cloned.connect(new StdioClientTransport({ command, args: words, cwd: elsewhere, stderr: 'ignore' }))
    expect(cloned.getServerVersion()?.name).toBe('callboard')
    await cloned.close()
  })
})

/** While an application that uses Callboard as a library gets a result of a hundred megabytes, it has a turn all the time. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHost, type Host, loadConfig, type ToolResult } from '../../packages/callboard/src/index.ts'
import { fixtureCommand, type HttpFixture, startHttpFixture } from '../fixtures/fixture.ts'
import { longestTurn } from '../fixtures/longest-turn.ts'

const BYTES = 100_000_000
// A process makes a hundred megabytes and this one reads them, which a busy machine lets wait.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

/** What a turn may take of the processor. */
const TURN_MS = 50

let dataDir: string
let server: HttpFixture
let host: Host

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'callboard-library-'))
  server = await startHttpFixture('rows-server', ['--sse'])
  const plugins = { process: { mcp: fixtureCommand('rows-server') }, http: { mcp: { url: server.url } } }
  host = await createHost({ config: loadConfig({ data: { dataDir, plugins } }) })
  await host.start()
})

afterAll(async () => {
  await host[Symbol.asyncDispose]()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The three ways to a result that an application has. */
const WAYS: [string, (name: string) => { readonly name: string; readonly around?: string }][] = [
  ['from a process', (name) => ({ name: `process_${name}` })],
  ['from a server over HTTP', (name) => ({ name: `http_${name}` })],
  ['through call_mcp_tool', (name) => ({ name: `process_${name}`, around: 'call_mcp_tool' })],
]

function ask(
  { name, around }: { readonly name: string; readonly around?: string },
  bytes: number,
): Promise<ToolResult> {
  const run = { name: around ?? name, arguments: around ? { tool_name: name, arguments: { bytes } } : { bytes } }
  return host.invoker.run({ ...run, user: 'owner' })
}

/** The longest turn while it comes, once everything has run with less. */
async function costOf(tool: Parameters<typeof ask>[0], lengthOf: (result: ToolResult) => number): Promise<number> {
  for (let round = 0; round < 3; round++) await ask(tool, 2_000_000)
  let length = 0
  const longestMs = await longestTurn(async () => {
    length = lengthOf(await ask(tool, BYTES))
  })
  expect(length).toBeGreaterThan(BYTES / 200)
  return longestMs
}

test.each(WAYS)('it is a text, %s', async (_, toolNamed) => {
  const lengthOf = ({ content: [block] }: ToolResult): number =>
    typeof block?.text === 'string' ? block.text.length : 0
  expect(await costOf(toolNamed('text'), lengthOf)).toBeLessThan(TURN_MS)
})

test.each(WAYS)('it is rows in structuredContent, %s', async (_, toolNamed) => {
  const lengthOf = ({ structuredContent }: ToolResult): number => {
    const { rows }: { rows?: unknown } = Object(structuredContent)
    return Array.isArray(rows) ? rows.length : 0
  }
  expect(await costOf(toolNamed('rows'), lengthOf)).toBeLessThan(TURN_MS)
})

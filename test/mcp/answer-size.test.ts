/** Measures what a hit of a search costs a model, on the tool lists of real servers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import { legacyClient } from './raw-client.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The Markdown of a search that every tool of the quickstart's servers matches. */
async function answerOfAll(folder: string): Promise<string> {
  const secrets = new Secrets()
  const file = join(ROOT, 'examples/quickstart/callboard.yaml')
  const config = loadConfig({ file, cwd: ROOT, env: { ...process.env, XDG_DATA_HOME: folder }, secrets })
  const host = await createHost({ config, secrets, log: createLog(secrets, 'silent') })
  try {
    await host.start()
    const client = await legacyClient(createMcpServer(host, { user: 'owner', era: 'legacy', expose: 'catalog' }))
    const params = { name: 'search_mcp_tools', arguments: { query: 'e', limit: 200 } }
    return JSON.stringify((await client.request('tools/call', params)).result?.content)
  } finally {
    await host[Symbol.asyncDispose]()
  }
}

test('a hit takes fewer than sixty tokens, as the median over the lists of three servers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-hits-'))
  try {
    const rows = (await answerOfAll(folder)).split('\\n').filter((line) => line.startsWith('| `'))
    expect(rows.length).toBeGreaterThan(30)
    const tokens = rows.map((row) => countTokens(row)).sort((a, b) => a - b)
    expect(tokens[tokens.length >> 1]).toBeLessThan(60)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

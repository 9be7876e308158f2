/** How often an application's gate is asked for one request over MCP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, createLog, type Gate, loadConfig } from 'callboard'
import { expect, onTestFinished, test } from 'vitest'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { legacyClient } from '../mcp/raw-client.ts'

const SILENT = createLog(new Secrets(), 'silent')

test.each([
  ['of serve --only', { only: 'echo' }, 'odd'],
  ['by public name', {}, 'echo_odd'],
])('a call %s whose result a legacy client needs wrapped asks once about each permission', async (_, options, name) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-gate-'))
  const config = loadConfig({ data: { dataDir, plugins: { echo: { mcp: fixtureCommand('echo-server') } } } })
  const asked: string[] = []
  const gate: Gate = {
    async allows(user, permission) {
      asked.push(`${user} ${permission}`)
      return true
    },
  }
  const host = await createHost({ config, gate, log: SILENT })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  const server = createMcpServer(host, { user: 'ana', era: 'legacy', expose: 'all', ...options })
  const client = await legacyClient(server)
  onTestFinished(() => client.close())
  const { result } = await client.request('tools/call', { name, arguments: { kind: 'structured' } })
  expect(result?.structuredContent).toEqual({ result: [1, 2] })
  expect(asked).toContain('ana echo.odd')
  expect(asked.length).toBe(new Set(asked).size)
})

test.each(['tools/list', 'tools/call'])('what a gate throws is for the log alone, at %s too', async (method) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-gate-'))
  const config = loadConfig({ data: { dataDir, plugins: { echo: { mcp: fixtureCommand('echo-server') } } } })
  const gate: Gate = {
    allows() {
      throw new Error('the database at db.example is down')
    },
  }
  const host = await createHost({ config, gate, log: SILENT })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  const client = await legacyClient(createMcpServer(host, { user: 'ana', era: 'legacy', expose: 'all' }))
  onTestFinished(() => client.close())
  const { error } = await client.request(method, { name: 'echo_odd' })
  expect(error).toEqual({ code: -32603, message: 'internal error; see the log of the callboard' })
})

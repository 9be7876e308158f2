/** Callboard as an application uses it: by the name of the package, with its own gate. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, type Gate, type Host, loadConfig } from 'callboard'
import { expect, onTestFinished, test } from 'vitest'
import { fixtureCommand } from './fixtures/fixture.ts'

async function hostOf(plugins: Readonly<Record<string, unknown>>, gate?: Gate): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-library-'))
  const config = loadConfig({ data: { dataDir, plugins } })
  const host = await createHost({ config, ...(gate !== undefined && { gate }) })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  return host
}

test('a host finds, shows and calls the tools of a server', async () => {
  const host = await hostOf({ echo: { mcp: fixtureCommand('echo-server') } })
  const view = await host.view('owner', 'mcp')
  const [first] = view.searchCatalog('echo')
  expect(first).toMatchObject({ name: 'echo_echo', pluginId: 'echo', category: 'external', providers: [] })
  expect(JSON.parse(view.getCatalogEntry('echo_echo')?.schema ?? '')).toHaveProperty('type', 'object')
  const byName = await host.invoker.run({ name: 'echo_echo', arguments: { message: 'hi' }, user: 'owner' })
  const definition = view.resolve('echo_echo')?.definition
  if (definition === undefined) throw new Error('echo_echo is not there')
  const byDefinition = await host.invoker.invoke(definition, { message: 'hi' }, 'owner')
  const received = ({ content }: typeof byName) => JSON.parse(String(content[0]?.text)).arguments
  expect([received(byName), received(byDefinition)]).toEqual([{ message: 'hi' }, { message: 'hi' }])
})

test('an application’s gate is asked once about each permission, also for a call through call_mcp_tool', async () => {
  const asked: string[] = []
  const gate: Gate = {
    async allows(user, permission) {
      asked.push(`${user} ${permission}`)
      return permission === 'echo.echo'
    },
  }
  const host = await hostOf({ echo: { mcp: fixtureCommand('echo-server') } }, gate)
  const call = { tool_name: 'echo_echo', arguments: { message: 'hi' } }
  const result = await host.invoker.run({ name: 'call_mcp_tool', arguments: call, user: 'ana' })
  expect(result.isError).not.toBe(true)
  expect(asked).toContain('ana echo.echo')
  expect(new Set(asked).size).toBe(asked.length)
})

test('secrets of the config are in no report of the host', async () => {
  const mcp = { ...fixtureCommand('paged-server', '--fail-at', '2'), env: { API_TOKEN: 'page' } }
  const host = await hostOf({ paged: { mcp } })
  expect(host.reports().join()).toContain('[secret]')
  expect(host.reports().join()).not.toContain('page is lost')
})

/** Switches as an application has them: the library’s own path knows what is switched off as little as any other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { type DefinedPlugin, definePlugin, tool } from '../../packages/sdk/src/index.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

async function hostOf(plugins: readonly DefinedPlugin[] = []): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-switches-'))
  const data = { dataDir, plugins: { one: { mcp: fixtureCommand('held-server') } } }
  const config = loadConfig({ data, cwd: dataDir, env: {}, home: dataDir })
  const host = await createHost({ config, plugins, log: createLog(config.secrets, 'silent') })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await host.start()
  return host
}

test('a definition that a program still has is unknown once its tool is switched off, and recorded so', async () => {
  const host = await hostOf()
  const tool = (await host.view('owner', 'mcp')).resolve('one_pid') ?? expect.unreachable('it is there')
  expect(await host.invoker.invoke(tool.definition, {}, 'owner')).toMatchObject({ content: [{ type: 'text' }] })
  expect(await host.switches.setTool('one_pid', false)).toBe('plugin:one:pid')
  await expect(host.invoker.invoke(tool.definition, {}, 'owner')).rejects.toMatchObject({ code: 'not_found' })
  for (const surface of ['mcp', 'cli'] as const) {
    const view = await host.view('owner', surface)
    expect([view.resolve('one_pid'), view.resolve('plugin:one:pid'), view.getCatalogEntry('one_pid')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    await view.prepare('suggest')
    expect([...view.suggest('one_pid', 5), ...view.searchCatalog('').map(({ name }) => name)]).not.toContain('one_pid')
  }
  const outcomes: string[] = []
  for await (const { rows } of host.audit({ signal: new AbortController().signal }))
    outcomes.push(...rows.map(({ outcome }) => outcome))
  expect(outcomes.at(-1)).toBe('unknown')
})

test('a call that waits in line for a tool that is switched off is refused', async () => {
  const host = await hostOf()
  host.reconfigure({ ...host.config, limits: { ...host.config.limits, concurrency: 1 } })
  const ending = new AbortController()
  const begun = Promise.withResolvers<void>()
  const holding = host.invoker.run({
    name: 'one_hold',
    arguments: { file: 'never' },
    user: 'owner',
    signal: ending.signal,
    onProgress: () => begun.resolve(),
  })
  await begun.promise
  const waiting = host.invoker.run({ name: 'one_pid', arguments: {}, user: 'owner' })
  await host.switches.setTool('one_pid', false)
  ending.abort()
  await expect(holding).rejects.toMatchObject({ code: 'cancelled' })
  await expect(waiting).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not there any more'),
  })
})

test('a plugin that the program itself gives is switched off and on like one of the config', async () => {
  const hello = definePlugin({ id: 'acme/hello', tools: [tool({ name: 'echo', run: () => 'hi' })] })
  const host = await hostOf([hello])
  const call = () => host.invoker.run({ name: 'plugin:acme/hello:echo', arguments: {}, user: 'owner' })
  expect(await call()).toMatchObject({ content: [{ text: 'hi' }] })
  host.switches.setPlugin('acme/hello', false)
  await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  expect(host.plugins()[0]).toMatchObject({ id: 'acme/hello', state: 'disabled', tools: 0 })
  // A config that knows nothing of it changes nothing about it.
  host.reconfigure({ ...host.config, limits: { ...host.config.limits, queue: 5 } })
  expect(host.plugins()[0]?.state).toBe('disabled')
  host.switches.setPlugin('acme/hello', true)
  expect(await call()).toMatchObject({ content: [{ text: 'hi' }] })
})

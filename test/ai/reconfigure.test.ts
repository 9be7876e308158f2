/** Bridges of a host that is given other configs while it runs, as an application does it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../packages/callboard/src/config/config.ts'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { bridgesTo, startServers } from './ai-scene.ts'

async function scene() {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-ai-'))
  const load = (data: object): Config =>
    loadConfig({ data: { dataDir, ...data }, cwd: dataDir, env: {}, home: dataDir })
  const servers = await startServers()
  const plugins = bridgesTo(servers)
  const config = load({ plugins, ai: { default: 'openai' } })
  const host = await createHost({ config, log: createLog(config.secrets, 'silent') })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await host.start()
  return { host, load, servers, plugins }
}

async function ask(host: Host, args: Readonly<Record<string, unknown>> = {}, user = 'owner'): Promise<unknown> {
  const { _meta } = await host.invoker.run({ name: 'ai_prompt', arguments: { prompt: 'x', ...args }, user })
  return Object(_meta?.['callboard/ai']).model
}

test('another default, another alias and another model hold from the next call on', async () => {
  const { host, load, plugins } = await scene()
  expect(await ask(host)).toBe('gpt-5')
  host.reconfigure(load({ plugins, ai: { default: 'ollama', aliases: { gpt: 'openai' } } }))
  expect(await ask(host)).toBe('llama3.2')
  expect(await ask(host, { provider: 'GPT' })).toBe('gpt-5')
  const { 'bridge.openai': openai } = plugins
  const other = { ...plugins, 'bridge.openai': { ai: { ...openai.ai, model: 'gpt-6' } } }
  const change = host.reconfigure(load({ plugins: other, ai: { default: 'openai' } }))
  expect(change).toMatchObject({ restarted: ['bridge.openai'], settings: ['ai'] })
  await host.start()
  expect(await ask(host)).toBe('gpt-6')
  await expect(ask(host, { model: 'gpt-5' })).rejects.toMatchObject({ code: 'invalid_arguments' })
})

test('a tool is switched off at one bridge, by the name that only that bridge has', async () => {
  const { host } = await scene()
  await expect(host.switches.setTool('ai_prompt', false)).rejects.toThrow(
    '"ai_prompt" is a tool of several plugins: plugin:bridge.openai:ai_prompt, plugin:bridge.claude:ai_prompt, plugin:bridge.ollama:ai_prompt; take one of these names',
  )
  await host.switches.setTool('plugin:bridge.openai:ai_prompt', false)
  await expect(ask(host)).rejects.toThrow('"ai_prompt" needs a provider: one of claude, ollama')
  await host.switches.setTool('plugin:bridge.openai:ai_prompt', true)
  expect(await ask(host)).toBe('gpt-5')
})

test('the gate of an application is asked about each provider, and about the arguments of the one that serves', async () => {
  const { host, load, servers, plugins } = await scene()
  const asked = new Set<string>()
  const seen: string[] = []
  const config = load({ plugins, ai: { default: 'openai', fallback: ['claude', 'ollama'] } })
  const own = await createHost({
    config: { ...config, dataDir: `${config.dataDir}/own` },
    log: createLog(config.secrets, 'silent'),
    gate: {
      allows: (_, permission) => {
        asked.add(permission)
        return permission !== 'ai.claude'
      },
      admits: (_, definition) => {
        seen.push(definition.package)
        return true
      },
    },
  })
  onTestFinished(() => own[Symbol.asyncDispose]())
  await own.start()
  servers.openai.usually({ kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } })
  expect(await ask(own, {}, 'ana')).toBe('llama3.2')
  expect([...asked].sort()).toEqual(['ai.claude', 'ai.ollama', 'ai.openai'])
  expect(seen).toEqual(['bridge.openai', 'bridge.ollama'])
  expect(servers.claude.requests).toEqual([])
  expect(host.reports()).toEqual([])
})

test('a bridge whose config names another permission for a tool needs that one for it, and no other', async () => {
  const { host, load, plugins } = await scene()
  const guarded = { ...plugins['bridge.openai'], tools: { overrides: { ai_prompt: { permission: 'desk.models' } } } }
  const users = { ana: { roles: ['desk'] }, ben: { roles: ['openai'] } }
  const roles = { desk: ['desk.models'], openai: ['ai.openai'] }
  host.reconfigure(load({ plugins: { ...plugins, 'bridge.openai': guarded }, roles, users }))
  expect(await ask(host, {}, 'ana')).toBe('gpt-5')
  await expect(ask(host, {}, 'ben')).rejects.toMatchObject({ code: 'not_found' })
  const { _meta } = await host.invoker.run({ name: 'ai_list_models', arguments: {}, user: 'ben' })
  expect(_meta).toMatchObject({ 'callboard/ai': { provider: 'openai' } })
})

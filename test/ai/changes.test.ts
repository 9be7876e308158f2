/** Merged bridges of which one dies, is switched off, is not permitted, or is not the only one to claim its provider. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { createStage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { GOOD_KEY, startModelServer, type Turn } from '../fixtures/model-server.ts'
import { connect, textOf } from '../gateway/callboard.ts'
import { bridgesTo, clientOf, siteOf, startServers } from './ai-scene.ts'

const DOWN: Turn = { kind: 'status', status: 503, message: 'overloaded', headers: { 'retry-after-ms': '1' } }
const DEFAULT = { ai: { default: 'openai' } }

async function ask(client: Client, args: Record<string, unknown> = {}, name = 'ai_prompt') {
  return client.callTool({ name, arguments: { prompt: 'x', ...args } })
}

async function providersOf(client: Client): Promise<unknown> {
  const shown = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'ai_prompt' } })
  return Object(shown.structuredContent).providers
}

test('a provider that dies is unavailable, and the others are as they were', async () => {
  const servers = await startServers()
  const client = await clientOf(siteOf(bridgesTo(servers), DEFAULT), ['http', 'modern'])
  servers.openai.usually(DOWN)
  const dead = await ask(client)
  expect(dead).toMatchObject({
    isError: true,
    _meta: { 'callboard/ai': { provider: 'openai', error: { kind: 'unavailable' } } },
  })
  expect(textOf(dead)).toContain('openai (unavailable): status 503: overloaded; try again later, or another provider')
  expect(textOf(await ask(client, { provider: 'claude', prompt: 'alive' }))).toBe('alive')
  expect(servers.ollama.requests).toEqual([])
  expect(await providersOf(client)).toEqual(['claude', 'ollama', 'openai'])
})

test('a fallback answers while the default is unavailable, and says so; who names a provider gets no other', async () => {
  const servers = await startServers()
  const more = { ai: { default: 'openai', fallback: ['openai', 'claude', 'ollama'] } }
  const client = await clientOf(siteOf(bridgesTo(servers), more), ['http', 'legacy'])
  servers.openai.usually(DOWN)
  servers.claude.usually(DOWN)
  const answer = await ask(client, { prompt: 'hello' })
  expect(answer.content).toEqual([
    { type: 'text', text: 'hello' },
    { type: 'text', text: '(answered by ollama, since openai and claude are unavailable)' },
  ])
  expect(answer._meta).toMatchObject({
    'callboard/ai': { provider: 'ollama', model: 'llama3.2', insteadOf: ['openai', 'claude'] },
  })
  expect(await ask(client, { provider: 'claude' })).toMatchObject({
    isError: true,
    _meta: { 'callboard/ai': { provider: 'claude' } },
  })
  // The others know no such model.
  expect(await ask(client, { model: 'gpt-5' })).toMatchObject({ isError: true })
  expect(servers.ollama.requests).toHaveLength(1)
})

test('a provider that wants to be left alone for an hour is not waited for where there is a fallback', async () => {
  const servers = await startServers()
  const client = await clientOf(siteOf(bridgesTo(servers), { ai: { default: 'openai', fallback: ['ollama'] } }), [
    'http',
    'modern',
  ])
  servers.openai.usually({ kind: 'status', status: 503, headers: { 'retry-after': '3600' } })
  expect((await ask(client))._meta).toMatchObject({ 'callboard/ai': { provider: 'ollama', insteadOf: ['openai'] } })
  expect(servers.openai.requests).toHaveLength(1)
})

test.each(['http', 'stdio'] as const)('a large answer of a fallback says so too, over %s', async (way) => {
  const servers = await startServers()
  const more = { ai: { default: 'openai', fallback: ['ollama'] } }
  const client = await clientOf(siteOf(bridgesTo(servers), more), [way, 'modern'])
  servers.openai.usually(DOWN)
  const long = 'x'.repeat(600_000)
  servers.ollama.plan({ kind: 'answer', pieces: [long] })
  const answer = await ask(client)
  expect(answer.content).toEqual([
    { type: 'text', text: long },
    { type: 'text', text: '(answered by ollama, since openai is unavailable)' },
  ])
  expect(answer._meta).toMatchObject({ 'callboard/ai': { provider: 'ollama', insteadOf: ['openai'] } })
})

test('no fallback answers for a provider that is there and refuses', async () => {
  const servers = await startServers()
  const more = { ai: { default: 'openai', fallback: ['ollama'] } }
  const client = await clientOf(siteOf(bridgesTo(servers), more), ['http', 'legacy'])
  for (const status of [400, 401, 429]) {
    servers.openai.plan({ kind: 'status', status, headers: { 'retry-after': '100' } })
    expect(await ask(client)).toMatchObject({ isError: true, _meta: { 'callboard/ai': { provider: 'openai' } } })
  }
  expect(servers.ollama.requests).toEqual([])
})

test('a provider that is given a rest is told by the plugins command', async () => {
  const servers = await startServers()
  const site = siteOf(bridgesTo(servers), DEFAULT)
  const client = await clientOf(site, ['http', 'modern'])
  servers.openai.usually(DOWN)
  await ask(client)
  await ask(client)
  await using stage = await createStage(join(site.dir, 'callboard.yaml'))
  const { stdout } = await stage.run(['plugins'])
  expect(stdout).toMatch(
    /bridge\.openai\tai\tup\t.*\topenai is unavailable again and again, the last time: status 503: overloaded; it is asked again after 2/,
  )
  expect(stdout).toMatch(/bridge\.claude\tai\tup\t3\t\S+ \S+\t\n/)
})

test('a bridge that is switched off takes its provider with it, and brings it back', async () => {
  const servers = await startServers()
  const plugins = bridgesTo(servers)
  const site = siteOf(plugins, DEFAULT)
  const serving = await site.serve()
  const client = await connect('modern', { url: serving.url })
  onTestFinished(() => client.close())
  const file = join(site.dir, 'callboard.yaml')
  const write = (openai: object): void => {
    const config = { dataDir: 'data', http: { listen: '127.0.0.1:0' }, ...DEFAULT }
    writeFileSync(file, JSON.stringify({ ...config, plugins: { ...plugins, 'bridge.openai': openai } }))
  }
  expect(await providersOf(client)).toEqual(['claude', 'ollama', 'openai'])
  write({ ...plugins['bridge.openai'], enabled: false })
  await expect.poll(() => providersOf(client), { timeout: 10_000 }).toEqual(['claude', 'ollama'])
  expect(textOf(await ask(client))).toBe('"ai_prompt" needs a provider: one of claude, ollama')
  expect(textOf(await ask(client, { provider: 'openai' }))).toContain('has no provider "openai"')
  write(plugins['bridge.openai'])
  await expect.poll(() => providersOf(client), { timeout: 10_000 }).toEqual(['claude', 'ollama', 'openai'])
  expect(textOf(await ask(client, { prompt: 'again' }))).toBe('again')
})

test('a user has the providers that are permitted, and nothing of the others in any answer', async () => {
  const servers = await startServers()
  const people = {
    user: 'ana',
    roles: { local: ['ai.ollama', 'ai.claude', 'cli.access'] },
    users: { ana: { roles: ['local'] } },
    expose: 'all',
    ai: { default: 'ollama', fallback: ['ollama', 'openai', 'claude'], aliases: { gpt: 'openai', lama: 'ollama' } },
  }
  const client = await clientOf(siteOf(bridgesTo(servers), people), ['http', 'modern'])
  const heard: unknown[] = [await client.listTools(), client.getInstructions()]
  const say = async (args: Record<string, unknown>, name = 'ai_prompt') => {
    const answer = await client.callTool({ name, arguments: args })
    heard.push(answer)
    return answer
  }
  expect(textOf(await say({ prompt: 'mine' }))).toBe('mine')
  expect(textOf(await say({ prompt: 'x', provider: 'opénai' }))).toContain('choose one of claude, ollama')
  expect(await say({ tool_name: 'ai_prompt' }, 'get_mcp_tool')).toMatchObject({
    structuredContent: { providers: ['claude', 'ollama'], pluginId: 'bridge.ollama' },
  })
  await say({}, 'list_mcp_tools')
  expect(await say({ plugin: 'bridge.openai' }, 'list_mcp_tools')).toMatchObject({ structuredContent: { total: 0 } })
  const found = async (query: string): Promise<unknown> => {
    const { structuredContent } = await client.callTool({ name: 'search_mcp_tools', arguments: { query } })
    return Object(structuredContent).total
  }
  // As by words that no tool has; those of a provider of his find both tools that ask it.
  expect([await found('gpt'), await found('bridge openai')]).toEqual([await found('qwxz'), await found('bridge qwxz')])
  expect(await found('llama3.2')).toBe(2)
  servers.ollama.usually(DOWN)
  servers.claude.usually(DOWN)
  expect(await say({ prompt: 'not to be sent elsewhere' })).toMatchObject({ isError: true })
  expect(servers.openai.requests).toEqual([])
  expect(JSON.stringify(heard)).not.toMatch(/openai|gpt-5/)

  // As to one that is not there.
  const hidden = await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'x', provider: 'openai' } })
  const missing = await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'x', provider: 'gemini' } })
  expect(textOf(hidden).replace('openai', 'gemini')).toBe(textOf(missing))
  const through = async (provider: string) => {
    const args = { tool_name: 'ai_prompt', arguments: { prompt: 'x' }, provider }
    return JSON.stringify(await client.callTool({ name: 'call_mcp_tool', arguments: args }))
  }
  for (const hiddenName of ['OpenAI', 'gpt'])
    expect((await through(hiddenName)).replace(hiddenName, 'Gemini')).toBe(await through('Gemini'))
  expect(await through('LAMA')).toContain('ollama (unavailable)')
  const name = (id: string) => `plugin:${id}:ai_prompt`
  const unseen = await client.callTool({ name: name('bridge.openai'), arguments: {} }).catch(String)
  const absent = await client.callTool({ name: name('bridge.gemini'), arguments: {} }).catch(String)
  expect(JSON.stringify(unseen).replaceAll('openai', 'gemini')).toBe(JSON.stringify(absent))
})

test('a user who may use one provider only needs to name none, and one who may use none has no such tool', async () => {
  const servers = await startServers()
  const people = (roles: readonly string[]) => ({
    ...DEFAULT,
    user: 'ana',
    roles: { one: ['ai.claude', 'cli.access'], none: ['ai', 'cli.access'] },
    users: { ana: { roles } },
  })
  const one = await clientOf(siteOf(bridgesTo(servers), people(['one'])), ['http', 'modern'])
  expect(textOf(await ask(one, { prompt: 'mine' }))).toBe('mine')
  expect(servers.claude.requests).toHaveLength(1)
  const none = await clientOf(siteOf(bridgesTo(servers), people(['none'])), ['http', 'modern'])
  const said = await ask(none).then(JSON.stringify, String)
  expect(said).toContain('no tool named')
})

test('a provider that two bridges claim is served by neither until the config says by whom', async () => {
  const servers = await startServers()
  const second = await startModelServer()
  onTestFinished(() => second[Symbol.asyncDispose]())
  const plugins = {
    ...bridgesTo(servers),
    'bridge.second': { ai: { provider: 'OpenAI', model: 'gpt-5', apiKey: GOOD_KEY, baseUrl: second.url } },
  }
  const contested = siteOf(plugins)
  const serving = await contested.serve()
  await serving.prints('the provider "openai" is claimed by "bridge.openai" and "bridge.second"')
  const client = await connect('modern', { url: serving.url })
  onTestFinished(() => client.close())
  expect(await providersOf(client)).toEqual(['claude', 'ollama'])
  const settled = await clientOf(siteOf(plugins, { ai: { owners: { openai: 'bridge.second' } } }), ['http', 'modern'])
  expect(textOf(await ask(settled, { provider: 'openai', prompt: 'to the second' }))).toBe('to the second')
  expect([servers.openai.requests.length, second.requests.length]).toEqual([0, 1])
})

test('a plugin of another kind serves a provider that the config marks it with', async () => {
  const servers = await startServers()
  const echo = { mcp: fixtureCommand('echo-server'), prefix: '', provides: ['Lab'] }
  const client = await clientOf(siteOf({ ...bridgesTo(servers), echo }, { expose: 'all' }), ['http', 'modern'])
  const answer = await client.callTool({ name: 'echo', arguments: { provider: 'LAB', text: 'hi' } })
  expect(textOf(answer)).toContain('"text":"hi"')
  expect(textOf(answer)).not.toContain('LAB')
  const shown = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'echo' } })
  expect(shown.structuredContent).toMatchObject({ category: 'ai', providers: ['lab'], pluginId: 'echo' })
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'echo')?.inputSchema.properties).toMatchObject({
    provider: { enum: ['lab'] },
  })
})

test('no key is in anything that a client, the screen or the data folder is shown', async () => {
  const servers = await startServers()
  const { 'bridge.openai': good, ...others } = bridgesTo(servers)
  const wrong = 'sk-wrong-fedcba9876543210'
  const plugins = {
    ...others,
    'bridge.openai': good,
    'bridge.wrong': { ai: { ...good.ai, provider: 'other', api: 'openai', apiKey: wrong } },
  }
  const site = siteOf(plugins, { ...DEFAULT, expose: 'all', audit: { arguments: true } })
  const serving = await site.serve('--log-level', 'debug')
  const client = await connect('modern', { url: serving.url })
  onTestFinished(() => client.close())
  servers.openai.plan({ kind: 'answer' }, { kind: 'status', status: 400, message: `the key ${GOOD_KEY} is fine` })
  const heard = [
    await client.listTools(),
    await ask(client),
    await ask(client),
    await ask(client, { provider: 'other' }),
    await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'ai_prompt' } }),
  ]
  expect(await serving.stop()).toBe(0)
  expect(JSON.stringify(heard)).toContain('it refuses the key')
  const data = join(site.dir, 'data')
  const kept = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
  expect(kept.join()).toContain('plugin:bridge.wrong:ai_prompt')
  const all = JSON.stringify(heard) + serving.printed() + kept.join()
  for (const part of [GOOD_KEY, GOOD_KEY.slice(-8), wrong, wrong.slice(-8)]) expect(all).not.toContain(part)
})

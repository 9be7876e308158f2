/** What becomes of calls that run at a provider while its bridge is bounded, changed, switched off or stopped. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import type { ModelServer } from '../fixtures/model-server.ts'
import { connect, type Serving, textOf } from '../gateway/callboard.ts'
import { bridgesTo, siteOf, startServers } from './ai-scene.ts'

type Plugins = Readonly<Record<string, object>>

/** A callboard over HTTP whose config can be written anew. */
async function scene(plugins: Plugins, more: object = {}) {
  const site = siteOf(plugins, more)
  const serving: Serving = await site.serve()
  const client = await connect('modern', { url: serving.url })
  onTestFinished(() => client.close())
  const rewrite = (changed: Plugins): void => {
    const config = { dataDir: 'data', http: { listen: '127.0.0.1:0' }, ...more, plugins: { ...plugins, ...changed } }
    writeFileSync(join(site.dir, 'callboard.yaml'), JSON.stringify(config))
  }
  return { client, serving, rewrite }
}

function ask(client: Client, args: Record<string, unknown> = {}) {
  return client.callTool({ name: 'ai_prompt', arguments: { prompt: 'x', ...args } })
}

/** Has the server keep its next answer back; resolves once the request is there, with the way to let it go. */
function held(server: ModelServer): { readonly arrival: Promise<unknown>; readonly release: () => void } {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  const arrival = server.request(server.requests.length)
  server.plan({ kind: 'answer', pieces: ['late, but whole'], hold })
  return { arrival, release }
}

async function modelsOf(client: Client): Promise<unknown> {
  const answer = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'ai_prompt' } })
  return Object(answer.structuredContent).schema?.properties?.model?.enum
}

test('no more calls than the config says are at a provider at once', async () => {
  const servers = await startServers()
  const { 'bridge.openai': openai } = bridgesTo(servers)
  const { client } = await scene({ 'bridge.openai': { ...openai, concurrency: 1 } }, { limits: { queue: 0 } })
  const { arrival, release } = held(servers.openai)
  const first = ask(client)
  await arrival
  expect(textOf(await ask(client))).toContain('plugin "bridge.openai" is too busy: 1 of its calls run')
  expect(servers.openai.requests).toHaveLength(1)
  release()
  expect(textOf(await first)).toBe('late, but whole')
  expect(textOf(await ask(client, { prompt: 'next' }))).toBe('next')
})

test('no call asks for more tokens than the config says', async () => {
  const servers = await startServers()
  const { 'bridge.claude': claude } = bridgesTo(servers)
  const { client } = await scene({ 'bridge.claude': { ai: { ...claude.ai, maxTokens: 50 } } })
  await ask(client)
  expect((await servers.claude.request(0)).body).toMatchObject({ max_tokens: 50 })
  expect(textOf(await ask(client, { max_tokens: 51 }))).toContain('max_tokens: expected number <= 50, got number 51')
  expect(servers.claude.requests).toHaveLength(1)
})

test('a call that runs while its bridge is switched off is answered, and later ones know no such provider', async () => {
  const servers = await startServers()
  const plugins = bridgesTo(servers)
  const { client, rewrite } = await scene(plugins)
  const { arrival, release } = held(servers.openai)
  const running = ask(client, { provider: 'openai' })
  await arrival
  rewrite({ 'bridge.openai': { ...plugins['bridge.openai'], enabled: false } })
  await expect
    .poll(async () => textOf(await ask(client, { provider: 'openai' })), { timeout: 10_000 })
    .toContain('has no provider "openai"; choose one of claude, ollama')
  release()
  expect(textOf(await running)).toBe('late, but whole')
})

test('a call that runs while its bridge gets another model is answered by the one that it began with', async () => {
  const servers = await startServers()
  const { 'bridge.openai': openai } = bridgesTo(servers)
  const { client, rewrite } = await scene({ 'bridge.openai': openai })
  const { arrival, release } = held(servers.openai)
  const running = ask(client)
  await arrival
  rewrite({ 'bridge.openai': { ai: { ...openai.ai, model: 'gpt-6' } } })
  await expect.poll(() => modelsOf(client), { timeout: 10_000 }).toEqual(['gpt-6'])
  expect((await ask(client))._meta).toMatchObject({ 'callboard/ai': { model: 'gpt-6' } })
  release()
  expect(await running).toMatchObject({
    content: [{ text: 'late, but whole' }],
    _meta: { 'callboard/ai': { model: 'gpt-5' } },
  })
})

test('a host that ends ends the requests at the providers', async () => {
  const servers = await startServers()
  const { client, serving } = await scene(bridgesTo(servers))
  servers.ollama.plan({ kind: 'hang', pieces: [] })
  const running = ask(client, { provider: 'ollama' }).catch(String)
  const { brokenOff } = await servers.ollama.request(0)
  expect(await serving.stop()).toBe(0)
  await brokenOff
  expect(JSON.stringify(await running)).not.toContain('"text":"x"')
})

test('a bridge with two providers gives each of them by itself', async () => {
  const servers = await startServers()
  const { 'bridge.openai': openai, 'bridge.ollama': ollama } = bridgesTo(servers)
  const people = { user: 'ana', roles: { local: ['ai.ollama', 'cli.access'] }, users: { ana: { roles: ['local'] } } }
  const both = { 'bridge.both': { ai: [openai.ai, ollama.ai] } }
  const { client: owner } = await scene(both, { ai: { default: 'openai', fallback: ['ollama'] } })
  expect(textOf(await ask(owner, { prompt: 'one' }))).toBe('one')
  expect(textOf(await ask(owner, { prompt: 'two', provider: 'OLLAMA' }))).toBe('two')
  servers.openai.usually({ kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } })
  expect(textOf(await ask(owner, { prompt: 'three' }))).toBe('three\n(answered by ollama, since openai is unavailable)')
  const before = servers.openai.requests.length
  const { client: ana } = await scene(both, { ...people, ai: { default: 'openai', fallback: ['openai'] } })
  expect(textOf(await ask(ana, { prompt: 'four' }))).toBe('four')
  const shown = await ana.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'plugin:bridge.both:ai_prompt' } })
  expect(shown.structuredContent).toMatchObject({ providers: ['ollama'] })
  expect(JSON.stringify(shown)).not.toMatch(/openai|gpt-5/)
  expect(servers.openai.requests).toHaveLength(before)
})

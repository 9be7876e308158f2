/** Bridges from the command line, by itself and through a host that serves. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStage, ROOT, type Stage } from '../cli/run-command.ts'
import { GOOD_KEY, type Turn } from '../fixtures/model-server.ts'
import { type AiServers, bridgesTo, startServers } from './ai-scene.ts'

/** Commands one after another, of which each reads the AI SDK: on a busy machine that takes a while. */
const MANY = { timeout: 120_000 }

async function stageOf(servers: AiServers, more: object = { ai: { default: 'openai' } }): Promise<Stage> {
  const stage = await createStage({ http: { listen: '127.0.0.1:0' }, plugins: bridgesTo(servers), ...more })
  onTestFinished(() => stage[Symbol.asyncDispose]())
  return stage
}

test('a prompt is answered by the default, or by the provider that is named', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers)
  expect(await run(['call', 'ai_prompt', '--prompt', 'Say hello'])).toEqual({
    code: 0,
    stdout: 'Say hello\n',
    stderr: '',
  })
  const named = await run(['call', 'ai_prompt', '--provider', 'Claude', '--model', 'claude-b', '--prompt', 'Say more'])
  expect(named).toMatchObject({ code: 0, stdout: 'Say more\n' })
  expect(await servers.claude.request(0)).toMatchObject({ body: { model: 'claude-b' } })
  const fixed = await run(['call', 'plugin:bridge.ollama:ai_prompt', '--prompt', 'By name'])
  expect(fixed.stdout).toBe('By name\n')
  expect([servers.openai, servers.claude, servers.ollama].map(({ requests }) => requests.length)).toEqual([1, 1, 1])
})

test('a provider that is not there is refused with those there are', async () => {
  const { run } = await stageOf(await startServers())
  const { code, stderr } = await run(['call', 'ai_prompt', '--provider', 'gemini', '--prompt', 'x'])
  expect(code).toBe(65)
  expect(stderr).toContain('"ai_prompt" has no provider "gemini"; choose one of claude, ollama, openai')
})

test('a provider goes by another name where the config has one for it, and only there', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers, { ai: { aliases: { gpt: 'openai' } } })
  expect((await run(['call', 'ai_prompt', '--provider', 'GPT', '--prompt', 'x'])).stdout).toBe('x\n')
  expect((await run(['call', 'ai_prompt', '--provider', 'grok', '--prompt', 'x'])).stderr).toContain(
    'has no provider "grok"',
  )
  expect(servers.openai.requests).toHaveLength(1)
})

test('as JSON the answer has its provider and its usage', async () => {
  const { run } = await stageOf(await startServers())
  const { stdout } = await run(['call', 'ai_prompt', '--prompt', 'x', '--provider', 'ollama', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    content: [{ type: 'text', text: 'x' }],
    _meta: {
      'callboard/ai': { provider: 'ollama', model: 'llama3.2', finishReason: 'stop', usage: { input: 11, output: 7 } },
    },
  })
})

test('the audit has who answered, with which model, and what it took', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers, { ai: { default: 'openai', fallback: ['ollama'] } })
  await run(['call', 'ai_prompt', '--prompt', 'x', '--provider', 'claude'])
  servers.openai.usually({ kind: 'status', status: 503, headers: { 'retry-after-ms': '1' } })
  await run(['call', 'ai_prompt_stream', '--prompt', 'x'])
  await run(['call', 'ai_prompt', '--prompt', 'x', '--provider', 'openai'])
  const { stdout } = await run(['audit', '--json'])
  const use = { finishReason: 'stop', inputTokens: 11, outputTokens: 7 }
  expect(JSON.parse(stdout).rows).toMatchObject([
    { tool: 'plugin:bridge.claude:ai_prompt', provider: 'claude', outcome: 'ok', ai: { model: 'claude-a', ...use } },
    { tool: 'plugin:bridge.ollama:ai_prompt_stream', provider: 'ollama', ai: { model: 'llama3.2', ...use } },
    { tool: 'plugin:bridge.openai:ai_prompt', provider: 'openai', outcome: 'tool_error', ai: { model: 'gpt-5' } },
  ])
  expect((await run(['audit'])).stdout).toContain('by claude (claude-a, 11 + 7 tokens, stop)')
})

test('a provider that the user may not use is denied in the audit, and is not there for the user', MANY, async () => {
  const roles = { r: ['cli.access', 'ai.ollama'] }
  const { run } = await stageOf(await startServers(), { roles, users: { bob: { roles: ['r'] } }, user: 'bob' })
  const refused = await run(['call', 'ai_prompt', '--provider', 'openai', '--prompt', 'x'])
  expect(refused.stderr).toContain('has no provider "openai"; choose one of ollama')
  await run(['call', 'ai_prompt', '--provider', 'gemini', '--prompt', 'x'])
  const { stdout } = await run(['audit', '--user', 'owner', '--json'])
  const rows: readonly { readonly tool: string; readonly outcome: string }[] = JSON.parse(stdout).rows
  expect(rows.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
    'plugin:bridge.openai:ai_prompt denied',
    'plugin:bridge.ollama:ai_prompt invalid',
  ])
})

test('the audit has what an answer took that can not be used', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers)
  servers.openai.plan({ kind: 'answer', pieces: ['no object'] })
  expect((await run(['call', 'ai_prompt', '--prompt', 'x', '--schema', '{"type":"object"}'])).code).toBe(1)
  expect(JSON.parse((await run(['audit', '--json'])).stdout).rows).toMatchObject([
    { outcome: 'tool_error', ai: { model: 'gpt-5', finishReason: 'stop', inputTokens: 11, outputTokens: 7 } },
  ])
})

test.each(['by itself', 'through the host that serves'])('a stream is printed as it comes, %s', async (how) => {
  const servers = await startServers()
  const stage = await stageOf(servers)
  if (how !== 'by itself') await stage.start(['serve', '--http']).until(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  servers.openai.plan({ kind: 'answer', pieces: ['Once upon', ' a time'], hold })
  const command = stage.start(['call', 'ai_prompt_stream', '--prompt', 'a story'])
  await command.until('Once upon')
  release()
  expect(await command.done).toEqual({ code: 0, stdout: 'Once upon a time\n', stderr: '' })
})

test('a stream that breaks off keeps what was printed, and says why', async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers)
  servers.openai.plan({ kind: 'cut', pieces: ['half of it'] })
  const { code, stdout, stderr } = await run(['call', 'ai_prompt_stream', '--prompt', 'x'])
  expect(code).toBe(1)
  expect(stdout).toBe('half of it\n')
  expect(stderr).toMatch(/^openai \(interrupted\): the answer broke off \(\w+\); try again\n$/)
})

test('Ctrl-C ends the request at the provider', async () => {
  const servers = await startServers()
  const stage = await stageOf(servers)
  servers.openai.plan({ kind: 'hang', pieces: [] })
  const command = stage.start(['call', 'ai_prompt', '--prompt', 'x'])
  const { brokenOff } = await servers.openai.request(0)
  command.child.kill('SIGINT')
  await brokenOff
  expect((await command.done).code).toBe(130)
})

test('where every provider is unavailable, the answer and the audit name the one that was meant', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers, { ai: { default: 'openai', fallback: ['claude', 'ollama'] } })
  for (const server of [servers.openai, servers.claude, servers.ollama])
    server.usually({ kind: 'status', status: 500, message: 'down', headers: { 'retry-after-ms': '1' } })
  const { code, stdout, stderr } = await run(['call', 'ai_prompt', '--prompt', 'hello'])
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(
    /^openai \(unavailable\): status 500: down; .*\n\(asked instead, and unavailable too: claude, ollama\)$/m,
  )
  expect(JSON.parse((await run(['audit', '--json'])).stdout).rows).toMatchObject([
    { tool: 'plugin:bridge.openai:ai_prompt', provider: 'openai', outcome: 'tool_error', ai: { model: 'gpt-5' } },
  ])
})

test('a fallback says on the screen who answered', async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers, { ai: { default: 'openai', fallback: ['ollama'] } })
  const down: Turn = { kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } }
  servers.openai.usually(down)
  const { stdout } = await run(['call', 'ai_prompt', '--prompt', 'hello'])
  expect(stdout).toBe('hello\n(answered by ollama, since openai is unavailable)\n')
})

test('what is shown of the tool is its providers, their names and all that a call may give', MANY, async () => {
  const { run } = await stageOf(await startServers())
  const { stdout } = await run(['show', 'ai_prompt'])
  expect(stdout).toMatch(/providers\s+claude, ollama, openai/)
  expect(stdout).toMatch(/ollama\s+plugin:bridge\.ollama:ai_prompt/)
  expect(stdout).toMatch(/--provider claude\|ollama\|openai/)
  expect(stdout).toMatch(/--model gpt-5\|claude-a\|claude-b\|llama3\.2/)
  const help = await run(['call', 'ai_prompt', '--help'])
  expect(help.stdout).toContain('Usage: callboard call ai_prompt ')
  const { stdout: json } = await run(['show', 'ai_prompt', '--json'])
  expect(JSON.parse(json)).toMatchObject({
    providers: ['claude', 'ollama', 'openai'],
    offers: [
      { provider: 'openai', inputSchema: { properties: { model: { enum: ['gpt-5'] } } } },
      { provider: 'claude', namespacedName: 'plugin:bridge.claude:ai_prompt' },
      { provider: 'ollama' },
    ],
  })
  const list = await run(['list', '--plugin', 'bridge.ollama'])
  expect(list.stdout.match(/^ai_\w+/gm)).toEqual(['ai_list_models', 'ai_prompt', 'ai_prompt_stream'])
  expect(stdout + json + list.stdout).not.toContain(GOOD_KEY)
})

test('a user of the command line has the providers that are permitted', MANY, async () => {
  const servers = await startServers()
  const { run } = await stageOf(servers, {
    ai: { default: 'openai' },
    roles: { local: ['cli.access', 'ai.ollama'] },
    users: { ana: { roles: ['local'] } },
  })
  expect((await run(['call', 'ai_prompt', '--user', 'ana', '--prompt', 'mine'])).stdout).toBe('mine\n')
  expect(servers.ollama.requests).toHaveLength(1)
  const { stdout, stderr } = await run(['call', 'ai_prompt', '--user', 'ana', '--provider', 'openai', '--prompt', 'x'])
  expect(stdout + stderr).toContain('has no provider "openai"; choose one of ollama')
  const absent = await run(['call', 'ai_prompt', '--user', 'ana', '--provider', 'gemini', '--prompt', 'x'])
  expect({ ...absent, stderr: absent.stderr.replaceAll('gemini', 'openai') }).toEqual({ code: 65, stdout, stderr })
  for (const words of [['show', 'ai_prompt'], ['list']])
    expect((await run([...words, '--user', 'ana'])).stdout).not.toMatch(/openai|gpt-5|claude/)
  expect((await run(['plugins', '--user', 'ana'])).stdout).not.toMatch(/openai|claude/)
})

test('the AI SDK is read by whoever asks a model, its packages one by one, and by nobody else', MANY, async () => {
  const stage = await stageOf(await startServers())
  const readBy = async (...words: string[]) => {
    const nodeArgs = ['--import', join(ROOT, 'test/fixtures/report-imports.ts')]
    const { stderr } = await stage.start(words, { nodeArgs }).done
    return new Set(stderr.match(/(?<=^read ).*/gm))
  }
  expect(await readBy('list')).toEqual(new Set())
  expect(await readBy('show', 'ai_prompt')).toEqual(new Set())
  expect(await readBy('call', 'plugin:bridge.claude:ai_prompt', '--prompt', 'x')).toEqual(
    new Set(['ai', '@ai-sdk/anthropic']),
  )
  expect(await readBy('call', 'ai_prompt', '--provider', 'ollama', '--prompt', 'x')).toContain(
    '@ai-sdk/openai-compatible',
  )
})

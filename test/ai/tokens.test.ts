/** Bridges behind tokens: each of two users over one address has the providers that the user and the token allow. */
import { expect, test } from 'vitest'
import { callModern, tokenScene } from '../http/token-scene.ts'
import { bridgesTo, startServers } from './ai-scene.ts'

test('a token that is narrowed to some providers has these alone, and no fallback leads out of them', async () => {
  const servers = await startServers()
  const { host, url } = await tokenScene({
    plugins: bridgesTo(servers),
    ai: { default: 'openai', fallback: ['ollama', 'claude', 'openai'] },
  })
  const whole = host.tokens.create({ name: 'whole', user: 'ana' })
  const narrow = host.tokens.create({ name: 'narrow', user: 'ana', permissions: ['ai.ollama', 'ai.claude'] })
  const ask = async (token: string, args: object = {}): Promise<string> =>
    (await callModern(url, token, 'ai_prompt', { prompt: 'x', ...args })).text

  const recorded: string[] = []
  host.onCall(({ tool, outcome }) => recorded.push(`${tool} ${outcome}`))
  expect(await ask(whole.text)).toContain('"provider":"openai"')
  expect(await ask(narrow.text)).toContain('needs a provider: one of claude, ollama')
  expect(await ask(narrow.text, { provider: 'openai' })).toContain(
    'has no provider \\"openai\\"; choose one of claude, ollama',
  )
  expect(await ask(narrow.text, { provider: 'gemini' })).toContain('has no provider \\"gemini\\"')
  expect(recorded.slice(-2)).toEqual([
    'plugin:bridge.openai:ai_prompt denied',
    'plugin:bridge.claude:ai_prompt invalid',
  ])
  servers.ollama.usually({ kind: 'status', status: 503, headers: { 'retry-after-ms': '1' } })
  expect(await ask(narrow.text, { provider: 'ollama' })).toContain('ollama (unavailable)')
  expect(await ask(narrow.text, { provider: 'claude' })).toContain('"provider":"claude"')
  expect([servers.openai, servers.claude].map(({ requests }) => requests.length)).toEqual([1, 1])
})

/** Does what docs/ai.md says, with model servers of its own in the place of the providers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { COMMAND, createStage, ROOT, startProgram } from '../cli/run-command.ts'
import { GOOD_KEY, startModelServer } from '../fixtures/model-server.ts'
import { textOf } from '../gateway/callboard.ts'
import { clientOf, siteOf } from './ai-scene.ts'

const page = readFileSync(join(ROOT, 'docs/ai.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({ kind, text }))
const configs = blocks.filter(({ kind, text }) => kind === 'yaml' && text.includes('plugins:')).map(({ text }) => text)
const KEYS = { OPENAI_API_KEY: GOOD_KEY, ANTHROPIC_API_KEY: GOOD_KEY }

interface Command {
  readonly words: readonly string[]
  readonly output: string
}

const commands: readonly Command[] = blocks
  .filter(({ kind }) => kind === 'console')
  .flatMap(({ text }) => text.split(/^\$ callboard /m).slice(1))
  .map((example) => {
    const end = example.indexOf('\n')
    const words = [...example.slice(0, end).matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
    return { words, output: example.slice(end + 1).trimEnd() }
  })

interface Written {
  readonly plugins: Readonly<Record<string, { readonly ai: Readonly<Record<string, unknown>> }>>
  readonly ai?: object
}

/** The config as it is written, but for the addresses: a server that answers each request with these words. */
async function standIn(text: string, words: string) {
  const server = await startModelServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.usually({ kind: 'answer', pieces: words.match(/\S+\s*/g) ?? [] })
  const { plugins, ...more }: Written = parse(text.replace(/\$\{\w+\}/g, GOOD_KEY))
  const moved = Object.entries(plugins).map(([id, plugin]) => [
    id,
    { ...plugin, ai: { ...plugin.ai, baseUrl: server.url } },
  ])
  return { server, plugins: Object.fromEntries(moved), more }
}

describe('docs/ai.md', () => {
  test('has a config for OpenAI, for Anthropic, for Ollama and for all three, and each loads as it is written', () => {
    const providers = configs.map((text) => {
      const { plugins, notes } = loadConfig({ data: { dataDir: '/tmp/x', ...parse(text) }, env: KEYS })
      expect(notes).toEqual([])
      return plugins.flatMap((plugin) => (plugin.kind === 'ai' ? plugin.ai.map(({ provider }) => provider) : []))
    })
    expect(providers).toEqual([['openai'], ['claude'], ['ollama'], ['openai', 'claude', 'ollama']])
  })

  test.each(configs.map((text) => [text]))('this config answers: %s', async (text) => {
    const { plugins, more } = await standIn(text, 'To be, or not to be')
    const client = await clientOf(siteOf(plugins, more), ['stdio', 'modern'])
    for (const name of ['ai_prompt', 'ai_prompt_stream'])
      expect(textOf(await client.callTool({ name, arguments: { prompt: 'Say it' } }))).toBe('To be, or not to be')
  })

  test.each(configs.map((text) => [text]))(
    'this config, in a file that the environment names with the keys, answers: %s',
    async (text) => {
      const server = await startModelServer()
      onTestFinished(() => server[Symbol.asyncDispose]())
      const folder = mkdtempSync(join(tmpdir(), 'callboard-newcomer-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const [, variable = '', file = ''] = /^export (\w+)="\$PWD\/(.*)"$/m.exec(page) ?? []
      const document = parseDocument(text)
      for (const id of Object.keys(document.toJS().plugins))
        document.setIn(['plugins', id, 'ai', 'baseUrl'], server.url)
      writeFileSync(join(folder, file), String(document))
      const env = { ...KEYS, HOME: folder, [variable]: join(folder, file) }
      const callboard = (...words: string[]) => startProgram([COMMAND, ...words], { env, cwd: folder }).done
      expect(await callboard('call', 'ai_prompt', '--prompt', 'Say it')).toEqual({
        code: 0,
        stdout: 'Say it\n',
        stderr: '',
      })
      expect((await callboard('doctor')).stdout).toContain('All is well.')
    },
  )

  test('has commands', () => {
    expect(commands.length).toBeGreaterThanOrEqual(5)
  })

  test.each(commands)('$words gives what the page says', { timeout: 60_000 }, async ({ words, output }) => {
    const { plugins, more } = await standIn(configs.at(-1) ?? '', output)
    await using stage = await createStage({ plugins, ...more })
    expect(await stage.run(words)).toEqual({ code: 0, stdout: `${output}\n`, stderr: '' })
  })

  test('its call of call_mcp_tool goes to the provider that it names', async () => {
    const { server, plugins, more } = await standIn(configs.at(-1) ?? '', 'Father.')
    const client = await clientOf(siteOf(plugins, more), ['stdio', 'modern'])
    const call = blocks.find(({ kind, text }) => kind === 'json' && text.includes('call_mcp_tool'))
    const result = await client.callTool(JSON.parse(call?.text ?? ''))
    expect(textOf(result)).toBe('Father.')
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/messages'])
    const meta = blocks.find(({ kind, text }) => kind === 'json' && text.includes('finishReason'))
    expect(result._meta?.['callboard/ai']).toEqual(JSON.parse(meta?.text ?? ''))
  })

  test('its roles permit what it says', () => {
    const roles = blocks.find(({ kind, text }) => kind === 'yaml' && text.includes('roles:'))
    const config = loadConfig({ data: { dataDir: '/tmp/x', ...parse(roles?.text ?? '') } })
    expect(config.roles.get('writers')).toContain('ai.ollama')
  })
})

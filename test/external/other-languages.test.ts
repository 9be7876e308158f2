/**
 * The plugins of examples/external, written in other languages from docs/external-plugins.md, each as a process of its own. One that
 * was not built is skipped: `npm run examples` builds those whose toolchain is there.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ToolDefinition } from '@callboard/sdk'
import { Asker, dialLink, pluginUri, serveLink } from '@callboard/sdk/external'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Progress } from '../../packages/callboard/src/plugins/plugin.ts'
import { ROOT } from '../cli/run-command.ts'
import { textOf, toolCall } from '../fixtures/plugin-calls.ts'
import { createParty } from '../link/credentials.ts'
import { type StartedPlugin, startExternal } from './started-plugin.ts'

const EXAMPLES = join(ROOT, 'examples/external')
const LANGUAGES = [
  { language: 'go', command: [join(EXAMPLES, 'go/plugin')] },
  { language: 'python', command: [join(EXAMPLES, 'python/.venv/bin/python'), join(EXAMPLES, 'python/main.py')] },
] as const

const LEFT_OUT = LANGUAGES.filter(({ command }) => !existsSync(command[0]))
const BUILT = LANGUAGES.filter((one) => !LEFT_OUT.includes(one))

describe.skip.each(LEFT_OUT)('the example in $language', () => {
  test('was not built', () => {})
})

describe.each(BUILT)('the example in $language', ({ language, command }) => {
  const pluginId = `example/${language}`
  let plugin: StartedPlugin
  let asked: unknown[] = []

  beforeAll(async () => {
    plugin = await startExternal({ pluginId, command })
    void serveLink(plugin.link, async ({ body }) => {
      asked.push(body.value)
      if (body.case !== 'toolCall' || body.value.toolName === 'nothing') throw new Error('there is no tool "nothing"')
      const resultJson = Buffer.from('{"content":[{"type":"text","text":"from the host"}]}')
      return { case: 'toolCall', value: { success: true, resultJson } }
    })
  })
  afterAll(() => plugin[Symbol.asyncDispose]())

  function definition(name: string): ToolDefinition {
    return { package: pluginId, name, action: name }
  }

  function call(name: string, args = {}, more: Parameters<typeof toolCall>[2] = {}, requestId?: string) {
    return plugin.peer.call(toolCall(definition(name), args, more), requestId)
  }

  test('says who it is, what it offers and that it is well', async () => {
    expect(plugin.peer.manifest).toMatchObject({ id: pluginId, version: '1.0.0', language })
    const { tools, reports } = await plugin.peer.listTools(AbortSignal.timeout(10_000))
    expect(reports).toEqual([])
    expect(tools.map(({ name }) => name).sort()).toEqual(['count', 'echo', 'relay', 'wait'])
    expect(tools.find(({ name }) => name === 'count')).toMatchObject({ streaming: true, readOnly: true })
    expect(await plugin.peer.health(AbortSignal.timeout(10_000))).toMatchObject({ isHealthy: true })
  })

  test('runs a tool, as the user who calls', async () => {
    const result = await call('echo', { text: 'né' }, { user: 'ana' })
    expect(textOf(result)).toBe('né')
    expect(result.structuredContent).toEqual({ text: 'né', user: 'ana' })
  })

  test('runs many at a time, on streams of their own and on a shared one', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`)
    const results = await Promise.all(texts.map((text) => call('echo', { text })))
    expect(results.map(textOf)).toEqual(texts)
    const asker = new Asker(plugin.link)
    const answers = await Promise.all(
      texts.map((text) => {
        const argumentsJson = Buffer.from(JSON.stringify({ text }))
        return asker.ask({ case: 'toolCall', value: { toolName: 'echo', argumentsJson } }, { isShared: true })
      }),
    )
    const said = answers.map((answer) => answer.case === 'toolCall' && Buffer.from(answer.value.resultJson).toString())
    for (const [at, text] of texts.entries()) expect(said[at]).toContain(`"${text}"`)
  })

  test('takes and gives a megabyte', async () => {
    const text = 'x'.repeat(1_000_000)
    expect(textOf(await call('echo', { text }))).toBe(text)
  })

  test('answers in pieces', async () => {
    const pieces: (string | undefined)[] = []
    const result = await call('count', { to: 3 }, { onProgress: ({ message }: Progress) => void pieces.push(message) })
    expect(pieces).toEqual(['1 ', '2 ', '3 '])
    expect(textOf(result)).toBe('1 2 3 ')
  })

  test('calls back for the call that it runs', async () => {
    asked = []
    expect(textOf(await call('relay', { tool: 'plugin:a/b:c', arguments: { n: 1 } }, {}, 'call-7'))).toBe(
      'from the host',
    )
    expect(asked).toMatchObject([{ toolName: 'plugin:a/b:c', parentRequestId: 'call-7' }])
    await expect(call('relay', { tool: 'nothing' })).rejects.toThrow('there is no tool "nothing"')
  })

  test('hears that a call is cancelled', async () => {
    const enough = new AbortController()
    const calling = call('wait', {}, { signal: enough.signal, onProgress: () => enough.abort() })
    await expect(calling).rejects.toThrow()
    await plugin.said('given up')
  })

  test('looks at the deadline, and fails in words', async () => {
    const asker = new Asker(plugin.link)
    const late = await asker.ask({ case: 'toolCall', value: { toolName: 'wait', timeoutMs: 20n } })
    expect(late).toMatchObject({ case: 'fault', value: { code: 5 } })
    await expect(call('nothing')).rejects.toMatchObject({ code: 'unavailable', message: /there is no tool "nothing"/ })
    expect(await asker.ask({ case: 'listPrompts', value: {} })).toMatchObject({ case: 'fault', value: { code: 8 } })
  })

  test('lets in nobody but the host', async () => {
    const { address, party } = plugin
    const other = await createParty()
    const strangers = [
      { ...other.host, ca: party.host.ca },
      await party.issue({ uri: pluginUri('acme/other'), use: 'client' }),
    ]
    for (const credentials of strangers) {
      const expects = pluginUri(pluginId)
      const link = await dialLink('quic', { address, credentials, protocols: ['callboard/1'], expects })
      expect((await link.ended).kind).toMatch(/^(?:unknown-authority|wrong-peer|handshake)$/)
    }
  })

  test('says what it is without a host', async () => {
    const [program, ...words] = command
    const { stdout } = await promisify(execFile)(program, [...words, '--manifest'])
    expect(JSON.parse(stdout)).toMatchObject({ id: pluginId, provides_tools: ['echo', 'count', 'relay', 'wait'] })
  })

  test('ends when it is asked to', async () => {
    await using own = await startExternal({ pluginId, command })
    await own.peer.shutDown(1, AbortSignal.timeout(10_000))
    own.link.close()
    expect(await own.exited).toBe(0)
  })
})

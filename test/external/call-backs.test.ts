/** What external plugins ask of the host: other tools, for the call that they name, and files. */
import type { RequestBody, ServedRequest } from '@callboard/sdk/external'
import { expect, test } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import { answerCallBacks } from '../../packages/callboard/src/plugins/external/call-backs.ts'
import { PluginFiles } from '../../packages/callboard/src/plugins/external/plugin-files.ts'
import type { PluginHost, ToolCall } from '../../packages/callboard/src/plugins/plugin.ts'
import { decodeRequest, encodeRequest } from '../../packages/sdk/src/external/protocol/messages.ts'
import { callPlugin, emptyHost, startPlugin, textOf, toolCall } from '../fixtures/plugin-calls.ts'
import { externalPlugin, fixtureTarget } from './external-under-test.ts'

/** A host on which `call` is this. */
function hostWith(call: PluginHost['call']): PluginHost {
  return { ...emptyHost(), call }
}

test('a call-back runs as the user of the call that it names', async () => {
  await using under = externalPlugin(fixtureTarget())
  const parents: ToolCall[] = []
  const host = hostWith((parent, name, args) => {
    parents.push(parent)
    return Promise.resolve({ content: [{ type: 'text', text: JSON.stringify({ name, args }) }], odd: true })
  })
  await startPlugin(under.plugin, undefined, host)
  const result = await callPlugin(
    under.plugin,
    'ask',
    { name: 'other', arguments: { n: 9_007_199_254_740_991 } },
    { user: 'ana', within: ['acme.*'] },
  )
  expect(JSON.parse(textOf(result))).toEqual({ name: 'other', args: { n: 9_007_199_254_740_991 } })
  expect(result.odd).toBe(true)
  expect(parents[0]).toMatchObject({ user: 'ana', within: ['acme.*'] })
})

test('one that names no call that runs is refused', async () => {
  await using under = externalPlugin(fixtureTarget())
  await startPlugin(
    under.plugin,
    undefined,
    hostWith(() => Promise.reject(new Error('it was called'))),
  )
  const refused = textOf(await callPlugin(under.plugin, 'ask', { name: 'other', parent: 'call-999' }))
  expect(refused).toContain('fault 4: no call with the id "call-999" runs')
})

test('what the host says of a call-back reaches the plugin; what fails in the host does not', async () => {
  await using under = externalPlugin(fixtureTarget())
  const errors = [new CallboardError('not_found', 'no tool named "other"'), new Error('at secret/place.ts')]
  await startPlugin(
    under.plugin,
    undefined,
    hostWith(() => Promise.reject(errors.shift())),
  )
  expect(textOf(await callPlugin(under.plugin, 'ask', { name: 'other' }))).toBe('fault 2: no tool named "other"')
  expect(textOf(await callPlugin(under.plugin, 'ask', { name: 'other' }))).toBe(
    'fault 1: the host failed; its log says why',
  )
})

test('files are changed by compare and swap, and outlive the plugin', async () => {
  await using under = externalPlugin(fixtureTarget())
  const { plugin } = under
  const store = async (args: Record<string, unknown>): Promise<string> =>
    textOf(await callPlugin(plugin, 'store', args))
  await startPlugin(plugin)
  expect(await store({ path: 'a/b.md', content: 'one', expected: 0 })).toBe('true 1')
  expect(await store({ path: 'a/b.md', content: 'two', expected: 0 })).toBe('false 1')
  expect(await store({ path: 'a/b.md', content: 'two', expected: 1 })).toBe('true 2')
  await plugin.stop()
  await startPlugin(plugin)
  expect(await store({ path: 'a/b.md' })).toBe('two 2')
  expect(await store({ path: '../b.md' })).toContain('fault 3: "../b.md" is no path of a file')
})

test('of the steps that a plugin does not read the newest one is kept', async () => {
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const sent: unknown[] = []
  const answer = answerCallBacks({
    host: hostWith(async ({ onProgress }) => {
      for (let progress = 1; progress <= 1_000; progress++) onProgress?.({ progress, message: `step ${progress}` })
      setImmediate(read)
      await isRead
      await settled()
      onProgress?.({ progress: 1_001 })
      onProgress?.({ progress: 1_002 })
      return { content: [] }
    }),
    callOf: () => toolCall({ package: 'acme/ext', name: 'ask', action: 'ask' }, {}),
    files: new PluginFiles('nowhere'),
    onToolsChanged() {},
    redact: (text) => text,
  })
  await answer({
    requestId: '1',
    body: asked({ case: 'toolCall', value: { toolName: 'other', wantsProgress: true } }),
    signal: new AbortController().signal,
    sendPart(part) {
      sent.push(part.value)
      return isRead
    },
  })
  sent.push('the answer')
  expect(sent).toEqual([
    { progress: 1, message: 'step 1' },
    { progress: 1_000, message: 'step 1000' },
    { progress: 1_001 },
    { progress: 1_002 },
    'the answer',
  ])
})

function asked(body: RequestBody): ServedRequest['body'] {
  return decodeRequest(encodeRequest('1', body).subarray(4)).request
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

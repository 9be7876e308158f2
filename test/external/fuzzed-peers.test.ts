/** A hundred thousand peers that send anything: the end that listens to them answers, gives up or closes, and keeps nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, tool } from '@callboard/sdk'
import { describeTool, type RequestBody, type ResponseBody, serveLink } from '@callboard/sdk/external'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import { answerCallBacks } from '../../packages/callboard/src/plugins/external/call-backs.ts'
import { PluginFiles } from '../../packages/callboard/src/plugins/external/plugin-files.ts'
import { PluginPeer } from '../../packages/callboard/src/plugins/external/plugin-peer.ts'
import type { CallLog } from '../../packages/callboard/src/plugins/log-messages.ts'
import { encodeRequest, encodeResponse } from '../../packages/sdk/src/external/protocol/messages.ts'
import { HostLink } from '../../packages/sdk/src/external/serve/host-link.ts'
import { emptyHost, toolCall } from '../fixtures/plugin-calls.ts'
import { MemoryLink, type MemoryStream } from './memory-link.ts'
import { play, scripts, settled, tryMany } from './scripted-peers.ts'

const INPUTS = 50_000
const ID = 'acme/echo'

const folder = mkdtempSync(join(tmpdir(), 'callboard-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true }))

const log: CallLog = { level: 'debug', write() {} }
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
const content = [{ type: 'text', text: 'hi' }]
const echo = describeTool({ package: ID, name: 'echo', action: 'echo' })

const ANSWERS: readonly ResponseBody[] = [
  { case: 'hello', value: { version: 1, manifest: { id: ID } } },
  { case: 'listTools', value: { tools: [echo, echo, { ...echo, name: 'x', inputSchemaJson: Buffer.from('[') }] } },
  { case: 'toolCall', value: { success: true, resultJson: json({ content }) } },
  { case: 'toolCall', value: { success: false, errorMessage: 'no' } },
  { case: 'health', value: { status: 2, message: 'not well' } },
  { case: 'shutdown', value: { clean: true } },
  { case: 'progress', value: { progress: 1, total: 2, message: 'half' } },
  { case: 'streamChunk', value: { data: Buffer.from('né').subarray(0, 2), sequence: 7n } },
  { case: 'logMessage', value: { level: 'error', dataJson: json({ disk: 'full' }) } },
  { case: 'logMessage', value: { level: 'error', dataJson: Buffer.from('{') } },
  { case: 'fault', value: { code: 3, message: 'wrong' } },
  { case: 'done', value: {} },
  { case: 'eventDelivery', value: {} },
]

const REQUESTS: readonly RequestBody[] = [
  { case: 'hello', value: { version: 1, software: 'fuzz' } },
  { case: 'hello', value: { version: 0 } },
  { case: 'listTools', value: {} },
  { case: 'toolCall', value: { toolName: 'echo', argumentsJson: json({ text: 'hi' }), wantsProgress: true } },
  { case: 'toolCall', value: { toolName: 'echo', argumentsJson: Buffer.from('{'), parentRequestId: 'call-1' } },
  { case: 'toolCall', value: { toolName: 'wait', timeoutMs: 2n ** 63n } },
  { case: 'toolCall', value: { toolName: 'throw', metaJson: json([]) } },
  { case: 'health', value: {} },
  { case: 'cancel', value: { reason: 'enough' } },
  { case: 'toolsChanged', value: {} },
  { case: 'storageRead', value: { path: '../../etc/passwd' } },
  { case: 'listPrompts', value: {} },
  { case: 'subscribe', value: { topic: '*' } },
]

const ids = ['1', '2', '3', 'call-1', '']
const answers = ids.flatMap((id) => ANSWERS.map((answer) => encodeResponse(id, answer)))
const requests = ids.flatMap((id) => REQUESTS.map((request) => encodeRequest(id, request)))

function reject(reason: unknown): void {
  if (!(reason instanceof CallboardError)) throw reason
}

/** The plugin had the call: it was not run only where the plugin says so itself. */
function rejectCall(reason: unknown): void {
  reject(reason)
  if (reason instanceof CallboardError && reason.code === 'unavailable')
    expect(reason.cause).toBeInstanceOf(CallboardError)
}

test('whatever a plugin answers and asks, the host has an answer or an error in words', {
  timeout: 600_000,
}, async () => {
  const hello = encodeResponse('1', { case: 'hello', value: { version: 1, manifest: { id: ID } } })
  const files = new PluginFiles(folder)
  await tryMany(
    INPUTS,
    fc.tuple(scripts(answers), scripts(requests), fc.boolean()),
    async ([theirs, asked, isPolite]) => {
      let opened = 0
      const streams: MemoryStream[] = []
      const link = new MemoryLink((stream) => {
        streams.push(stream)
        if (isPolite && opened === 0) stream.give(hello)
        else play(stream, theirs[opened % theirs.length] ?? { pieces: [], end: 'end' })
        opened += 1
      })
      const answer = answerCallBacks({
        host: emptyHost(),
        callOf: () => undefined,
        files,
        onToolsChanged() {},
        redact: (text) => text,
      })
      const serving = serveLink(link, answer)
      for (const script of asked) play(link.accept(), script)
      const giveUp = new AbortController()
      const working = converse(link, giveUp.signal)
      await settled()
      giveUp.abort(new CallboardError('timeout', 'too late'))
      await working
      link.close()
      await serving
      expect(streams.every(({ isOver }) => isOver)).toBe(true)
    },
  )
})

/** Asks everything that a host asks. */
async function converse(link: MemoryLink, signal: AbortSignal): Promise<void> {
  try {
    const peer = await PluginPeer.greet(link, { pluginId: ID, software: 'test', signal })
    const call = toolCall({ package: ID, name: 'echo', action: 'echo' }, {}, { signal, onProgress() {}, log })
    await Promise.all([
      peer.listTools(signal).catch(reject),
      peer.call(call, 'call-1').catch(rejectCall),
      peer.health(signal).catch(reject),
    ])
  } catch (error) {
    reject(error)
  }
}

test('whatever a host asks, the plugin answers or closes, and no tool outlives the link', {
  timeout: 600_000,
}, async () => {
  const plugin = definePlugin({
    id: ID,
    tools: [
      tool({ name: 'echo', args: [{ name: 'text', type: 'string' }], run: ({ text }) => text }),
      tool({
        name: 'wait',
        run: (_args, { signal }) => new Promise((_, stop) => signal.addEventListener('abort', stop, { once: true })),
      }),
      tool({
        name: 'throw',
        run: () => {
          throw new Error('the disk is full')
        },
      }),
    ],
  })
  const served = { plugin, tools: new Map(plugin.tools.map((one) => [one.definition.name, one])) }
  const never = new AbortController().signal
  await tryMany(INPUTS, scripts(requests), async (theirs) => {
    const link = new MemoryLink((stream) => stream.giveEnd())
    const host = new HostLink({
      link,
      served: () => served,
      options: {},
      onGreeted() {},
      shutDown: async () => true,
      closing: never,
      ending: never,
      report() {},
    })
    const serving = host.serve()
    for (const script of theirs) play(link.accept(), script)
    await settled()
    link.close()
    await serving
    await host.idle()
  })
})

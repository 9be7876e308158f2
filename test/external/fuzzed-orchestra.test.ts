/** Thousands of plugins of the existing protocol that answer and ask anything: the host answers, gives up or closes, and keeps nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RequestBody, type ResponseBody, serveLink } from '@callboard/sdk/external'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { CallboardError, UpstreamError } from '../../packages/callboard/src/errors.ts'
import { NamedCalls } from '../../packages/callboard/src/plugins/external/named-calls.ts'
import { answerPlugin } from '../../packages/callboard/src/plugins/external/orchestra/answer-plugin.ts'
import { EventBus } from '../../packages/callboard/src/plugins/external/orchestra/event-bus.ts'
import { OrchestraPeer } from '../../packages/callboard/src/plugins/external/orchestra/orchestra-peer.ts'
import { Registration } from '../../packages/callboard/src/plugins/external/orchestra/registration.ts'
import { Subscriptions } from '../../packages/callboard/src/plugins/external/orchestra/subscriptions.ts'
import { PluginFiles } from '../../packages/callboard/src/plugins/external/plugin-files.ts'
import type { PluginHost } from '../../packages/callboard/src/plugins/plugin.ts'
import { encodeRequest, encodeResponse } from '../../packages/sdk/src/external/protocol/messages.ts'
import { emptyHost, keptLog, toolCall } from '../fixtures/plugin-calls.ts'
import { MemoryLink, type MemoryStream } from './memory-link.ts'
import { ALL } from './orchestra-under-test.ts'
import { play, scripts, settled, tryMany } from './scripted-peers.ts'

const INPUTS = 2_000
const ID = 'tools.notes'

const folder = mkdtempSync(join(tmpdir(), 'callboard-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true }))

const schema = { type: 'object', properties: { text: { type: 'string' } } }

const ANSWERS: readonly ResponseBody[] = [
  { case: 'register', value: { accepted: true } },
  { case: 'register', value: { accepted: false, rejectReason: 'no' } },
  { case: 'boot', value: { ready: true } },
  { case: 'boot', value: { ready: false } },
  {
    case: 'listTools',
    value: {
      tools: [
        { name: 'note_add', inputSchema: schema },
        { name: 'x', inputSchema: {} },
      ],
    },
  },
  { case: 'toolCall', value: { success: true, result: { text: 'hi', more: [null, { deep: true }] } } },
  { case: 'toolCall', value: { success: false, errorCode: 'tool_not_found' } },
  { case: 'streamChunk', value: { data: Buffer.from('né').subarray(0, 2), sequence: 7n } },
  { case: 'streamEnd', value: { success: true, totalChunks: 2n ** 63n - 1n } },
  { case: 'streamEnd', value: { success: false, errorMessage: 'broken' } },
  { case: 'health', value: { status: 2, message: 'not well' } },
  { case: 'listPrompts', value: { prompts: [{ name: 'summary', arguments: [{ name: 'of' }] }] } },
  { case: 'promptGet', value: { messages: [{ role: 'nobody' }] } },
  { case: 'shutdown', value: { clean: true } },
  { case: 'eventDelivery', value: {} },
  { case: undefined },
]

const REQUESTS: readonly RequestBody[] = [
  { case: 'register', value: { id: ID, needsStorage: ['markdown'] } },
  { case: 'register', value: { id: 'tools.other' } },
  { case: 'health', value: {} },
  { case: 'listTools', value: {} },
  { case: 'toolCall', value: { toolName: 'acme.hello', arguments: { text: 'hi' } } },
  { case: 'toolCall', value: { toolName: '', provider: 'somebody' } },
  { case: 'storageRead', value: { path: '../../etc/passwd' } },
  { case: 'storageWrite', value: { path: 'a/b', content: Buffer.from('x'), expectedVersion: -1n } },
  { case: 'storageWrite', value: { path: 'a', metadata: { of: 1 }, expectedVersion: 2n ** 62n } },
  { case: 'storageDelete', value: { path: 'a/b' } },
  { case: 'storageList', value: { prefix: 'a/', pattern: '*a*a*' } },
  { case: 'subscribe', value: { topic: 't', subscriptionId: 's', filters: { kind: 'md' } } },
  { case: 'subscribe', value: { topic: 't' } },
  { case: 'unsubscribe', value: { subscriptionId: 's' } },
  { case: 'publish', value: { topic: 't', eventType: 'made', payload: { kind: 'md', __proto__: 'x' } } },
  { case: 'publish', value: { topic: 't' } },
  { case: 'streamStart', value: { streamId: '1', toolName: 'acme.hello' } },
  { case: 'hello', value: { version: 1 } },
]

const ids = ['1', '2', '3', 'call-1', '']
const answers = ids.flatMap((id) => ANSWERS.map((answer) => encodeResponse(id, answer)))
const requests = ids.flatMap((id) => REQUESTS.map((request) => encodeRequest(id, request)))
const GREETING = [
  encodeResponse('1', { case: 'register', value: { accepted: true } }),
  encodeResponse('2', { case: 'boot', value: { ready: true } }),
]
const REGISTERING = encodeRequest('register', { case: 'register', value: { id: ID } })

function reject(reason: unknown): void {
  if (!(reason instanceof CallboardError || reason instanceof UpstreamError)) throw reason
}

/** Asks everything that a host asks. */
async function converse(peer: OrchestraPeer, calls: NamedCalls, signal: AbortSignal): Promise<void> {
  const call = toolCall({ package: ID, name: 'note_add', action: 'note_add' }, {}, { signal, onProgress() {} })
  await peer.boot({ key: 'value' }, signal).catch(reject)
  const asked: readonly Promise<unknown>[] = [
    peer.listTools(signal),
    calls.run(call, (own, id) => peer.call(own, id)),
    peer.health(signal),
    peer.relay('prompts/list', {}, signal),
    peer.relay('prompts/get', { name: 'summary' }, signal),
    peer.shutDown(1, signal),
  ]
  await Promise.all(asked.map((asking) => asking.catch(reject)))
}

test('whatever a plugin of Orchestra answers and asks, the host has an answer or an error in words', {
  timeout: 60_000,
}, async () => {
  const files = new PluginFiles(folder, 20_000)
  const inputs = fc.tuple(scripts(answers), scripts(requests), fc.boolean())
  await tryMany(INPUTS, inputs, async ([theirs, asked, isPolite]) => {
    const { log, lines } = keptLog()
    const host: PluginHost = {
      ...emptyHost(),
      log,
      call: async (_, name) => {
        throw new CallboardError('not_found', `no tool named "${name}"`)
      },
    }
    let opened = 0
    const streams: MemoryStream[] = []
    const link = new MemoryLink((stream) => {
      streams.push(stream)
      const greeting = isPolite ? GREETING[opened] : undefined
      if (greeting !== undefined) stream.give(greeting)
      else play(stream, theirs[opened % theirs.length] ?? { pieces: [], end: 'end' })
      opened += 1
    })
    const peer = new OrchestraPeer({
      pluginId: ID,
      link,
      streaming: ['note_add'],
      onToolsChanged() {},
      reports: () => [],
    })
    const bus = new EventBus()
    const subscriptions = new Subscriptions(bus, log)
    subscriptions.open((event, until) => peer.publish(event, until))
    const registration = new Registration(ID)
    const calls = new NamedCalls()
    const redact = (text: string): string => text
    const answer = answerPlugin({
      pluginId: ID,
      host,
      grants: { ...ALL, permissions: ['acme.*'] },
      calls,
      files,
      bus,
      subscriptions,
      registration,
      redact,
    })
    const back = new MemoryLink((stream) => stream.giveEnd())
    const serving = serveLink(back, answer)
    if (isPolite) back.accept().give(REGISTERING)
    const giveUp = new AbortController()
    const working = converse(peer, calls, giveUp.signal)
    for (const script of asked) play(back.accept(), script)
    await settled()
    giveUp.abort(new CallboardError('timeout', 'too late'))
    await working
    subscriptions.end()
    link.close()
    back.close()
    await serving
    expect(streams.every(({ isOver }) => isOver)).toBe(true)
    expect(calls.all()).toEqual([])
    expect(lines.filter(({ msg }) => msg === 'a call-back failed in the host')).toEqual([])
  })
})

/** The host asks an external plugin over a link: hello, tools, calls and their parts, and answers that make no sense. */
import type { ToolDefinition } from '@callboard/sdk'
import { describeTool, RESET, type ResponseBody, type Serve, serveLink, type Transport } from '@callboard/sdk/external'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import { PluginPeer } from '../../packages/callboard/src/plugins/external/plugin-peer.ts'
import type { ToolCall } from '../../packages/callboard/src/plugins/plugin.ts'
import { toolCall } from '../fixtures/plugin-calls.ts'
import { type LinkPair, openPair } from '../link/link-pair.ts'

const ID = 'acme/echo'
const ECHO: ToolDefinition = {
  package: ID,
  name: 'echo',
  action: 'echo',
  title: 'Echo',
  description: 'Says it again',
  inputSchema: { type: 'object', properties: { id: { type: 'integer', maximum: 9_007_199_254_740_991 } } },
  outputSchema: { type: 'object' },
  permission: 'acme.echo.use',
  readOnly: true,
  destructive: false,
  idempotent: false,
  openWorld: true,
  streaming: false,
  surfaces: ['cli'],
  tags: ['a', 'b'],
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

function call(more: Partial<ToolCall> = {}): ToolCall {
  return toolCall(ECHO, { id: 9_007_199_254_740_991 }, { user: 'ana', ...more })
}

describe.each<Transport>(['quic', 'tls'])('over %s', (transport) => {
  let pair: LinkPair
  let answers: Record<string, (request: Parameters<Serve>[0]) => Promise<ResponseBody> | ResponseBody>

  beforeEach(async () => {
    pair = await openPair(transport)
    answers = {
      hello: () => ({ case: 'hello', value: { version: 1, manifest: { id: ID, version: '1.2.3' } } }),
    }
    void serveLink(pair.accepted, async (request) => {
      const answer = answers[request.body.case ?? '']
      if (answer === undefined) throw new Error(`nothing answers ${request.body.case}`)
      return await answer(request)
    })
  })
  afterEach(() => pair[Symbol.asyncDispose]())

  function greet(signal: AbortSignal = AbortSignal.timeout(10_000)): Promise<PluginPeer> {
    return PluginPeer.greet(pair.dialled, { pluginId: ID, software: 'test', signal })
  }

  /** Answers a call with this, and makes it. */
  async function callWith(answer: (typeof answers)[string], more: Partial<ToolCall> = {}) {
    answers.toolCall = answer
    return await (await greet()).call(call(more))
  }

  test('a plugin that says who it is has been greeted', async () => {
    expect((await greet()).manifest).toMatchObject({ id: ID, version: '1.2.3' })
  })

  test('one that claims another id is refused, and loses its link', async () => {
    answers.hello = () => ({ case: 'hello', value: { version: 1, manifest: { id: 'acme/other' } } })
    await expect(greet()).rejects.toMatchObject({ message: 'plugin "acme/echo": it says it is "acme/other"' })
    expect(await pair.accepted.ended).toMatchObject({ kind: 'closed' })
  })

  test('one that never answers is given up by the signal', async () => {
    answers.hello = () => new Promise(() => {})
    const late = new CallboardError('timeout', 'not started within 50 ms')
    const enough = new AbortController()
    const greeting = greet(enough.signal)
    enough.abort(late)
    await expect(greeting).rejects.toBe(late)
  })

  test('every field of a definition crosses the wire', async () => {
    answers.listTools = () => ({ case: 'listTools', value: { tools: [describeTool(ECHO)] } })
    const peer = await greet()
    expect(await peer.listTools(AbortSignal.timeout(10_000))).toEqual({ tools: [ECHO], reports: [] })
  })

  test('ten thousand tools are read, and a broken one costs no other', async () => {
    const tools = Array.from({ length: 10_000 }, (_, index) => ({ name: `tool${index}` }))
    const broken = [
      { name: 'bad', inputSchemaJson: Buffer.from('{') },
      { name: '' },
      { name: 'tool7' },
      { name: 's', surfaces: ['web'] },
    ]
    answers.listTools = () => ({ case: 'listTools', value: { tools: [...tools, ...broken] } })
    const reading = await (await greet()).listTools(AbortSignal.timeout(10_000))
    expect(reading.tools).toHaveLength(10_000)
    expect(reading.reports).toEqual([
      'a tool was left out: the input schema of "bad" is no JSON',
      expect.stringContaining('`name` has to be a text'),
      'tool "tool7" is listed twice; the first stays',
      'a tool was left out: tool "s" is for the surface "web"; there are "mcp" and "cli"',
    ])
  })

  test('a call carries who calls and with what, and its result comes back as it is', async () => {
    const result = {
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { id: 9_007_199_254_740_991 },
      isError: false,
      _meta: { a: 1 },
      odd: true,
    }
    let asked: unknown
    const answered = await callWith(
      ({ body }) => {
        asked = body.case === 'toolCall' && {
          ...body.value,
          argumentsJson: Buffer.from(body.value.argumentsJson).toString(),
        }
        return { case: 'toolCall', value: { success: true, resultJson: json(result) } }
      },
      { provider: 'claude', meta: { trace: 'x' } },
    )
    expect(answered).toEqual(result)
    expect(asked).toMatchObject({
      toolName: 'echo',
      user: 'ana',
      surface: 'mcp',
      provider: 'claude',
      wantsProgress: false,
      argumentsJson: '{"id":9007199254740991}',
    })
  })

  test('progress, log messages and pieces reach the caller in order, and pieces without a result are the result', async () => {
    const seen: unknown[] = []
    const accent = Buffer.from('né')
    const answered = await callWith(
      async ({ sendPart }) => {
        await sendPart({ case: 'progress', value: { progress: 1, total: 2, message: 'half' } })
        await sendPart({ case: 'logMessage', value: { level: 'debug', dataJson: json('too quiet') } })
        await sendPart({ case: 'logMessage', value: { level: 'error', dataJson: json({ disk: 'full' }) } })
        await sendPart({ case: 'streamChunk', value: { data: accent.subarray(0, 2), sequence: 0n } })
        await sendPart({ case: 'streamChunk', value: { data: accent.subarray(2), sequence: 1n } })
        return { case: 'toolCall', value: { success: true } }
      },
      { onProgress: (step) => seen.push(step), log: { level: 'info', write: (message) => seen.push(message) } },
    )
    expect(seen).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { level: 'error', logger: ID, data: { disk: 'full' } },
      { progress: 1, message: 'n', isPiece: true },
      { progress: 2, message: 'é', isPiece: true },
    ])
    expect(answered).toEqual({ content: [{ type: 'text', text: 'né' }] })
  })

  test('a log message that is no JSON is told as such, and costs the call nothing', async () => {
    const seen: unknown[] = []
    const answered = await callWith(
      async ({ sendPart }) => {
        await sendPart({ case: 'logMessage', value: { level: 'debug', dataJson: Buffer.from('{') } })
        await sendPart({ case: 'logMessage', value: { level: 'error', dataJson: Buffer.from('{') } })
        return { case: 'toolCall', value: { success: true, resultJson: json({ content: [] }) } }
      },
      { log: { level: 'info', write: (message) => seen.push(message) } },
    )
    expect(answered).toEqual({ content: [] })
    expect(seen).toEqual([
      { level: 'error', logger: ID, data: 'a log message of the plugin was left out: its data is no JSON' },
    ])
  })

  test('an answer in pieces without an end is broken off, and the plugin hears of it', async () => {
    const heard = Promise.withResolvers<unknown>()
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const calling = callWith(async ({ sendPart, signal }) => {
      signal.addEventListener('abort', () => heard.resolve(signal.reason), { once: true })
      for (let sequence = 0n; !signal.aborted; sequence++)
        await sendPart({ case: 'streamChunk', value: { data: piece, sequence } })
      throw signal.reason
    })
    await expect(calling).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'plugin "acme/echo": its answer in pieces is longer than 16777216 characters',
    })
    expect(await heard.promise).toMatchObject({ code: RESET.cancelled })
  })

  test.each<[string, ResponseBody, string, string]>([
    [
      'a failure in words',
      { case: 'toolCall', value: { success: false, errorMessage: 'no disk' } },
      'tool_failed',
      'no disk',
    ],
    ['nothing', { case: 'toolCall', value: { success: true } }, 'tool_failed', 'it answered without a result'],
    [
      'no JSON',
      { case: 'toolCall', value: { success: true, resultJson: Buffer.from('{') } },
      'tool_failed',
      'the result is no JSON',
    ],
    [
      'no content',
      { case: 'toolCall', value: { success: true, resultJson: json({}) } },
      'tool_failed',
      'the result has to have a list `content`',
    ],
    [
      'another answer',
      { case: 'done', value: {} },
      'tool_failed',
      'it answered with done where the result of a call is expected',
    ],
    [
      'a fault',
      { case: 'fault', value: { code: 3, message: 'id is too large' } },
      'invalid_arguments',
      'id is too large',
    ],
  ])('%s is an error in words', async (_what, answer, code, message) => {
    await expect(callWith(() => answer)).rejects.toMatchObject({ code, message: `plugin "acme/echo": ${message}` })
  })

  test('a call whose time is up ends with the reason of its signal, and the plugin hears why', async () => {
    const reason = new CallboardError('timeout', 'the tool took longer than 1s')
    const enough = new AbortController()
    const heard = Promise.withResolvers<unknown>()
    const calling = callWith(
      ({ signal }) => {
        signal.addEventListener('abort', () => heard.resolve(signal.reason), { once: true })
        enough.abort(reason)
        return new Promise(() => {})
      },
      { signal: enough.signal },
    )
    await expect(calling).rejects.toBe(reason)
    expect(await heard.promise).toMatchObject({ code: RESET.deadline })
  })

  test('a plugin that dies in mid-call fails it at once', async () => {
    const calling = callWith(() => {
      pair.accepted.close()
      return new Promise(() => {})
    })
    await expect(calling).rejects.toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining('closed the link'),
    })
  })

  test('health is what the plugin says', async () => {
    const peer = await greet()
    answers.health = () => ({ case: 'health', value: { status: 1 } })
    expect(await peer.health(AbortSignal.timeout(10_000))).toEqual({ isHealthy: true, reason: '' })
    answers.health = () => ({ case: 'health', value: { status: 2, message: 'the disk is nearly full' } })
    expect(await peer.health(AbortSignal.timeout(10_000))).toEqual({
      isHealthy: false,
      reason: 'the disk is nearly full',
    })
  })
})

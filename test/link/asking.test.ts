/** Requests and answers over a link: on streams of their own and on a shared one. */
import { once } from 'node:events'
import {
  Asker,
  RESET,
  type Serve,
  type ServedRequest,
  StreamReset,
  serveLink,
  type Transport,
} from '@callboard/sdk/external'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LinkPair, nextStream, openPair } from './link-pair.ts'

const PIECE = Buffer.alloc(64 * 1024, 5)

/** What the served end does, by the name of the tool that is called. */
class Stage {
  readonly events: EventTarget = new EventTarget()
  readonly cancelled: unknown[] = []
  partsSent = 0

  readonly serve: Serve = async (request) => {
    const { body } = request
    if (body.case === 'health') return { case: 'health', value: { status: 1 } }
    if (body.case !== 'toolCall') throw new Error(`nothing serves ${body.case}`)
    switch (body.value.toolName) {
      case 'echo':
        return { case: 'toolCall', value: { success: true, resultJson: body.value.argumentsJson } }
      case 'wait':
        return await this.#wait(request)
      case 'progress':
        for (const progress of [1, 2, 3]) await request.sendPart({ case: 'progress', value: { progress, total: 3 } })
        return { case: 'toolCall', value: { success: true } }
      case 'pour':
        for (; !request.signal.aborted; this.partsSent += 1)
          await request.sendPart({ case: 'streamChunk', value: { data: PIECE, sequence: BigInt(this.partsSent) } })
        return { case: 'toolCall', value: { success: false } }
      default:
        throw new Error(`no tool "${body.value.toolName}"`)
    }
  }

  async #wait({ signal }: ServedRequest): Promise<never> {
    this.events.dispatchEvent(new Event('waiting'))
    if (!signal.aborted) await once(signal, 'abort')
    this.cancelled.push(signal.reason)
    this.events.dispatchEvent(new Event('cancelled'))
    throw signal.reason
  }
}

function call(toolName: string, argumentsJson: Uint8Array = Buffer.of()) {
  return { case: 'toolCall', value: { toolName, argumentsJson } } as const
}

describe.each<Transport>(['quic', 'tls'])('over %s', (transport) => {
  let pair: LinkPair
  let stage: Stage
  let asker: Asker
  let served: Promise<unknown>

  beforeEach(async () => {
    pair = await openPair(transport)
    stage = new Stage()
    asker = new Asker(pair.dialled)
    served = serveLink(pair.accepted, stage.serve)
  })
  afterEach(async () => {
    await pair[Symbol.asyncDispose]()
    await served
  })

  describe.each([{ isShared: false }, { isShared: true }])('with %o', (options) => {
    test('an answer comes to who asked, whatever else is asked', async () => {
      const asked = Array.from({ length: 300 }, (_, index) => Buffer.from(JSON.stringify({ index })))
      const answers = await Promise.all(asked.map((bytes) => asker.ask(call('echo', bytes), options)))
      expect(answers.map((answer) => answer.case === 'toolCall' && Buffer.from(answer.value.resultJson))).toEqual(asked)
    })

    test('progress comes before the answer, in order', async () => {
      const parts: unknown[] = []
      const answer = await asker.ask(call('progress'), { ...options, onPart: (part) => parts.push(part.value) })
      expect(parts).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3, total: 3 }])
      expect(answer).toMatchObject({ case: 'toolCall', value: { success: true } })
    })

    test('what the served end throws is a fault with its words', async () => {
      expect(await asker.ask(call('nothing'), options)).toMatchObject({
        case: 'fault',
        value: { code: 1, message: 'no tool "nothing"' },
      })
    })

    test('a cancelled request ends at both ends, and others go on', async () => {
      const waiting = once(stage.events, 'waiting')
      const enough = new AbortController()
      const asked = asker.ask(call('wait'), { ...options, signal: enough.signal })
      await waiting
      const cancelled = once(stage.events, 'cancelled')
      enough.abort(new Error('enough'))
      await expect(asked).rejects.toThrow('enough')
      await cancelled
      expect(stage.cancelled).toEqual([expect.objectContaining({ code: RESET.cancelled })])
      expect(await asker.ask({ case: 'health', value: {} }, options)).toMatchObject({ case: 'health' })
    })

    test('when the link ends, who asked hears it at once, and so does who serves', async () => {
      const waiting = once(stage.events, 'waiting')
      const asked = asker.ask(call('wait'), options)
      await waiting
      const cancelled = once(stage.events, 'cancelled')
      pair.accepted.close()
      await expect(asked).rejects.toMatchObject({ name: 'LinkError', kind: 'closed' })
      await cancelled
      await expect(asker.ask(call('echo'), options)).rejects.toMatchObject({ kind: 'closed' })
    })

    test('what is too long for a frame is refused by who would send it', async () => {
      await expect(asker.ask(call('echo', Buffer.alloc(17 * 1024 * 1024)), options)).rejects.toThrow(/at most 16777216/)
      expect(await asker.ask(call('echo', Buffer.from('1')), options)).toMatchObject({ case: 'toolCall' })
    })
  })

  test('a request whose time is up says so to who serves it', async () => {
    const waiting = once(stage.events, 'waiting')
    const deadline = new AbortController()
    const asked = asker.ask(call('wait'), { signal: deadline.signal })
    await waiting
    const cancelled = once(stage.events, 'cancelled')
    deadline.abort(new DOMException('too late', 'TimeoutError'))
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
    await cancelled
    expect(stage.cancelled).toEqual([new StreamReset(RESET.deadline)])
  })

  test('chunks come at the pace of their reader', async () => {
    const taken: number[] = []
    const enough = new AbortController()
    const onPart = async (): Promise<void> => {
      taken.push(stage.partsSent)
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (taken.length === 20) enough.abort(new Error('seen enough'))
    }
    await expect(asker.ask(call('pour'), { signal: enough.signal, onPart })).rejects.toThrow('seen enough')
    expect(Math.max(...taken) * PIECE.length).toBeLessThan(20 * 1024 * 1024)
  })

  test('the answer of 16 MB that just fits arrives whole', async () => {
    const bytes = Buffer.alloc(16 * 1024 * 1024 - 100, 'x')
    const answer = await asker.ask(call('echo', bytes))
    expect(answer.case === 'toolCall' && bytes.equals(answer.value.resultJson)).toBe(true)
  })

  test('both ends ask and serve at once', async () => {
    void serveLink(pair.dialled, new Stage().serve)
    const back = new Asker(pair.accepted)
    const [forth, down] = await Promise.all([asker.ask(call('progress')), back.ask(call('progress'))])
    expect([forth.case, down.case]).toEqual(['toolCall', 'toolCall'])
  })

  test('a peer that writes garbage loses the link, and both ends say what came', async () => {
    const stream = await pair.dialled.openStream()
    await stream.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    expect(await pair.dialled.ended).toMatchObject({ kind: 'closed' })
    await served
  })

  test('a peer that answers with garbage loses the link', async () => {
    const other = await openPair(transport)
    const asked = new Asker(other.dialled).ask({ case: 'health', value: {} })
    const stream = await nextStream(other.accepted)
    await stream.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await expect(asked).rejects.toMatchObject({ name: 'ProtocolError', message: expect.stringContaining('"HTTP"') })
    expect(await other.accepted.ended).toMatchObject({ kind: 'closed' })
    await other[Symbol.asyncDispose]()
  })
})

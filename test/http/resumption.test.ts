/** A client of 2025-11-25 that loses a stream goes on where it was, with `Last-Event-ID`. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpLimits } from '../../packages/callboard/src/surfaces/mcp/http/limits.ts'
import type { ToolCalls } from '../../packages/callboard/src/surfaces/mcp/http/tool-calls.ts'
import { call, connectClient, open, openSession, raw, type Subject, startSurface, until } from './surface.ts'

/** The tool `paced` reports a step for each `step`, and answers with what `finish` is given. */
interface Pace {
  step(progress: number): Promise<void>
  finish(text: string): void
}

let subject: Subject
let paces: Map<string, Pace>

async function start(limits: Partial<HttpLimits> = {}): Promise<void> {
  paces = new Map()
  const toolCalls: ToolCalls = {
    serverInfo: { name: 'subject', version: '0' },
    call: async ({ params }, _server, { notify }) => {
      const key = String(Object(params?.arguments).key)
      const done = Promise.withResolvers<string>()
      const progressToken = params?._meta?.progressToken ?? key
      const step = (progress: number) =>
        notify({ method: 'notifications/progress', params: { progressToken, progress } })
      paces.set(key, { step, finish: done.resolve })
      return { content: [{ type: 'text', text: await done.promise }] }
    },
  }
  subject = await startSurface({ toolCalls, limits: { resumableMs: 10, ...limits } })
}

beforeEach(() => start())
afterEach(() => subject.surface.close())

const VERSION = { 'mcp-protocol-version': '2025-11-25' }

async function session(): Promise<Record<string, string>> {
  return { ...(await openSession(subject.url)), ...VERSION }
}

async function paceOf(key: string): Promise<Pace> {
  await until(() => paces.has(key))
  const pace = paces.get(key)
  if (pace === undefined) throw new Error(`nobody called with ${key}`)
  return pace
}

/** Reads events off a stream, one by one. */
class Events {
  readonly answer: IncomingMessage
  readonly #parts: AsyncIterator<string>
  #text = ''

  constructor(answer: IncomingMessage) {
    this.answer = answer
    this.#parts = answer.setEncoding('utf8')[Symbol.asyncIterator]()
  }

  /** The next event; undefined at the end. */
  async next(): Promise<{ id: string | undefined; retry: string | undefined; message: Json } | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (block.startsWith(':')) continue
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const data = field('data')
        return { id: field('id'), retry: field('retry'), message: data ? JSON.parse(data) : undefined }
      }
      const part = await this.#parts.next()
      if (part.done) return undefined
      this.#text += part.value
    }
  }
}

interface Json {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly progress?: number }
  readonly result?: { readonly content: readonly { readonly text: string }[] }
  readonly error?: { readonly message: string }
}

/** What a message is about, in short. */
function gist(message: Json | undefined): unknown {
  return message?.params?.progress ?? message?.result?.content[0]?.text ?? message?.error?.message ?? message?.method
}

async function gists(events: Events): Promise<unknown[]> {
  const all: unknown[] = []
  for (let event = await events.next(); event !== undefined; event = await events.next())
    if (event.message !== undefined) all.push(gist(event.message))
  return all
}

async function begin(headers: Record<string, string>, id: number, key: string): Promise<Events> {
  return new Events(await open(subject.url, { headers, body: call(id, 'paced', { key }) }))
}

async function resume(headers: Record<string, string>, lastEventId: string): Promise<Events> {
  return new Events(await open(subject.url, { method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } }))
}

describe('an answer that takes long', () => {
  it('is streamed, with an empty event first from which it can be resumed, and a time to wait before that', async () => {
    const events = await begin(await session(), 1, 'a')
    const first = await events.next()
    expect(first).toMatchObject({ id: expect.stringMatching(/^\d+-\d+$/), retry: '1000', message: undefined })
    ;(await paceOf('a')).finish('done')
    const last = await events.next()
    expect(last).toMatchObject({ message: { id: 1, result: { content: [{ text: 'done' }] } } })
    expect(last?.id).not.toBe(first?.id)
    expect(await events.next()).toBeUndefined()
  })

  it('is one JSON body for a client of an older revision, which could not resume it', async () => {
    const headers = await openSession(subject.url)
    const other = await begin(await session(), 1, 'newer')
    const answer = raw(subject.url, { headers, body: call(1, 'paced', { key: 'older' }) })
    const pace = await paceOf('older')
    // By now the answer to the newer client is a stream.
    await other.next()
    pace.finish('done')
    expect(await answer).toMatchObject({ headers: { 'content-type': 'application/json' } })
    other.answer.destroy()
  })
})

describe('a stream that broke', () => {
  it('goes on with what was missed and what comes, and with nothing of another call', async () => {
    const headers = await session()
    const [mine, other] = [await begin(headers, 1, 'mine'), await begin(headers, 2, 'other')]
    const [pace, otherPace] = [await paceOf('mine'), await paceOf('other')]
    await pace.step(1)
    await mine.next()
    const seen = await mine.next()
    expect(gist(seen?.message)).toBe(1)
    mine.answer.destroy()
    await once(mine.answer, 'close')
    await pace.step(2)
    await otherPace.step(20)
    const again = await resume(headers, seen?.id ?? '')
    expect(gist((await again.next())?.message)).toBe(2)
    await pace.step(3)
    pace.finish('done')
    expect(await gists(again)).toEqual([3, 'done'])
    otherPace.finish('other is done')
    expect(await gists(other)).toEqual([20, 'other is done'])
  })

  it('is sent whole to a client that saw nothing but the empty event, also when it was answered meanwhile', async () => {
    const headers = await session()
    const events = await begin(headers, 1, 'a')
    const first = await events.next()
    events.answer.destroy()
    await once(events.answer, 'close')
    const pace = await paceOf('a')
    await pace.step(1)
    pace.finish('done')
    for (let time = 1; time <= 2; time++)
      expect(await gists(await resume(headers, first?.id ?? ''))).toEqual([1, 'done'])
  })

  it('goes on over the new connection when the old one only seems to be open', async () => {
    const headers = await session()
    const old = await begin(headers, 1, 'a')
    const first = await old.next()
    const events = await resume(headers, first?.id ?? '')
    expect(await gists(old)).toEqual([])
    ;(await paceOf('a')).finish('done')
    expect(await gists(events)).toEqual(['done'])
  })

  it('says so when the answer was too large to be kept', async () => {
    await subject.surface.close()
    await start({ resumeSessionBytes: 1_000 })
    const headers = await session()
    const events = await begin(headers, 1, 'a')
    const first = await events.next()
    events.answer.destroy()
    await once(events.answer, 'close')
    ;(await paceOf('a')).finish('x'.repeat(2_000))
    const [answer] = await gists(await resume(headers, first?.id ?? ''))
    expect(answer).toMatch(
      /^the connection was lost, and the answer of \d+ bytes was too large to be kept; call again$/,
    )
  })

  it('is 400 when nothing is known of it, and 404 in a session that is not its client’s', async () => {
    const headers = await session()
    const status = async (more: Record<string, string>) =>
      (await raw(subject.url, { method: 'GET', headers: { ...headers, ...more } })).status
    expect(await status({ 'last-event-id': '7-7' })).toBe(400)
    expect(await status({ 'last-event-id': 'nonsense' })).toBe(400)
    expect(await status({ 'last-event-id': '1-1', 'x-user': 'bob' })).toBe(404)
  })
})

describe('the stream that belongs to no call', () => {
  const changed = 'notifications/tools/list_changed'

  it('carries what was missed to a client that resumes it, and not to one that opens it anew', async () => {
    const headers = await session()
    const stream = new Events(await open(subject.url, { method: 'GET', headers }))
    const first = await stream.next()
    stream.answer.destroy()
    await once(stream.answer, 'close')
    await until(async () => {
      const anew = new Events(await open(subject.url, { method: 'GET', headers }))
      const taken = anew.answer.statusCode === 409
      anew.answer.destroy()
      return !taken
    })
    await subject.servers[0]?.sendToolListChanged()
    const again = await resume(headers, first?.id ?? '')
    expect(gist((await again.next())?.message)).toBe(changed)
    again.answer.destroy()
  })
})

describe('a client on the official SDK', () => {
  it('gets the answer to its call although its connection was cut', async () => {
    await using cable = await cuttable(Number(new URL(subject.url).port))
    const client = await connectClient(`http://127.0.0.1:${cable.port}/mcp`, 'legacy')
    const progress: number[] = []
    const answer = client.callTool(
      { name: 'paced', arguments: { key: 'a' } },
      { onprogress: ({ progress: step }) => void progress.push(step) },
    )
    const pace = await paceOf('a')
    await pace.step(1)
    await until(() => progress.length === 1)
    cable.cut()
    await pace.step(2)
    pace.finish('done')
    expect(await answer).toMatchObject({ content: [{ text: 'done' }] })
    expect(progress).toEqual([1, 2])
    await client.close()
  })
})

/** A TCP connection in between that can be cut. */
async function cuttable(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Server } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HttpLimits } from '../../packages/callboard/src/surfaces/mcp/http/limits.ts'
import {
  call,
  connectClient,
  initialize,
  next,
  open,
  openSession,
  raw,
  type Subject,
  startSurface,
  until,
} from './surface.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

let subject: Subject

beforeEach(async () => {
  subject = await startSurface()
})

afterEach(() => subject.surface.close())

const status = async (...request: Parameters<typeof raw>) => (await raw(...request)).status
const errorOf = async (...request: Parameters<typeof raw>) => {
  const answer = await raw(...request)
  return { status: answer.status, ...JSON.parse(answer.text) }
}
const get = (url: string, session: Record<string, string>) => open(url, { method: 'GET', headers: session })
const restart = async (limits: Partial<HttpLimits>) => {
  await subject.surface.close()
  subject = await startSurface({ limits })
}

describe('a session', () => {
  it('begins with initialize and is named in visible ASCII', async () => {
    const answer = await raw(subject.url, { body: initialize })
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'mcp-session-id': expect.stringMatching(/^[\x21-\x7e]{32,}$/) },
    })
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
  })

  it('serves many requests with one server', async () => {
    const session = await openSession(subject.url)
    for (const id of [2, 'three', 4]) {
      const answer = await raw(subject.url, { headers: session, body: call(id, 'echo', { message: 'hi' }) })
      expect(answer.headers['content-type']).toBe('application/json')
      expect(JSON.parse(answer.text)).toMatchObject({ id, result: { content: [{ text: 'hi' }] } })
    }
    expect(subject.made).toMatchObject([{ caller: { user: 'ana' }, era: 'legacy' }])
  })

  it('is required: a request without one is 400, with its id', async () => {
    expect(await errorOf(subject.url, { body: call(7, 'echo') })).toMatchObject({ status: 400, id: 7 })
    expect(await status(subject.url, { method: 'GET' })).toBe(400)
    expect(await status(subject.url, { method: 'DELETE' })).toBe(400)
  })

  it('is 404 when it is unknown', async () => {
    const headers = { 'mcp-session-id': 'unknown' }
    for (const method of ['GET', 'DELETE']) expect(await status(subject.url, { method, headers })).toBe(404)
    for (const body of [call(7, 'echo'), initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }])
      expect(await status(subject.url, { headers, body })).toBe(404)
  })

  it('ends with DELETE, and is 404 from then on', async () => {
    const session = await openSession(subject.url)
    expect(await status(subject.url, { method: 'DELETE', headers: session })).toBe(200)
    expect(await status(subject.url, { headers: session, body: call(2, 'echo') })).toBe(404)
    expect(await status(subject.url, { method: 'DELETE', headers: session })).toBe(404)
  })

  it('belongs to the user who opened it; anyone else gets 404, as for one that does not exist', async () => {
    const session = await openSession(subject.url, { 'x-user': 'ana' })
    const stranger = { ...session, 'x-user': 'bob' }
    const body = call(2, 'whoami')
    const refused = await raw(subject.url, { headers: stranger, body })
    const unknown = await raw(subject.url, { headers: { ...stranger, 'mcp-session-id': 'unknown' }, body })
    expect(refused).toMatchObject({ status: 404, text: unknown.text })
    for (const method of ['GET', 'DELETE']) expect(await status(subject.url, { method, headers: stranger })).toBe(404)
    const own = await raw(subject.url, { headers: { ...session, 'x-user': 'ana' }, body })
    expect(own.text).toContain('ana')
  })

  it('takes no second initialize', async () => {
    const session = await openSession(subject.url)
    expect(await errorOf(subject.url, { headers: session, body: initialize })).toMatchObject({
      status: 400,
      error: { code: -32600 },
    })
  })

  it('is not opened by an initialize that says too little', async () => {
    const body = { ...initialize, params: { protocolVersion: '2025-11-25' } }
    expect(await errorOf(subject.url, { body })).toMatchObject({ status: 400, id: 1, error: { code: -32602 } })
    expect(subject.made).toEqual([])
  })

  it('answers 400 to a protocol version that it does not speak, and goes on with those it does', async () => {
    const session = await openSession(subject.url)
    const said = (version: string) => ({ ...session, 'mcp-protocol-version': version })
    expect(await status(subject.url, { headers: said('1999-01-01'), body: call(2, 'echo') })).toBe(400)
    expect(await status(subject.url, { headers: said('2025-03-26'), body: call(2, 'echo') })).toBe(200)
    expect(await status(subject.url, { method: 'GET', headers: said('1999-01-01') })).toBe(400)
  })

  it('takes notifications and answers with 202 and nothing else', async () => {
    const session = await openSession(subject.url)
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await raw(subject.url, { headers: session, body })).toMatchObject({ status: 202, text: '' })
    const response = { jsonrpc: '2.0', id: 99, result: {} }
    expect(await raw(subject.url, { headers: session, body: response })).toMatchObject({ status: 202, text: '' })
  })
})

describe('the stream of a session', () => {
  it('is opened by GET, carries list_changed, and is one at a time', async () => {
    const session = await openSession(subject.url)
    const stream = await get(subject.url, session)
    expect(stream).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    })
    expect(await status(subject.url, { method: 'GET', headers: session })).toBe(409)
    await subject.servers[0]?.sendToolListChanged()
    const [chunk] = await stream.take(1).toArray()
    expect(String(chunk)).toBe(
      'id: 0-1\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
    )
    stream.destroy()
    await until(async () => {
      const again = await get(subject.url, session)
      again.destroy()
      return again.statusCode === 200
    })
  })

  it('ends with its session', async () => {
    const session = await openSession(subject.url)
    const stream = await get(subject.url, session)
    await raw(subject.url, { method: 'DELETE', headers: session })
    expect(await stream.toArray()).toEqual([])
  })

  it('gives signs of life', async () => {
    await restart({ keepAliveMs: 10 })
    const stream = await get(subject.url, await openSession(subject.url))
    const [chunk] = await stream.take(1).toArray()
    expect(String(chunk)).toMatch(/^: /)
    stream.destroy()
  })
})

describe('a call', () => {
  it('is answered with events as soon as there is progress, none of which is lost', async () => {
    const session = await openSession(subject.url)
    const answer = await raw(subject.url, { headers: session, body: call(5, 'steps') })
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', ...session })
    const messages = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(messages.map((message) => message.params?.progress)).toEqual([1, 2, 3, undefined])
    expect(messages.at(-1)).toMatchObject({ id: 5, result: { content: [{ text: 'done' }] } })
  })

  it('that takes long gives signs of life on an event stream', async () => {
    await restart({ keepAliveMs: 10 })
    const session = await openSession(subject.url)
    const hanging = next(subject.calls, 'hanging')
    const stream = await open(subject.url, { headers: session, body: call(5, 'hang') })
    await hanging
    expect(stream.headers['content-type']).toBe('text/event-stream')
    const [chunk] = await stream.take(1).toArray()
    expect(String(chunk)).toMatch(/^: /)
    stream.destroy()
  })

  it('goes on when its client breaks off, which is no cancellation in this era', async () => {
    const session = await openSession(subject.url)
    let aborted = false
    subject.calls.addEventListener('aborted', () => {
      aborted = true
    })
    const hanging = next(subject.calls, 'hanging')
    const gone = new AbortController()
    const answer = fetch(subject.url, {
      method: 'POST',
      signal: gone.signal,
      headers: { ...session, 'content-type': 'application/json', accept: '*/*' },
      body: JSON.stringify(call(5, 'hang')),
    })
    await hanging
    gone.abort()
    await expect(answer).rejects.toThrow()
    expect(await status(subject.url, { headers: session, body: call(6, 'echo') })).toBe(200)
    expect(aborted).toBe(false)
  })

  it('ends without an answer when it is cancelled', async () => {
    const session = await openSession(subject.url)
    const hanging = next(subject.calls, 'hanging')
    const aborted = next(subject.calls, 'aborted')
    const answer = raw(subject.url, { headers: session, body: call(5, 'hang') })
    await hanging
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }
    expect(await status(subject.url, { headers: session, body: cancel })).toBe(202)
    await aborted
    expect(await answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' }, text: '' })
  })

  it('is answered with an error when its session ends', async () => {
    const session = await openSession(subject.url)
    const hanging = next(subject.calls, 'hanging')
    const aborted = next(subject.calls, 'aborted')
    const answer = errorOf(subject.url, { headers: session, body: call(5, 'hang') })
    await hanging
    await raw(subject.url, { method: 'DELETE', headers: session })
    await aborted
    expect(await answer).toMatchObject({ status: 200, id: 5, error: { message: 'the session has ended' } })
  })

  it('is refused when another with its id is still running', async () => {
    const session = await openSession(subject.url)
    const hanging = next(subject.calls, 'hanging')
    const first = raw(subject.url, { headers: session, body: call(5, 'hang') })
    await hanging
    expect(await errorOf(subject.url, { headers: session, body: call(5, 'echo') })).toMatchObject({
      status: 400,
      id: 5,
      error: { code: -32600 },
    })
    await raw(subject.url, { method: 'DELETE', headers: session })
    expect((await first).text).toContain('the session has ended')
  })
})

describe('a batch', () => {
  it('is answered with an array, one answer for each request', async () => {
    const session = await openSession(subject.url)
    const body = [
      call('a', 'whoami'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('b', 'echo', { message: 'hi' }),
    ]
    const answers = JSON.parse((await raw(subject.url, { headers: session, body })).text)
    expect(answers.map(({ id }: { id: string }) => id).sort()).toEqual(['a', 'b'])
  })

  it('of one is answered with an array of one, and of notifications with 202', async () => {
    const session = await openSession(subject.url)
    expect(JSON.parse((await raw(subject.url, { headers: session, body: [call('a', 'echo')] })).text)).toHaveLength(1)
    expect(
      await status(subject.url, { headers: session, body: [{ jsonrpc: '2.0', method: 'notifications/initialized' }] }),
    ).toBe(202)
  })

  it('loses no answer when one of them makes progress', async () => {
    const session = await openSession(subject.url)
    const { text } = await raw(subject.url, { headers: session, body: [call('a', 'echo'), call('b', 'steps')] })
    const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(
      messages
        .filter(({ result }) => result !== undefined)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['a', 'b'])
    expect(messages).toHaveLength(5)
  })

  it('leaves everybody else a turn after every few of its messages, however many batches come at once', async () => {
    let turn = 0
    const calls = new Map<number, number>()
    const count = (): void => {
      turn += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    onTestFinished(() => clearImmediate(counting))
    await subject.surface.close()
    subject = await startSurface({
      toolCalls: {
        serverInfo: { name: 'subject', version: '0' },
        call: async () => {
          calls.set(turn, (calls.get(turn) ?? 0) + 1)
          return { content: [] }
        },
      },
    })
    const body = Array.from({ length: 100 }, (_, id) => call(id, 'echo'))
    const flood = Array.from({ length: 8 }, async () => {
      const answer = await raw(subject.url, { headers: await openSession(subject.url), body })
      expect(JSON.parse(answer.text)).toHaveLength(100)
    })
    await Promise.all(flood)
    expect(Math.max(...calls.values())).toBeLessThanOrEqual(8)
  })

  it('of notifications is answered when all of them were taken, so that nobody can fill the memory with them', async () => {
    const session = await openSession(subject.url)
    const seen: unknown[] = []
    const [server] = subject.servers
    if (server === undefined) throw new Error('no server')
    server.fallbackNotificationHandler = async ({ params }) => void seen.push(params?.n)
    const body = Array.from({ length: 100 }, (_, n) => ({ jsonrpc: '2.0', method: 'notifications/n', params: { n } }))
    expect(await status(subject.url, { headers: session, body })).toBe(202)
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  it('hands on nothing that was cancelled before its turn', async () => {
    const session = await openSession(subject.url)
    let hanging = false
    subject.calls.addEventListener('hanging', () => {
      hanging = true
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } }
    const body = [cancel, call('a', 'echo'), call('b', 'hang')]
    const answers = JSON.parse((await raw(subject.url, { headers: session, body })).text)
    expect(answers.map(({ id }: { id: string }) => id)).toEqual(['a'])
    expect(await status(subject.url, { headers: session, body: call('c', 'echo') })).toBe(200)
    expect(hanging).toBe(false)
  })

  it.each([
    ['with an initialize', [initialize]],
    ['with one id twice', [call('a', 'echo'), call('a', 'echo')]],
    ['that is too long', Array.from({ length: 101 }, (_, id) => call(id, 'echo'))],
    [
      'with a modern request',
      [{ ...call(1, 'echo'), params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }],
    ],
  ])('%s is 400 and -32600', async (_, body) => {
    const session = await openSession(subject.url)
    expect(await errorOf(subject.url, { headers: session, body })).toMatchObject({
      status: 400,
      id: null,
      error: { code: -32600 },
    })
  })
})

describe('the number of sessions', () => {
  it('is bounded: a thousand abandoned ones leave as many as may be, and the one idle longest goes first', async () => {
    await restart({ sessions: 5 })
    const used = await openSession(subject.url)
    const sessions: Record<string, string>[] = []
    for (let i = 0; i < 1000; i += 1) {
      sessions.push(await openSession(subject.url))
      // A session that is used stays, whatever its age.
      if (i % 2 === 0) await raw(subject.url, { headers: used, body: call(i, 'echo') })
    }
    const alive = async (session: Record<string, string>) =>
      (await status(subject.url, { headers: session, body: call('x', 'echo') })) === 200
    const kept = await Promise.all(sessions.map(alive))
    expect(kept.lastIndexOf(false)).toBe(sessions.length - 5)
    expect(kept.filter(Boolean)).toHaveLength(4)
    expect(await alive(used)).toBe(true)
    expect(subject.servers.filter(({ transport }) => transport !== undefined)).toHaveLength(5)
  })

  it('spares sessions that have a stream or a call, and refuses new ones with 503 when there are no others', async () => {
    await restart({ sessions: 2 })
    const streaming = await openSession(subject.url)
    const stream = await get(subject.url, streaming)
    const calling = await openSession(subject.url)
    const hanging = next(subject.calls, 'hanging')
    const answer = raw(subject.url, { headers: calling, body: call(5, 'hang') })
    await hanging
    expect(await errorOf(subject.url, { body: initialize })).toMatchObject({ status: 503, id: 1 })
    await raw(subject.url, {
      headers: calling,
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
    })
    await answer
    expect(await status(subject.url, { body: initialize })).toBe(200)
    expect(await status(subject.url, { headers: calling, body: call(6, 'echo') })).toBe(404)
    expect(await status(subject.url, { headers: streaming, body: call(6, 'echo') })).toBe(200)
    stream.destroy()
  })

  it('goes down by itself when sessions are idle', async () => {
    await restart({ sessionIdleMs: 20 })
    const idle = await openSession(subject.url)
    const stream = await get(subject.url, await openSession(subject.url))
    await until(() => subject.servers[0]?.transport === undefined)
    expect(await status(subject.url, { headers: idle, body: call(2, 'echo') })).toBe(404)
    expect(subject.servers[1]?.transport).toBeDefined()
    stream.destroy()
  })

  it('leaves nothing of those that were idle for too long', { timeout: 30_000 }, async () => {
    await subject.surface.close()
    let last: Server | undefined
    const createServer = (): Server => {
      last = new Server({ name: 'subject', version: '0' }, {})
      return last
    }
    subject = await startSurface({ limits: { sessionIdleMs: 2_000 }, createServer })
    for (let i = 0; i < 100; i += 1) await openSession(subject.url)
    const before = heap()
    // They take some kilobytes each while they are there.
    for (let i = 0; i < 800; i += 1) await openSession(subject.url)
    await vi.waitFor(() => expect(last?.transport).toBeUndefined(), { timeout: 15_000, interval: 50 })
    expect(heap() - before).toBeLessThan(1)
  })
})

/** What is alive on the heap, in megabytes. */
function heap(): number {
  for (let run = 0; run < 2; run += 1) collect()
  return process.memoryUsage().heapUsed / 1_000_000
}

describe('a client of the SDK of the old era', () => {
  it('lists, calls, sees progress and is told of changes', async () => {
    const client = await connectClient(subject.url, 'legacy')
    const changed = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
    const progress: number[] = []
    await client.callTool({ name: 'steps' }, { onprogress: (step) => progress.push(step.progress) })
    expect(progress).toEqual([1, 2, 3])
    await until(async () => {
      await subject.servers[0]?.sendToolListChanged()
      return Promise.race([
        changed.then(() => true),
        new Promise<false>((resolve) => setImmediate(() => resolve(false))),
      ])
    })
    await client.close()
  })

  it('cancels a call', async () => {
    const client = await connectClient(subject.url, 'legacy')
    const hanging = next(subject.calls, 'hanging')
    const aborted = next(subject.calls, 'aborted')
    const cancel = new AbortController()
    const answer = client.callTool({ name: 'hang' }, { signal: cancel.signal })
    await hanging
    cancel.abort('no longer needed')
    await expect(answer).rejects.toThrow()
    await aborted
    await client.close()
  })

  it('gets its own answers when sixteen call at once, from one session and from sixteen', async () => {
    const one = await connectClient(subject.url, 'legacy')
    const many = await Promise.all(Array.from({ length: 16 }, () => connectClient(subject.url, 'legacy')))
    const clients = many.flatMap((client) => [client, one])
    const answers = await Promise.all(
      clients.map((client, i) =>
        client.callTool({ name: i % 3 === 0 ? 'steps' : 'echo', arguments: { message: `${i}` } }),
      ),
    )
    expect(answers.map(({ content }) => content)).toEqual(clients.map((_, i) => [{ type: 'text', text: `${i}` }]))
    await Promise.all([one, ...many].map((client) => client.close()))
  })
})

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { Readers } from '../../packages/callboard/src/surfaces/readers.ts'
import {
  call,
  initialize,
  modernCall,
  next,
  open,
  openSession,
  type RawRequest,
  raw,
  startSurface,
  until,
} from './surface.ts'

const SILENT = createLog(new Secrets(), 'silent')
const MEGABYTE = 1024 * 1024

/** A client that sends a request and then reads nothing. */
async function deaf(url: string, { headers = {}, body }: RawRequest) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause()
  socket.on('error', () => socket.destroy())
  const text = JSON.stringify(body)
  const head = Object.entries({
    host: `${hostname}:${port}`,
    accept: '*/*',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  })
  socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${text}`)
  return socket
}

describe('a client that reads nothing', () => {
  it('loses its connection when it takes nothing of a large answer, and its session serves others meanwhile', async () => {
    const sockets: Socket[] = []
    await using subject = await startSurface({
      readers: new Readers(SILENT, { windowMs: 50 }),
      authenticate: ({ socket }) => {
        sockets.push(socket)
        return { id: 'ana', user: 'ana' }
      },
    })
    const session = await openSession(subject.url)
    const client = await deaf(subject.url, { headers: session, body: call(2, 'big', { bytes: 64 * MEGABYTE }) })
    await until(() => sockets.length === 2)
    const other = await raw(subject.url, { headers: session, body: call(3, 'echo', { message: 'still quick' }) })
    expect(other.text).toContain('still quick')
    await until(() => sockets[1]?.destroyed === true)
    client.destroy()
  })

  it('loses its stream when more waits for it than may, and its next one opens', async () => {
    await using subject = await startSurface({ limits: { backlogBytes: 1000 } })
    const session = await openSession(subject.url)
    const stream = await open(subject.url, { method: 'GET', headers: session })
    stream.pause()
    stream.on('error', () => stream.destroy())
    const [server] = subject.servers
    const logger = 'x'.repeat(MEGABYTE)
    await until(async () => {
      await server?.notification({ method: 'notifications/tools/list_changed', params: { _meta: { logger } } })
      const again = await open(subject.url, { method: 'GET', headers: session })
      again.destroy()
      return again.statusCode === 200
    })
  })

  it('gets the answer after a burst of progress that it is too slow for, and the log counts what it missed', async () => {
    const lines: string[] = []
    const log = createLog(new Secrets(), 'warn', { write: (line: string) => lines.push(line) })
    await using subject = await startSurface({ log })
    const session = await openSession(subject.url)
    for (const request of [
      modernCall('burst', { message: 'the answer' }),
      modernCall('burst', { message: 'the answer' }),
      { headers: session, body: call(2, 'burst', { message: 'the answer' }) },
    ]) {
      lines.length = 0
      const { text } = await raw(subject.url, request)
      expect(text).toContain('the answer')
      await until(() => lines.length > 0)
      const { dropped } = JSON.parse(lines[0] ?? '')
      expect(text.split('notifications/progress').length - 1 + dropped).toBe(10_000)
    }
  })

  it('loses the stream of a call that still runs when it takes nothing of another’s answer', async () => {
    const sockets: Socket[] = []
    await using subject = await startSurface({
      readers: new Readers(SILENT, { windowMs: 50 }),
      authenticate: ({ socket }) => {
        sockets.push(socket)
        return { id: 'ana', user: 'ana' }
      },
    })
    const headers = await openSession(subject.url)
    const body = [call(2, 'steps'), call(3, 'big', { bytes: 64 * MEGABYTE }), call(4, 'hang')]
    const hanging = next(subject.calls, 'hanging')
    const client = await deaf(subject.url, { headers, body })
    await hanging
    await until(() => sockets[1]?.destroyed === true)
    client.destroy()
  })

  it('gets a large answer whole when it only reads slowly', async () => {
    await using subject = await startSurface({ limits: { backlogBytes: 1000 } })
    for (const request of [
      modernCall('big', { bytes: 8 * MEGABYTE }),
      { headers: await openSession(subject.url), body: call(2, 'big', { bytes: 8 * MEGABYTE }) },
    ]) {
      const answer = await open(subject.url, request)
      let bytes = 0
      for await (const chunk of answer) {
        bytes += chunk.length
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(bytes).toBeGreaterThan(8 * MEGABYTE)
    }
  })
})

describe('a client that breaks the protocol of HTTP', () => {
  it('leaves the surface serving others', async () => {
    await using subject = await startSurface()
    const { hostname, port } = new URL(subject.url)
    for (const bytes of ['GARBAGE\r\n\r\n', `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{`]) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(bytes)
      socket.resetAndDestroy()
    }
    expect((await raw(subject.url, { body: initialize })).status).toBe(200)
  })
})

describe('closing', () => {
  it('answers what is in flight, ends every stream, and leaves nothing listening', async () => {
    const subject = await startSurface()
    const session = await openSession(subject.url)
    const stream = await open(subject.url, { method: 'GET', headers: session })
    const answers: Promise<{ status: number; text: string }>[] = []
    const viaSdk = modernCall('hang')
    const encoded = { ...viaSdk.headers, 'mcp-name': '=?base64?aGFuZw==?=' }
    for (const request of [
      { headers: session, body: call(5, 'hang') },
      modernCall('hang'),
      { ...viaSdk, headers: encoded },
    ]) {
      const hanging = next(subject.calls, 'hanging')
      answers.push(raw(subject.url, request))
      await hanging
    }
    await subject.surface.close()
    const [legacy, modern, modernViaSdk] = await Promise.all(answers)
    expect(legacy?.text).toContain('the session has ended')
    expect(modern?.text).toContain('closing')
    expect(modernViaSdk).toMatchObject({ status: 503, text: expect.stringContaining('closing') })
    expect(await stream.toArray()).toEqual([])
    await expect(raw(subject.url, { body: initialize })).rejects.toThrow('ECONNREFUSED')
  })

  it('does not wait for a client that reads nothing', async () => {
    const subject = await startSurface({ limits: { closeMs: 20 } })
    const session = await openSession(subject.url)
    const socket = await deaf(subject.url, { headers: session, body: call(2, 'big', { bytes: 64 * MEGABYTE }) })
    await raw(subject.url, { headers: session, body: call(3, 'echo') })
    await subject.surface.close()
    socket.destroy()
  })

  it('may be asked for twice', async () => {
    const subject = await startSurface()
    await Promise.all([subject.surface.close(), subject.surface.close()])
    await subject.surface.close()
  })
})

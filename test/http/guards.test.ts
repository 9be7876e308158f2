import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import {
  call,
  initialize,
  modernCall,
  openSession,
  type RawRequest,
  raw,
  type Subject,
  startSurface,
} from './surface.ts'

let subject: Subject

beforeAll(async () => {
  subject = await startSurface({
    hosts: ['Tools.Example.com', 'pinned.example.com:8443'],
    origins: ['https://app.example.com', 'wide.example.com'],
    limits: { bodyBytes: 2000 },
  })
})

afterAll(() => subject.surface.close())

const status = async (request: RawRequest) => (await raw(subject.url, request)).status
const errorOf = async (request: RawRequest) => {
  const answer = await raw(subject.url, request)
  return { status: answer.status, ...JSON.parse(answer.text) }
}

describe('the Host guard', () => {
  it.each([
    'localhost',
    'localhost:1',
    '127.0.0.1',
    '[::1]:80',
    'tools.example.com',
    'TOOLS.example.com:9',
    'pinned.example.com:8443',
  ])('lets %s in', async (host) => {
    expect(await status({ method: 'GET', path: '/', headers: { host } })).toBe(200)
  })

  it.each([
    'evil.example',
    'localhost.evil.example',
    'pinned.example.com',
    'pinned.example.com:1',
    '127.0.0.1.evil.example',
    'a b',
  ])('refuses %s with 403 on every path, and names the setting', async (host) => {
    for (const path of ['/', '/mcp', '/other']) {
      const answer = await errorOf({ path, headers: { host }, body: initialize })
      expect(answer).toMatchObject({ status: 403, id: null, error: { message: expect.stringContaining('http.hosts') } })
    }
  })
})

describe('the Origin guard', () => {
  it.each([
    'http://localhost:5173',
    'http://127.0.0.1',
    'https://app.example.com',
    'https://wide.example.com',
    'http://wide.example.com:81',
  ])('lets %s in', async (origin) => {
    expect(await status({ headers: { origin }, body: initialize })).toBe(200)
  })

  it.each([
    'http://evil.example',
    'null',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com.evil.example',
  ])('refuses %s with 403 and names the setting', async (origin) => {
    const answer = await errorOf({ headers: { origin }, body: initialize })
    expect(answer).toMatchObject({ status: 403, error: { message: expect.stringContaining('http.origins') } })
  })
})

describe('the form of a request', () => {
  it('answers 404 in JSON where nothing is served', async () => {
    const answer = await errorOf({ path: '/mcp/other', body: initialize })
    expect(answer).toMatchObject({ status: 404, error: { message: expect.stringContaining('/mcp') } })
  })

  it('answers 405 with the methods that there are', async () => {
    const answer = await raw(subject.url, { method: 'PUT', body: initialize })
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } })
  })

  it('answers 401 with a challenge to someone unknown, before it reads anything', async () => {
    const answer = await raw(subject.url, { headers: { 'x-user': 'nobody' }, body: '{' })
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="callboard"' } })
  })

  it.each(['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded'])(
    'answers 415 to %s',
    async (type) => {
      expect(await status({ headers: { 'content-type': type }, body: initialize })).toBe(415)
    },
  )

  it('takes JSON with a parameter', async () => {
    expect(await status({ headers: { 'content-type': 'application/json; charset=utf-8' }, body: initialize })).toBe(200)
  })

  it.each(['application/json', 'text/event-stream', 'text/html'])(
    'answers 406 to a POST that takes only %s',
    async (accept) => {
      expect(await status({ headers: { accept }, body: initialize })).toBe(406)
    },
  )

  it.each(['*/*', 'application/*, text/*', 'TEXT/event-stream;q=0.5 , Application/JSON'])(
    'takes a POST that accepts %s',
    async (accept) => {
      expect(await status({ headers: { accept }, body: initialize })).toBe(200)
    },
  )

  it('answers 406 to a GET that takes no event stream', async () => {
    const session = await openSession(subject.url)
    expect(await status({ method: 'GET', headers: { ...session, accept: 'application/json' } })).toBe(406)
  })

  it.each(['{', '', 'nonsense'])('answers 400 and -32700 to the body "%s"', async (body) => {
    expect(await errorOf({ body })).toMatchObject({ status: 400, id: null, error: { code: -32700 } })
  })

  it.each([
    null,
    1,
    'text',
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    [],
    [1],
  ])('answers 400 and -32600 to %j, which is no message', async (body) => {
    expect(await errorOf({ body: JSON.stringify(body) })).toMatchObject({ status: 400, error: { code: -32600 } })
  })
})

describe('a body that is too large', () => {
  it('is refused with 413 when its length is announced', async () => {
    const answer = await errorOf({ body: call(1, 'echo', { message: 'x'.repeat(3000) }) })
    expect(answer).toMatchObject({
      status: 413,
      error: { code: -32000, message: expect.stringContaining('2000 bytes') },
    })
  })

  it('is refused with 413 when it comes in pieces without a length', async () => {
    const pieces = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1500))),
    })
    const answer = await fetch(subject.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: '*/*' },
      body: pieces,
      duplex: 'half',
    })
    expect(answer.status).toBe(413)
  })

  it('is taken up to the last byte that is allowed', async () => {
    const session = await openSession(subject.url)
    const empty = Buffer.byteLength(JSON.stringify(call(1, 'echo', { message: '' })))
    const fitting = call(1, 'echo', { message: 'x'.repeat(2000 - empty) })
    const tooLong = call(1, 'echo', { message: 'x'.repeat(2001 - empty) })
    expect([
      await status({ headers: session, body: fitting }),
      await status({ headers: session, body: tooLong }),
    ]).toEqual([200, 413])
  })
})

describe('the way of the eras', () => {
  it('repeats the id in the refusal of a modern request whose headers disagree with it', async () => {
    const { body } = modernCall('echo')
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', 'mcp-name': 'echo' }
    expect(await errorOf({ headers, body })).toMatchObject({ status: 400, id: 1, error: { code: -32020 } })
  })

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'answers 400 and -32020 to a modern request without %s',
    async (missing) => {
      const { headers, body } = modernCall('echo')
      const { [missing]: _, ...rest } = headers ?? {}
      expect(await errorOf({ headers: rest, body })).toMatchObject({ status: 400, id: 1, error: { code: -32020 } })
    },
  )

  it('answers 400 and -32022 to a modern version that is not known, and says which is', async () => {
    const text = JSON.stringify(modernCall('echo').body).replace('2026-07-28', '2027-01-01')
    const headers = { ...modernCall('echo').headers, 'mcp-protocol-version': '2027-01-01' }
    expect(await errorOf({ headers, body: text })).toMatchObject({
      status: 400,
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    })
  })

  it('answers 404 and -32601 to a modern method that does not exist', async () => {
    const text = JSON.stringify(modernCall('echo').body).replace('tools/call', 'nothing/here')
    const headers = { ...modernCall('echo').headers, 'mcp-method': 'nothing/here' }
    expect(await errorOf({ headers, body: text })).toMatchObject({ status: 404, error: { code: -32601 } })
  })
})

describe('the root', () => {
  it('says what this is and where MCP is', async () => {
    const answer = await raw(subject.url, { method: 'GET', path: '/' })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(answer.text).toContain(subject.url)
  })
})

describe('an address that cannot be listened on', () => {
  it('is an error that names it and says how to take another', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      }),
    )
    const attempt = startSurface({ listen: { host: '127.0.0.1', port } })
    await expect(attempt).rejects.toThrow(CallboardError)
    await expect(attempt).rejects.toThrow(new RegExp(`127\\.0\\.0\\.1:${port}.*already.*--http HOST:PORT`))
    taken.close()
  })

  it('is an error when the machine has no such address', async () => {
    const attempt = startSurface({ listen: { host: '192.0.2.1', port: 0 } })
    await expect(attempt).rejects.toThrow(/cannot listen on 192\.0\.2\.1:0.*no such address/)
  })
})

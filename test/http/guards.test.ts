import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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

it('the refusal of a body that is much too large reaches a client that looks for it after it has sent all', async () => {
  const socket = connect(Number(new URL(subject.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const body = 'x'.repeat(15_000)
  const head = ['POST /mcp HTTP/1.1', 'host: localhost', 'content-type: application/json', 'accept: */*']
  socket.pause().write([...head, `content-length: ${body.length}`, '', ''].join('\r\n'))
  for (let at = 0; at < body.length; at += 1_000) {
    await new Promise((resolve) => socket.write(body.slice(at, at + 1_000), resolve))
    await new Promise(setImmediate)
  }
  const [answer] = await once(socket.resume(), 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /)
  // The connection is of further use.
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  let rest = ''
  for await (const chunk of socket) {
    rest += chunk
    if (rest.includes('HTTP/1.1 200')) break
  }
})

describe('a page of an origin that is let in', () => {
  const origin = 'https://app.example.com'
  const preflight = (from: string, headers = 'content-type'): RawRequest => ({
    method: 'OPTIONS',
    headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': headers },
  })

  it.each([origin, 'http://localhost:5173'])('may send what clients of both eras send: %s', async (from) => {
    const asked = 'authorization, content-type, mcp-method, Mcp-Param-Region, x-evil'
    const { status: code, headers } = await raw(subject.url, preflight(from, asked))
    expect([code, headers['access-control-allow-origin'], headers['access-control-max-age']]).toEqual([
      204,
      from,
      '7200',
    ])
    expect(headers.vary).toBe('Origin, Access-Control-Request-Headers')
    expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE')
    expect(headers['access-control-allow-headers']?.split(', ')).toEqual([
      'accept',
      'authorization',
      'content-type',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'mcp-param-region',
    ])
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('may read the answers to requests of both eras, and what it needs of their headers', async () => {
    const begun = await raw(subject.url, { headers: { origin }, body: initialize })
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']), origin }
    const modern = modernCall('echo')
    const answers = [
      begun,
      await raw(subject.url, { headers: session, body: call(2, 'echo') }),
      await raw(subject.url, { headers: session, body: call(3, 'steps') }),
      await raw(subject.url, { ...modern, headers: { ...modern.headers, origin } }),
      await raw(subject.url, { headers: { origin, 'x-user': 'nobody' }, body: initialize }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 401])
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['access-control-expose-headers']).toBe('mcp-session-id, mcp-protocol-version, www-authenticate')
      expect(headers.vary).toBe('Origin')
    }
  })

  it('is asked for by its browser without credentials, and only at the endpoint', async () => {
    const { headers, ...rest } = preflight(origin)
    expect(await status({ ...rest, headers: { ...headers, 'x-user': 'nobody' } })).toBe(204)
    expect(await status({ ...preflight(origin), path: '/other' })).toBe(404)
    expect(await status({ method: 'OPTIONS' })).toBe(405)
  })

  it.each(['https://evil.example', 'null'])('is not one of %s, which hears nothing but 403', async (from) => {
    const answer = await raw(subject.url, preflight(from))
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined])
    const posted = await raw(subject.url, { headers: { origin: from }, body: initialize })
    expect([posted.status, posted.headers['access-control-allow-origin']]).toEqual([403, undefined])
  })

  it('changes nothing for those who come from no page', async () => {
    const { headers } = await raw(subject.url, { body: initialize })
    expect([headers.vary, headers['access-control-allow-origin']]).toEqual([undefined, undefined])
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

  it.each(['GET', 'DELETE'])('answers 405 to a modern %s, with or without a session', async (method) => {
    for (const session of [{}, await openSession(subject.url)]) {
      const answer = await raw(subject.url, { method, headers: { ...session, 'mcp-protocol-version': '2026-07-28' } })
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    }
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

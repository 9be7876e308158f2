/** Who is let in over HTTP by a token, for how long, and to what. */
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { call, initialize, LISTEN, modernCall, open, type RawAnswer, raw, until } from './surface.ts'
import { bearing, callModern, legacySession, type TokenScene, tokenScene, withHeaders } from './token-scene.ts'

const challengeOf = ({ status, headers }: RawAnswer) => [status, headers['www-authenticate']]
const NONE = [401, 'Bearer realm="callboard"']
const invalid = (reason: string) => [
  401,
  `Bearer realm="callboard", error="invalid_token", error_description="${reason}"`,
]
const UNKNOWN = invalid('the token is unknown or was revoked')

async function listed(url: string, token: string): Promise<readonly string[]> {
  const { text } = await callModern(url, token, 'list_mcp_tools', { plugin: 'echo' })
  const { tools } = JSON.parse(text).result.structuredContent
  return tools.map(({ name }: { name: string }) => name)
}

describe('a request', () => {
  it('without a token is 401, and told of no error, in every form that there is', async () => {
    const { url } = await tokenScene()
    for (const request of [
      { body: initialize },
      modernCall('echo_echo'),
      { method: 'GET' },
      { method: 'DELETE' },
      { headers: { 'mcp-session-id': 'x' }, body: call(1, 'echo_echo') },
      { body: initialize, headers: { authorization: 'Basic YTpi' } },
      { body: initialize, headers: { authorization: 'Bearer' } },
      { body: initialize, headers: { authorization: 'Bearer a b' } },
      { body: initialize, path: '/mcp?access_token=x' },
      { method: 'GET', path: '/' },
    ])
      expect(challengeOf(await raw(url, request))).toEqual(NONE)
  })

  it('with a token that is unknown, revoked, expired or of nobody is 401 and told so', async () => {
    const { host, url } = await tokenScene()
    const ask = async (token: string) => challengeOf(await raw(url, { headers: bearing(token), body: initialize }))
    const { tokens, people } = host
    const revoked = tokens.create({ name: 'revoked', user: 'ana' }).text
    tokens.revoke('revoked')
    // None can be made that has expired, and this process may be kept waiting.
    const expiresAt = Date.now() + 200
    const expired = tokens.create({ name: 'expired', user: 'ana', expiresAt }).text
    await until(() => Date.now() >= expiresAt)
    people.addUser('eve', [])
    const eves = tokens.create({ name: 'eves', user: 'eve' }).text
    people.setDisabled('eve', true)
    expect([await ask('callboard_x'), await ask(revoked), await ask(`${revoked}x`)]).toEqual(Array(3).fill(UNKNOWN))
    expect(await ask(expired)).toEqual(invalid('the token has expired'))
    expect(await ask(eves)).toEqual(invalid('the user of the token is unknown or disabled'))
    people.setDisabled('eve', false)
    expect(await ask(eves)).toEqual([200, undefined])
  })

  it('is let in whatever the case of the scheme, and by a header alone', async () => {
    const { host, url } = await tokenScene()
    const { text } = host.tokens.create({ name: 'a', user: 'ana' })
    for (const scheme of ['Bearer', 'bearer', 'BEARER '])
      expect((await raw(url, { headers: { authorization: `${scheme} ${text}` }, body: initialize })).status).toBe(200)
    expect((await raw(url, { path: `/mcp?access_token=${text}`, body: initialize })).status).toBe(401)
  })

  it('acts as the user of its token, within what the token leaves', async () => {
    const { host, url } = await tokenScene()
    const tokenOf = (user: string, permissions?: readonly string[]) =>
      host.tokens.create({
        name: `${user} ${permissions}`.replaceAll(' ', '-'),
        user,
        ...(permissions && { permissions }),
      }).text
    const benSees = ['echo_cancelled', 'echo_echo', 'echo_wait']
    expect(await listed(url, tokenOf('ben'))).toEqual(benSees)
    expect((await listed(url, tokenOf('ana'))).length).toBeGreaterThan(benSees.length)
    expect(await listed(url, tokenOf('ana', ['echo.e*', 'other.*']))).toEqual([
      'echo_echo',
      'echo_environment',
      'echo_exit',
    ])
    expect(await listed(url, tokenOf('ben', ['echo.e*']))).toEqual(['echo_echo'])
    expect(await listed(url, tokenOf('owner', ['echo.pid']))).toEqual(['echo_pid'])
    expect(await listed(url, tokenOf('owner', []))).toEqual([])
  })

  it('never acts as another one that is served at the same time', async () => {
    const { host, url } = await tokenScene()
    const narrowings = [['echo.echo'], ['echo.pid'], ['echo.log'], ['echo.odd', 'echo.pid'], []]
    const tokens = ['ana', 'ben', 'owner'].flatMap((user) =>
      narrowings.map((permissions, at) => host.tokens.create({ name: `${user}${at}`, user, permissions })),
    )
    const expected = new Map(
      await Promise.all(tokens.map(async ({ text }) => [text, await listed(url, text)] as const)),
    )
    const records: string[] = []
    host.onCall(({ user, tool }) => records.push(`${user} ${tool}`))
    await Promise.all(
      Array.from({ length: 10 }, () => tokens)
        .flat()
        .map(async ({ text, user }) => {
          expect(await listed(url, text)).toEqual(expected.get(text))
          const { result, error } = JSON.parse((await callModern(url, text, 'echo_echo', { user })).text)
          const mayEcho = expected.get(text)?.includes('echo_echo') === true
          expect([result === undefined, error?.code]).toEqual(mayEcho ? [false, undefined] : [true, -32602])
        }),
    )
    for (const user of ['ana', 'ben', 'owner'])
      expect(records.filter((record) => record === `${user} plugin:callboard:list_mcp_tools`)).toHaveLength(50)
  })
})

describe('a session', () => {
  it('is that of one token: another one, of the same user too, gets what it gets for a session that is none', async () => {
    const { host, url } = await tokenScene()
    const create = (name: string, user: string) => host.tokens.create({ name, user }).text
    const { headers } = await legacySession(url, create('one', 'ana'))
    for (const other of [create('two', 'ana'), create('bens', 'ben'), create('owns', 'owner')]) {
      const asked = { ...headers, ...bearing(other) }
      for (const request of [
        { body: call(7, 'echo_echo') },
        { body: { jsonrpc: '2.0', id: 7, method: 'tools/list' } },
        { method: 'GET' },
        { method: 'GET', headers: { 'last-event-id': '0-0' } },
        { method: 'DELETE' },
      ]) {
        const refused = await raw(url, withHeaders(request, asked))
        const unknown = await raw(url, withHeaders(request, { ...asked, 'mcp-session-id': 'none' }))
        expect([refused.status, refused.text]).toEqual([404, unknown.text])
      }
    }
    expect((await raw(url, { headers, body: call(7, 'echo_echo') })).status).toBe(200)
  })

  it('has the rights that its user has at each request', async () => {
    const { host, url, config } = await tokenScene()
    const { call: run } = await legacySession(url, host.tokens.create({ name: 'bens', user: 'ben' }).text)
    expect((await run('echo_echo')).text).toContain('"result"')
    host.reconfigure(config({ roles: { everything: ['*'], talk: ['echo.wait'] } }))
    const denied = await run('echo_echo')
    const unknown = await run('echo_etho')
    expect(denied.text.replaceAll('echo_echo', 'echo_etho')).toBe(unknown.text)
  })
})

/** The ways in which a token stops to let anybody in. */
const ENDS: Readonly<Record<string, (scene: TokenScene) => unknown>> = {
  'is revoked': ({ host }) => host.tokens.revoke('mine'),
  'loses its user, whom the store has disabled': ({ host }) => host.people.setDisabled('eve', true),
  'loses its user, whom the store has no more': ({ host }) => host.people.removeUser('eve'),
  'is revoked by another process': async ({ another }) => (await another()).tokens.revoke('mine'),
  'loses its user by another process': async ({ another }) => (await another()).people.setDisabled('eve', true),
  'is asked for no more': ({ host, config }) => host.reconfigure(config({ http: { listen: '127.0.0.1:0' } })),
}

describe.each(Object.entries(ENDS))('when a token %s', (name, end) => {
  async function scene(expiresAt?: number) {
    const made = await tokenScene()
    const { host } = made
    host.people.addUser('eve', ['talk'])
    const { text } = host.tokens.create({ name: 'mine', user: 'eve', ...(expiresAt !== undefined && { expiresAt }) })
    return { ...made, text, other: host.tokens.create({ name: 'other', user: 'ana' }).text }
  }

  it('its session ends with its stream and its calls, which are cancelled, and the next request is refused', async () => {
    const made = await scene()
    const { host, url, text, other } = made
    const session = await legacySession(url, text)
    const stream = await session.stream()
    const ended = once(stream, 'end')
    stream.resume()
    const running = open(url, {
      headers: session.headers,
      body: {
        ...call(5, 'echo_wait'),
        params: { name: 'echo_wait', arguments: { key: 'k' }, _meta: { progressToken: 1 } },
      },
    })
    const answer = await running
    let answered = ''
    answer.on('data', (chunk) => {
      answered += chunk
    })
    await until(() => answered.includes('notifications/progress'))
    const outcome = Promise.withResolvers<string>()
    host.onCall((record) => outcome.resolve(record.outcome))
    await end(made)
    await ended
    await until(() => answer.complete)
    expect(answered).toContain('"error":{"code":-32000,"message":"not let in any more"}')
    expect(await outcome.promise).toBe('cancelled')
    const next = await session.call('echo_echo')
    // Without auth everybody is let in, but the session is nobody's.
    expect(next.status).toBe(name === 'is asked for no more' ? 404 : 401)
    expect((await callModern(url, other, 'echo_cancelled')).text).toContain('k')
  })

  it('its subscriptions and calls of 2026-07-28 end, which are cancelled', async () => {
    const made = await scene()
    const { host, url, text } = made
    const stream = await open(url, withHeaders(LISTEN, bearing(text)))
    let heard = ''
    stream.on('data', (chunk) => {
      heard += chunk
    })
    await until(() => heard.includes('acknowledged'))
    const come = (times: number) => until(() => made.logged().split('the call has come').length > times)
    // The first call of a client takes the way of the SDK, the second one the short one.
    const long = callModern(url, text, 'waiting_wait')
    await come(1)
    const runs = [long, callModern(url, text, 'waiting_wait')]
    await come(2)
    const cancelled: string[] = []
    host.onCall(({ outcome }) => cancelled.push(outcome))
    await end(made)
    await until(() => stream.complete)
    for (const answer of await Promise.all(runs)) expect(answer.text).toContain('not let in any more')
    await until(() => cancelled.length === 2)
    expect(cancelled).toEqual(['cancelled', 'cancelled'])
  })
})

it('a token that expires ends what it has open', async () => {
  const { host, url } = await tokenScene()
  const { text } = host.tokens.create({ name: 'short', user: 'ana', expiresAt: Date.now() + 1500 })
  const session = await legacySession(url, text)
  const stream = await session.stream()
  await once(stream.resume(), 'end')
  const [status, challenge] = challengeOf(await session.call('echo_echo'))
  expect([status, challenge]).toEqual(invalid('the token has expired'))
})

it('a request whose body is still on its way when its token is revoked does nothing', async () => {
  const { host, url } = await tokenScene()
  const { text } = host.tokens.create({ name: 'slow', user: 'ana' })
  const { headers } = await legacySession(url, text)
  const calls: string[] = []
  host.onCall(({ tool }) => calls.push(tool))
  const asked = vi.spyOn(host.tokens, 'check')
  const body = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(JSON.stringify(call(1, 'echo_echo')).slice(0, 20))),
  })
  const answer = fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: '*/*' },
    body,
    duplex: 'half',
  })
  await until(() => asked.mock.results.length === 1)
  // What follows the check of the token is done within a turn of the event loop.
  await new Promise(setImmediate)
  host.tokens.revoke('slow')
  expect((await answer).status).toBe(403)
  expect(calls).toEqual([])
})

it('what was let in without tokens is not let in any more once they are asked for', async () => {
  const { host, url, config } = await tokenScene({ http: { listen: '127.0.0.1:0' } })
  const opened = await raw(url, { body: initialize })
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  const stream = await open(url, { method: 'GET', headers })
  host.reconfigure(config({ http: { listen: '127.0.0.1:0', auth: 'tokens' } }))
  await once(stream.resume(), 'end')
  expect((await raw(url, { headers, body: call(1, 'echo_echo') })).status).toBe(401)
  const { text } = host.tokens.create({ name: 'owns', user: 'owner' })
  expect((await raw(url, { headers: { ...headers, ...bearing(text) }, body: call(1, 'echo_echo') })).status).toBe(404)
})

it('no token is in the log, in an answer or passed on to a server, whatever becomes of it', async () => {
  const { host, url, logged } = await tokenScene()
  const { text } = host.tokens.create({ name: 'mine', user: 'ana' })
  const secret = text.slice(-64)
  const wrong = `${text.slice(0, -64)}${'0'.repeat(64)}`
  const session = await legacySession(url, text)
  const answers = [
    await session.call('echo_echo', { message: 'hi' }),
    await session.call('echo_environment'),
    await callModern(url, text, 'echo_echo', {}),
    await callModern(url, wrong, 'echo_echo', {}),
    await raw(url, { headers: bearing(text), body: '{' }),
    await raw(url, { headers: { ...bearing(text), host: 'evil.example' }, body: initialize }),
  ]
  host.log.error({ header: `Bearer ${text}` }, 'somebody logged it')
  expect(() => host.tokens.revoke(text)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(secret) }),
  )
  host.tokens.revoke('mine')
  await callModern(url, text, 'echo_echo', {})
  expect(answers[0]?.text).toContain('hi')
  expect(JSON.stringify(answers)).not.toContain(secret)
  expect(logged()).toContain('Bearer [secret]')
  expect(logged()).not.toContain(secret)
})

/** The endpoint that an application mounts in its own HTTP server, for its own users. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createHost,
  createMcpEndpoint,
  type Gate,
  type Host,
  loadConfig,
  type McpEndpoint,
  type McpEndpointOptions,
} from 'callboard'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call, connectClient, initialize, modernCall, open, openSession, raw } from './surface.ts'

interface App {
  readonly host: Host
  readonly endpoint: McpEndpoint
  /** Where the endpoint is mounted. */
  readonly url: string
  logged(): string
}

/** Users by what they send; who sends nothing that is known is nobody. */
const byHeader: McpEndpointOptions['authenticate'] = ({ headers }) => {
  const [user, ...permissions] = String(headers['x-user'] ?? '').split(' ')
  if (!user) return undefined
  return permissions.length === 0 ? user : { user, permissions }
}

/** `ana` may use two tools, `ben` one of them; everybody else nothing. */
const gate: Gate = {
  allows: async (user, permission) =>
    permission === 'echo.echo' ? user === 'ana' || user === 'ben' : permission === 'echo.pid' && user === 'ana',
}

interface AppOptions extends Partial<McpEndpointOptions> {
  readonly config?: Readonly<Record<string, unknown>>
  readonly mount?: (handler: RequestListener) => RequestListener
}

async function startApp({ config = {}, mount = (handler) => handler, ...options }: AppOptions = {}): Promise<App> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-mounted-'))
  const plugins = {
    echo: { mcp: fixtureCommand('echo-server') },
    waiting: { mcp: fixtureCommand('waiting-server') },
  }
  let logged = ''
  const write = (line: string): void => {
    logged += line
  }
  const host = await createHost({
    config: loadConfig({ data: { dataDir, plugins, ...config } }),
    log: createLog(new Secrets(), 'info', { write }),
    gate,
  })
  await host.start()
  const endpoint = createMcpEndpoint(host, { authenticate: byHeader, ...options })
  const server = createServer(mount(endpoint.handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  onTestFinished(async () => {
    await endpoint.close()
    server.closeAllConnections()
    server.close()
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  return { host, endpoint, url: `http://127.0.0.1:${port}/tools/for/agents`, logged: () => logged }
}

const path = '/tools/for/agents?x=1'
const as = (user: string) => ({ 'x-user': user })
const ask = (app: App, user: string, name: string, args = {}) => {
  const { headers, ...request } = modernCall(name, args)
  return raw(app.url, { ...request, path, headers: { ...headers, ...as(user) } })
}
const list = (app: App, headers: Record<string, string>) =>
  raw(app.url, { path, headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
const namesIn = (text: string): readonly string[] =>
  JSON.parse(text).result.tools.map(({ name }: { name: string }) => name)

describe('a mounted endpoint', () => {
  it('serves clients of both eras at whatever path it is mounted, with every tool of the user listed', async () => {
    const app = await startApp()
    for (const mode of ['legacy', 'modern'] as const) {
      const client = await connectClient(app.url, mode, as('ben'))
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'call_mcp_tool',
        'echo_echo',
        'get_mcp_tool',
        'list_mcp_tools',
        'search_mcp_tools',
      ])
      await client.close()
    }
  })

  it('reads a request that something in front of it has paused', async () => {
    const app = await startApp({
      mount: (handler) => (request, response) => {
        request.pause()
        setImmediate(() => handler(request, response))
      },
    })
    expect((await ask(app, 'ana', 'echo_pid')).text).toContain('"result"')
  })

  it('lists what the config says, where it says anything', async () => {
    const app = await startApp({ config: { expose: 'catalog' } })
    const headers = { ...as('ana'), ...(await openSession(app.url, as('ana'))) }
    expect(namesIn((await list(app, headers)).text)).not.toContain('echo_echo')
  })

  it('has no default user: who is not named is 401, in every form', async () => {
    const app = await startApp()
    for (const request of [{ body: initialize }, modernCall('echo_echo'), { method: 'GET' }, { method: 'DELETE' }]) {
      const answer = await raw(app.url, { ...request, path })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  it('challenges as the application wants', async () => {
    const challenge = 'Bearer resource_metadata="https://app.example.com/.well-known/oauth-protected-resource"'
    const app = await startApp({ challenge })
    expect((await raw(app.url, { path, body: initialize })).headers['www-authenticate']).toBe(challenge)
  })

  it('refuses what is no method of it', async () => {
    const app = await startApp()
    expect(await raw(app.url, { path, method: 'PUT', headers: as('ana'), body: initialize })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST, DELETE' },
    })
  })

  it('acts as the user of each request, within the permissions that the application leaves', async () => {
    const app = await startApp()
    const calls: string[] = []
    app.host.onCall(({ user, tool, outcome }) => calls.push(`${user} ${tool.split(':').at(-1)} ${outcome}`))
    const may = async (user: string, name: string) => JSON.parse((await ask(app, user, name)).text).error === undefined
    expect([await may('ana', 'echo_pid'), await may('ben', 'echo_pid')]).toEqual([true, false])
    expect([await may('ana echo.pid', 'echo_pid'), await may('ana echo.pid', 'echo_echo')]).toEqual([true, false])
    expect(await may('ben echo.pid', 'echo_pid')).toBe(false)
    expect(calls).toEqual(['ana pid ok', 'ben pid denied', 'ana pid ok', 'ana echo denied', 'ben pid denied'])
  })

  it('answers alike for a tool that is not there and one that the user may not use', async () => {
    const app = await startApp()
    const hidden = await ask(app, 'ben', 'echo_pid')
    const unknown = await ask(app, 'ben', 'echo_pod')
    expect(hidden.text.replaceAll('echo_pid', 'echo_pod')).toBe(unknown.text)
  })

  it.each([
    ['another user', 'ben'],
    ['the same user with less', 'ana echo.echo'],
    ['the same user with other permissions', 'ana echo.pid'],
  ])('has sessions that are none for %s', async (_, stranger) => {
    const app = await startApp()
    const session = await openSession(app.url, as('ana'))
    const body = call(2, 'echo_echo')
    const refused = await raw(app.url, { path, headers: { ...session, ...as(stranger) }, body })
    const unknown = await raw(app.url, { path, headers: { 'mcp-session-id': 'none', ...as(stranger) }, body })
    expect([refused.status, refused.text]).toEqual([404, unknown.text])
    expect((await raw(app.url, { path, headers: { ...session, ...as('ana') }, body })).status).toBe(200)
  })

  it('serves a session on for the same permissions, in whatever order they are named', async () => {
    const app = await startApp()
    const session = await openSession(app.url, as('ana echo.pid echo.echo'))
    const headers = { ...session, ...as('ana echo.echo echo.pid') }
    expect((await raw(app.url, { path, headers, body: call(2, 'echo_pid') })).text).toContain('"result"')
  })
})

describe('what an application says of a request', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('the password of the database is hunter2'))],
    ['throws at once', () => JSON.parse('hunter2')],
    ['answers no user', () => JSON.parse('{"name":"hunter2"}')],
    ['answers an empty name', () => ''],
    ['answers permissions that are no list', () => JSON.parse('{"user":"ana","permissions":"hunter2"}')],
    ['answers null', () => JSON.parse('null')],
    ['answers true', () => JSON.parse('true')],
  ])('lets nobody in when it %s, which is for the log alone', async (_, authenticate) => {
    const app = await startApp({ authenticate })
    const answer = await raw(app.url, { path, body: initialize })
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.text).error).toEqual({
      code: -32603,
      message: 'internal error; see the log of the callboard',
    })
    expect(app.logged()).toContain('a request could not be served')
  })

  it('may be said at once or later', async () => {
    for (const authenticate of [() => 'ana', async () => ({ user: 'ana' })]) {
      const app = await startApp({ authenticate })
      expect((await ask(app, '', 'echo_pid')).text).toContain('"result"')
    }
  })

  it('has to be said: without `authenticate` there is no endpoint', async () => {
    const { host } = await startApp()
    for (const options of ['{}', '{"authenticate":"ana"}'])
      expect(() => createMcpEndpoint(host, JSON.parse(options))).toThrow(/needs `authenticate`/)
  })
})

describe('the guards of a mounted endpoint', () => {
  it('are those of the config, and follow it', async () => {
    const app = await startApp()
    const headers = { ...as('ana'), host: 'app.example.com', origin: 'https://app.example.com' }
    const status = async () => (await raw(app.url, { path, headers, body: initialize })).status
    expect(await status()).toBe(403)
    const { config } = app.host
    const http = { ...config.http, hosts: ['app.example.com'], origins: ['https://app.example.com'] }
    app.host.reconfigure({ ...config, http })
    expect(await status()).toBe(200)
  })
})

describe('an endpoint behind a framework that has read the body', () => {
  /** As Express with its parser of JSON does, or one of text or bytes. */
  const reading =
    (parse: (text: string) => unknown) =>
    (handler: RequestListener): RequestListener =>
    async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString()
      handler(Object.assign(request, { body: parse(text), url: '/' }), response)
    }

  it.each([
    ['JSON', (text: string) => JSON.parse(text)],
    ['text', (text: string) => text],
    ['bytes', (text: string) => Buffer.from(text)],
  ])('takes what was read as %s', async (_, parse) => {
    const app = await startApp({ mount: reading(parse) })
    expect((await ask(app, 'ana', 'echo_echo', { message: 'hi' })).text).toContain('hi')
    const headers = { ...as('ana'), ...(await openSession(app.url, as('ana'))) }
    expect(namesIn((await list(app, headers)).text)).toContain('echo_pid')
  })

  it('refuses a body that is gone', async () => {
    const app = await startApp({ mount: reading(() => undefined) })
    expect((await raw(app.url, { path, headers: as('ana'), body: initialize })).status).toBe(400)
  })
})

describe('an application', () => {
  it('ends what a user has open, and nothing of others', async () => {
    const app = await startApp()
    const stream = async (user: string) => {
      const headers = { ...as(user), ...(await openSession(app.url, as(user))) }
      return { headers, stream: (await open(app.url, { path, method: 'GET', headers })).resume() }
    }
    const [wide, narrow, ben] = await Promise.all([stream('ana'), stream('ana echo.echo'), stream('ben')])
    const ended = Promise.all([once(wide.stream, 'end'), once(narrow.stream, 'end')])
    await app.endpoint.disconnect('ana')
    await ended
    expect(ben.stream.complete).toBe(false)
    const statuses = await Promise.all(
      [wide, narrow, ben].map(async ({ headers }) => (await list(app, headers)).status),
    )
    expect(statuses).toEqual([404, 404, 200])
  })

  it('closes the endpoint, which ends calls and streams, and refuses what comes later', async () => {
    const app = await startApp({
      authenticate: () => ({ user: 'ana' }),
      config: { plugins: { echo: { mcp: fixtureCommand('echo-server') } } },
    })
    const headers = await openSession(app.url)
    const stream = (await open(app.url, { path, method: 'GET', headers })).resume()
    const ended = once(stream, 'end')
    const waiting = raw(app.url, {
      path,
      headers,
      body: { ...call(3, ''), params: { name: 'echo_wait', arguments: { key: 'k' }, _meta: { progressToken: 1 } } },
    })
    await app.endpoint.close()
    await ended
    expect((await waiting).text).toContain('"error"')
    expect((await list(app, headers)).status).toBe(503)
    await app.endpoint.close()
  })

  it('may mount several endpoints on one host', async () => {
    const app = await startApp()
    await using other = createMcpEndpoint(app.host, { authenticate: () => 'ben' })
    const server = createServer(other.handler).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    expect(JSON.parse((await raw(url, { ...modernCall('echo_pid') })).text).error).toBeDefined()
    expect(JSON.parse((await ask(app, 'ana', 'echo_pid')).text).error).toBeUndefined()
  })
})

/** A host that lets in by tokens, over HTTP, for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, type Host, loadConfig } from 'callboard'
import { onTestFinished } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { offerOverHttp } from '../../packages/callboard/src/surfaces/mcp/offer-over-http.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call, modernCall, open, openSession, type RawAnswer, type RawRequest, raw } from './surface.ts'

export interface TokenScene {
  readonly host: Host
  readonly url: string
  /** All that the host logged. */
  logged(): string
  /** Another host of the same data folder, as another process has it. */
  another(): Promise<Host>
  config(more?: Readonly<Record<string, unknown>>): Host['config']
}

const PEOPLE = {
  roles: { everything: ['*'], talk: ['echo.echo', 'echo.wait', 'echo.cancelled', 'waiting.*'] },
  users: { ana: { roles: ['everything'] }, ben: { roles: ['talk'] } },
}

/** Everything of it goes with the running test. */
export async function tokenScene(more: Readonly<Record<string, unknown>> = {}): Promise<TokenScene> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-tokens-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  let logged = ''
  const destination = {
    write: (line: string) => {
      logged += line
    },
  }
  const config: TokenScene['config'] = (other = {}) =>
    loadConfig({
      data: {
        dataDir,
        http: { listen: '127.0.0.1:0', auth: 'tokens' },
        plugins: {
          echo: { mcp: fixtureCommand('echo-server') },
          waiting: { mcp: fixtureCommand('waiting-server') },
        },
        ...PEOPLE,
        ...more,
        ...other,
      },
    })
  const another = async (): Promise<Host> => {
    const own = config()
    const host = await createHost({ config: own, log: createLog(own.secrets, 'debug', destination) })
    onTestFinished(() => host[Symbol.asyncDispose]())
    return host
  }
  const host = await another()
  await host.start()
  const { url, close } = await offerOverHttp(host, {})
  onTestFinished(close)
  return { host, url, logged: () => logged, another, config }
}

export function bearing(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** The request with more headers. */
export function withHeaders(request: RawRequest, headers: Record<string, string>): RawRequest {
  return { ...request, headers: { ...request.headers, ...headers } }
}

/** Calls a tool as a client of 2026-07-28 does. */
export function callModern(url: string, token: string, name: string, args = {}): Promise<RawAnswer> {
  return raw(url, withHeaders(modernCall(name, args), bearing(token)))
}

interface LegacySession {
  readonly headers: Record<string, string>
  call(name: string, args?: Record<string, unknown>): Promise<RawAnswer>
  /** Opens the stream of what belongs to no call. */
  stream(): Promise<IncomingMessage>
}

/** A client of 2025-11-25 with this token. */
export async function legacySession(url: string, token: string): Promise<LegacySession> {
  const headers = { ...bearing(token), ...(await openSession(url, bearing(token))) }
  return {
    headers,
    call: (name, args = {}) => raw(url, { headers, body: call(1, name, args) }),
    stream: () => open(url, { method: 'GET', headers }),
  }
}

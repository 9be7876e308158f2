/** The way of one HTTP request: guards, then who it is, then the body, then the era that serves it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { classifyInboundRequest, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import { type Body, readBody } from './body.ts'
import type { HttpContext } from './context.ts'
import { createOriginGuard, type Guard, type GuardOptions, guardGet, guardPost } from './guards.ts'
import { LegacyEra } from './legacy-era.ts'
import { ModernEra } from './modern-era.ts'
import { PlainCalls } from './plain-calls.ts'
import { REFUSED, type Refusal, refusal, refuse, replyText } from './reply.ts'

/** Whose request it is; undefined answers 401. */
export type Authenticate = (request: IncomingMessage) => Caller | undefined | Promise<Caller | undefined>

interface Caller {
  /** The acting user's name. */
  readonly user: string
}

export interface EndpointOptions extends HttpContext, GuardOptions {
  readonly authenticate: Authenticate
}

const PATH = '/mcp'

export class Endpoint {
  readonly #options: EndpointOptions
  readonly #legacy: LegacyEra
  readonly #modern: ModernEra
  readonly #plainCalls: PlainCalls
  #guard: Guard
  #closing = false

  constructor(options: EndpointOptions) {
    this.#options = options
    this.#guard = createOriginGuard(options)
    this.#legacy = new LegacyEra(options)
    this.#modern = new ModernEra(options)
    this.#plainCalls = new PlainCalls(options.toolCalls.list !== undefined)
  }

  /** Serves a request of `node:http`. */
  readonly listener: RequestListener = (request, response) => {
    // A client that breaks off is an event of its own; without a listener the error would end the process.
    response.on('error', (error) => this.#options.log.debug({ err: error }, 'a response was not taken'))
    this.#serve(request, response).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a request could not be served')
      if (response.headersSent) response.destroy()
      else
        this.#refuse(
          response,
          refusal(500, ProtocolErrorCode.InternalError, 'internal error; see the log of the callboard'),
        )
    })
  }

  /** Guards by these from now on. */
  accept(guard: GuardOptions): void {
    this.#guard = createOriginGuard(guard)
  }

  /** Tells subscribers of the modern era that the list of tools is another; a session's own server tells its client. */
  toolsChanged(): void {
    this.#modern.toolsChanged()
  }

  /** Lets every open answer and stream give a sign of life. */
  beat(): void {
    this.#legacy.beat()
    this.#modern.beat()
  }

  /** Ends every session, stream and call; whatever comes later is refused. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([this.#legacy.close(), this.#modern.close()])
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = this.#closing ? CLOSING : (this.#guard(request) ?? misdirected(request))
    if (refused !== undefined) return this.#refuse(response, refused)
    if (pathOf(request) !== PATH) return this.#greet(request, response)
    const caller = await this.#options.authenticate(request)
    if (caller === undefined) return this.#refuse(response, UNKNOWN_CALLER)
    const call = { request, response, user: caller.user }
    const unfit =
      request.method === 'POST' ? guardPost(request) : request.method === 'GET' ? guardGet(request) : undefined
    if (unfit !== undefined) return this.#refuse(response, unfit)
    if (request.method === 'GET') return this.#legacy.get(call)
    if (request.method === 'DELETE') return this.#legacy.delete(call)
    const body = await readBody(request, this.#options.limits.bodyBytes)
    if (body.kind === 'json') await this.#post(call, body.value)
    else if (body.kind !== 'gone') this.#refuse(response, this.#unreadable(body))
  }

  async #post(
    call: { request: IncomingMessage; response: ServerResponse; user: string },
    body: unknown,
  ): Promise<void> {
    const plain = this.#plainCalls.recognise(call.request.headers, body)
    if (plain?.era === 'legacy') return this.#legacy.call(call, plain.request)
    if (plain !== undefined) return this.#modern.call(call, plain.request)
    const route = classifyInboundRequest({ httpMethod: 'POST', ...protocolHeaders(call.request), body })
    switch (route.kind) {
      case 'reject':
        return this.#refuse(call.response, { ...route, status: route.httpStatus }, idOf(body))
      case 'legacy':
        return this.#legacy.post(call, route.reason, body)
      case 'modern':
        this.#plainCalls.learn(body)
        return this.#modern.post(call, body)
    }
  }

  #greet(request: IncomingMessage, response: ServerResponse): void {
    const text = `Callboard: tools for agents, over MCP. Connect a client (Streamable HTTP) to http://${request.headers.host}${PATH}\n`
    replyText(response, text, { status: 200, type: 'text/plain; charset=utf-8', stallMs: this.#options.limits.stallMs })
  }

  #unreadable(body: Exclude<Body, { kind: 'json' | 'gone' }>): Refusal {
    if (body.kind === 'malformed') return refusal(400, ProtocolErrorCode.ParseError, 'the body is not valid JSON')
    const message = `the body is too large; send at most ${this.#options.limits.bodyBytes} bytes`
    return refusal(413, REFUSED, message, { connection: 'close' })
  }

  #refuse(response: ServerResponse, why: Refusal, id: RequestId | null = null): void {
    this.#options.log.debug({ status: why.status }, `refused: ${why.message}`)
    refuse(response, why, this.#options.limits.stallMs, id)
  }
}

const CLOSING = refusal(503, REFUSED, 'the callboard is closing', { connection: 'close' })
const UNKNOWN_CALLER = refusal(401, REFUSED, 'no valid token; send "authorization: Bearer TOKEN"', {
  'www-authenticate': 'Bearer',
})

/** 405 and 404 for what is served under no name. */
function misdirected(request: IncomingMessage): Refusal | undefined {
  const path = pathOf(request)
  const methods = path === PATH ? ['GET', 'POST', 'DELETE'] : path === '/' ? ['GET', 'HEAD'] : undefined
  if (methods === undefined)
    return refusal(404, REFUSED, `nothing is served at ${JSON.stringify(path)}; MCP is at ${PATH}`)
  if (methods.includes(request.method ?? '')) return undefined
  const allow = methods.join(', ')
  return refusal(405, REFUSED, `${request.method} is not served at ${path}; use ${allow}`, { allow })
}

function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0]
}

function protocolHeaders({ headers }: IncomingMessage) {
  const version = headers['mcp-protocol-version']
  const method = headers['mcp-method']
  const name = headers['mcp-name']
  return {
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    ...(typeof method === 'string' && { mcpMethodHeader: method }),
    ...(typeof name === 'string' && { mcpNameHeader: name }),
  }
}

/** The id to repeat in an error, where the body is a single request that has one. */
function idOf(body: unknown): RequestId | null {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return null
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null
}

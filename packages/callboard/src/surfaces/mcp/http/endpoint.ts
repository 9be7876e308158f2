/** The way of one HTTP request: guards, then who it is, then the body, then the era that serves it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { classifyInboundRequest, ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server'
import { type Body, readBody } from './body.ts'
import { type Authenticate, type Caller, SHUT_OUT } from './caller.ts'
import type { HttpContext, IncomingRequest } from './context.ts'
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts'
import { createOriginGuard, type Guard, type GuardOptions, guardGet, guardPost } from './guards.ts'
import { LegacyEra } from './legacy-era.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './limits.ts'
import { ModernEra } from './modern-era.ts'
import { PlainCalls } from './plain-calls.ts'
import { REFUSED, type Refusal, refusal, refuse, replyText } from './reply.ts'
import { greetingFor, isForEndpoint, misdirected, wrongMethod } from './site.ts'

export interface EndpointOptions extends Omit<HttpContext, 'limits'>, GuardOptions {
  readonly authenticate: Authenticate
  readonly limits?: Partial<HttpLimits>
}

export class Endpoint {
  readonly limits: HttpLimits
  readonly #options: EndpointOptions
  readonly #legacy: LegacyEra
  readonly #modern: ModernEra
  readonly #plainCalls: PlainCalls
  readonly #heartbeat: NodeJS.Timeout
  /** Requests whose body is still on its way. */
  readonly #arriving = new Set<IncomingRequest>()
  #guard: Guard
  #closing = false

  constructor(options: EndpointOptions) {
    this.#options = options
    this.limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits }
    const context = { ...options, limits: this.limits }
    this.#guard = createOriginGuard(options)
    this.#legacy = new LegacyEra(context)
    this.#modern = new ModernEra(context)
    this.#plainCalls = new PlainCalls(options.toolCalls.list !== undefined)
    this.#heartbeat = setInterval(() => this.#beat(), this.limits.keepAliveMs)
    this.#heartbeat.unref()
  }

  /** Serves a request of `node:http` as one to the endpoint, whatever its path. */
  readonly listener: RequestListener = (request, response) => {
    this.#take(response, () => this.#serve(request, response, wrongMethod(request)))
  }

  /** Serves a request of `node:http` to an address that has the endpoint at `/mcp`. */
  readonly siteListener: RequestListener = (request, response) => {
    this.#take(response, () => this.#serve(request, response, misdirected(request), isForEndpoint(request)))
  }

  /** Guards by these from now on. */
  accept(guard: GuardOptions): void {
    this.#guard = createOriginGuard(guard)
  }

  /**
   * Tells subscribers of the modern era that are shown another list of tools now; a session's own server tells its
   * client.
   */
  toolsChanged(): void {
    this.#modern.toolsChanged()
  }

  /** Ends every session, stream and call of these callers. Their next request is for `authenticate` to judge. */
  async shutOut(isMeant: (caller: Caller) => boolean): Promise<void> {
    for (const { response, caller } of this.#arriving)
      if (isMeant(caller)) this.#refuse(response, refusal(403, REFUSED, SHUT_OUT, { connection: 'close' }))
    this.#modern.shutOut(isMeant)
    await this.#legacy.shutOut(isMeant)
  }

  /** Ends every session, stream and call; whatever comes later is refused. */
  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#heartbeat)
    await Promise.all([this.#legacy.close(), this.#modern.close()])
  }

  #take(response: ServerResponse, serve: () => Promise<void>): void {
    // A client that breaks off is an event of its own; without a listener the error would end the process.
    response.on('error', (error) => this.#options.log.debug({ err: error }, 'a response was not taken'))
    serve().catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a request could not be served')
      if (response.headersSent) response.destroy()
      else
        this.#refuse(
          response,
          refusal(500, ProtocolErrorCode.InternalError, 'internal error; see the log of the callboard'),
        )
    })
  }

  /** Lets every open answer and stream give a sign of life. */
  #beat(): void {
    this.#legacy.beat()
    this.#modern.beat()
  }

  /** @param misfit what is wrong with the way in which it was addressed */
  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    misfit: Refusal | undefined,
    isCall = true,
  ): Promise<void> {
    const unwanted = this.#closing ? CLOSING : this.#guard(request)
    if (unwanted !== undefined) return this.#refuse(response, unwanted)
    const { origin } = request.headers
    if (origin !== undefined) allowOrigin(origin, response)
    // Without credentials, as browsers ask it.
    if (isCall && isPreflight(request)) return answerPreflight(request, response)
    if (misfit !== undefined) return this.#refuse(response, misfit)
    const judged = this.#options.authenticate(request)
    const caller = judged instanceof Promise ? await judged : judged
    if ('status' in caller) return this.#refuse(response, caller)
    if (this.#closing) return this.#refuse(response, CLOSING)
    if (!isCall) return this.#greet(request, response)
    const call = { request, response, caller }
    const unfit =
      request.method === 'POST' ? guardPost(request) : request.method === 'GET' ? guardGet(request) : undefined
    if (unfit !== undefined) return this.#refuse(response, unfit)
    if (request.method === 'GET') return this.#legacy.get(call)
    if (request.method === 'DELETE') return this.#legacy.delete(call)
    this.#arriving.add(call)
    const body = await readBody(request, this.limits.bodyBytes)
    this.#arriving.delete(call)
    if (response.writableEnded) return
    const served = body.kind === 'json' ? this.#post(call, body.value) : undefined
    if (served !== undefined) await served
    else if (body.kind !== 'json' && body.kind !== 'gone') this.#refuse(response, this.#unreadable(body))
  }

  #post(call: IncomingRequest, body: unknown): Promise<void> | undefined {
    const plain = this.#plainCalls.recognise(call.request.headers, body)
    if (plain === undefined) return this.#postAny(call, body)
    if (plain.era === 'legacy') this.#legacy.call(call, plain.request)
    else void this.#modern.call(call, plain.request)
    return undefined
  }

  async #postAny(call: IncomingRequest, body: unknown): Promise<void> {
    const route = classifyInboundRequest({ httpMethod: 'POST', ...protocolHeaders(call.request), body })
    switch (route.kind) {
      case 'reject':
        return this.#refuse(call.response, { ...route, status: route.httpStatus }, idOf(body))
      case 'legacy':
        return this.#legacy.post(call, route.reason, body)
      case 'modern':
        return this.#postModern(call, body)
    }
  }

  /**
   * What the client says of itself is right, as the SDK has found; so a plain call is one that can be recognised now.
   */
  async #postModern(call: IncomingRequest, body: unknown): Promise<void> {
    this.#plainCalls.learn(body)
    const plain = this.#plainCalls.recognise(call.request.headers, body)
    if (plain?.era === 'modern') await this.#modern.call(call, plain.request)
    else await this.#modern.post(call, body)
  }

  #greet(request: IncomingMessage, response: ServerResponse): void {
    const { readers } = this.#options
    const type = 'text/plain; charset=utf-8'
    replyText(response, greetingFor(request), { status: 200, type, readers, who: () => ({}) })
  }

  #unreadable(body: Exclude<Body, { kind: 'json' | 'gone' }>): Refusal {
    if (body.kind === 'malformed') return refusal(400, ProtocolErrorCode.ParseError, 'the body is not valid JSON')
    const message = `the body is too large; send at most ${this.limits.bodyBytes} bytes`
    return refusal(413, REFUSED, message)
  }

  #refuse(response: ServerResponse, why: Refusal, id: RequestId | null = null): void {
    this.#options.log.debug({ status: why.status }, `refused: ${why.message}`)
    refuse(response, why, this.#options.readers, id)
  }
}

const CLOSING = refusal(503, REFUSED, 'the callboard is closing', { connection: 'close' })

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
  // What is no safe integer was read as another one, perhaps.
  const { id } = body
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null
}

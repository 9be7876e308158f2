/**
 * Serves clients of 2026-07-28, whose requests stand alone: calls of tools on the short way, all else through the SDK's
 * handler.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createMcpHandler,
  type JSONRPCRequest,
  type McpHttpHandler,
  type Notification,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { CallboardError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { ReaderName } from '../../readers.ts'
import { writable } from '../message-text.ts'
import { type Caller, SHUT_OUT } from './caller.ts'
import type { HttpContext, IncomingRequest } from './context.ts'
import { EventStream } from './event-stream.ts'
import { Exchange } from './exchange.ts'
import { PlainStream } from './plain-stream.ts'
import { readerName } from './reader-name.ts'
import { REFUSED, refusal, refuse, replyText } from './reply.ts'
import type { ServerContext } from './server-context.ts'
import { answerToolCall } from './tool-calls.ts'

/** Changes come in bursts when servers start; subscribers are told once of each. */
const QUIET_MS = 100

/** How an event of the SDK's streams begins. */
const MESSAGE = 'event: message\ndata: '

const LIST_CHANGED = 'notifications/tools/list_changed'

const CLOSING = 'the callboard is closing'

export class ModernEra {
  readonly #context: HttpContext
  readonly #handler: McpHttpHandler
  readonly #running = new Map<AbortController, { readonly exchange: Exchange; readonly caller: Caller }>()
  /** What the SDK's handler serves; aborting it ends that. */
  readonly #handled = new Map<AbortController, IncomingRequest>()
  /** Takes what belongs to a request past the SDK's handler, to the server that is made for it. */
  readonly #contexts = new WeakMap<Request, ServerContext>()
  #notice: NodeJS.Timeout | undefined

  constructor(context: HttpContext) {
    this.#context = context
    const { createServer, limits, log } = context
    this.#handler = createMcpHandler(
      ({ requestInfo }) => {
        const context = requestInfo && this.#contexts.get(requestInfo)
        if (context === undefined) throw new CallboardError('internal', 'a request came from nowhere')
        return writingOnly(createServer(context), log)
      },
      {
        legacy: 'reject',
        keepAliveMs: limits.keepAliveMs,
        onerror: (error) => log.debug({ err: error }, 'a modern request was not served'),
      },
    )
  }

  /** Serves one POST, whose body the SDK has classified as this era's. */
  async post(call: IncomingRequest, body: unknown): Promise<void> {
    const { request, response, caller } = call
    const gone = new AbortController()
    this.#handled.set(gone, call)
    response.on('close', () => {
      this.#handled.delete(gone)
      gone.abort()
    })
    const asked = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: headersOf(request),
      signal: gone.signal,
    })
    let status: number | undefined
    const answerWith = (wanted: number): void => {
      status = wanted
    }
    const server: ServerContext = { caller, era: 'modern', exchange: { headers: request.headers, answerWith } }
    this.#contexts.set(asked, server)
    const concerns = isSubscription(body) ? await this.#whatConcerns(server) : undefined
    const answer = await this.#handler.fetch(asked, { parsedBody: body })
    await this.#relay(
      { answer, response, concerns, who: () => readerName(caller, [body]) },
      answer.status === 200 ? status : undefined,
    )
  }

  /** Serves a plain call of a tool. Never rejects. */
  async call({ request: { headers }, response, caller }: IncomingRequest, request: JSONRPCRequest): Promise<void> {
    const { toolCalls, readers, log } = this.#context
    const who = () => readerName(caller, [request])
    const exchange = new Exchange({
      response,
      ids: [request.id],
      batch: false,
      headers: {},
      readers,
      who,
      log,
      openStream: () => new PlainStream(response, { ...this.#context, who }),
      resumable: false,
    })
    const running = new AbortController()
    this.#running.set(running, { exchange, caller })
    // In this era a client cancels by breaking off.
    response.on('close', () => {
      if (!this.#running.delete(running)) return
      exchange.cancel(request.id)
      running.abort()
    })
    const notify = async (notification: Notification) => exchange.note({ jsonrpc: '2.0', ...notification })
    const server: ServerContext = {
      caller,
      era: 'modern',
      exchange: { headers, answerWith: (status) => exchange.answerWith(status) },
    }
    try {
      const answer = await answerToolCall(toolCalls, { request, server, context: { signal: running.signal, notify } })
      this.#running.delete(running)
      exchange.answer(request.id, answer)
    } catch (error) {
      log.error({ err: error, id: request.id }, 'an answer could not be sent')
    }
  }

  /** Lets every open answer of `call` give a sign of life; the SDK's handler sees to its own. */
  beat(): void {
    for (const { exchange } of this.#running.values()) exchange.beat()
  }

  /** Tells every subscription that asked for it that the list of tools is another, where that is so for its user. */
  toolsChanged(): void {
    if (this.#notice !== undefined) return
    this.#notice = setTimeout(() => {
      this.#notice = undefined
      this.#handler.notify.toolsChanged()
    }, QUIET_MS)
    this.#notice.unref()
  }

  /** Ends the calls and subscriptions of these callers. */
  shutOut(isMeant: (caller: Caller) => boolean): void {
    for (const [running, { exchange, caller }] of this.#running) {
      if (!isMeant(caller)) continue
      exchange.abandon(SHUT_OUT)
      running.abort()
    }
    for (const [handled, { response, caller }] of this.#handled) {
      if (!isMeant(caller)) continue
      if (response.headersSent) response.end()
      else refuse(response, refusal(403, REFUSED, SHUT_OUT), this.#context.readers)
      handled.abort()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#notice)
    for (const [running, { exchange }] of this.#running) {
      exchange.abandon(CLOSING)
      running.abort()
    }
    await this.#handler.close()
  }

  async #whatConcerns(server: ServerContext): Promise<Concerns> {
    const hasListChanged = await this.#context.watchList?.(server)
    return async (news) => news.method !== LIST_CHANGED || hasListChanged === undefined || (await hasListChanged())
  }

  async #relay({ answer, response, concerns, who }: Relayed, status = answer.status): Promise<void> {
    const { limits, readers, log } = this.#context
    if (answer.status === 499) {
      refuse(response, refusal(503, REFUSED, CLOSING), readers)
      return
    }
    const type = answer.headers.get('content-type')
    if (answer.body === null || type !== 'text/event-stream') {
      replyText(response, await answer.text(), { status, type: type ?? 'application/json', readers, who })
      return
    }
    const events = new EventStream(response, { limits, readers, who, log }, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body) {
      if (response.destroyed || response.writableEnded) break
      await relayFrame(events, Buffer.from(chunk).toString(), concerns)
    }
    events.end()
  }
}

/** The SDK's handler never settles a request whose answer it fails to write, so such an answer must not reach it. */
function writingOnly(server: Server, log: Log): Server {
  const connect = server.connect.bind(server)
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(writable(message, log), options)
    return connect(transport)
  }
  return server
}

/** An answer of the SDK's handler, and where it goes. */
interface Relayed {
  readonly answer: Response
  readonly response: ServerResponse
  /**
   * Set where it is a stream of news, in which none that concerns the client may be missing, and not the answer to a
   * call.
   */
  readonly concerns: Concerns | undefined
  who(): ReaderName
}

/** Whether a piece of news is any to the client. */
type Concerns = (news: { readonly method?: string }) => Promise<boolean>

/** Each chunk of the SDK's streams is one event, or a comment as a sign of life. */
async function relayFrame(events: EventStream, frame: string, concerns: Concerns | undefined): Promise<void> {
  if (!frame.startsWith(MESSAGE)) {
    events.comment()
    return
  }
  const data = frame.slice(MESSAGE.length).trimEnd()
  const message: { readonly method?: string } = JSON.parse(data)
  if (concerns === undefined) message.method === undefined ? events.answer([data]) : events.note([data])
  else if (await concerns(message)) events.tell([data])
}

function isSubscription(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
}

function headersOf(request: IncomingMessage): [string, string][] {
  return Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

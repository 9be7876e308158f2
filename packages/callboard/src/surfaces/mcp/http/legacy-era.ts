/** Serves clients of 2025-11-25 and before: sessions that begin with `initialize`, their GET stream, and DELETE. */
import {
  type InboundLegacyRoute,
  isInitializeRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { isObject } from '../../../is-object.ts'
import type { Caller } from './caller.ts'
import type { HttpContext, IncomingRequest } from './context.ts'
import { Exchange } from './exchange.ts'
import { readerName } from './reader-name.ts'
import { REFUSED, type Refusal, refusal, refuse } from './reply.ts'
import type { StreamConnection } from './session-streams.ts'
import { type Session, Sessions } from './sessions.ts'

/** The code with which the SDK's own server answers for a session that is not there. */
const SESSION_NOT_FOUND = -32001

/** Since when an event without data is no error (2025-11-25, Streamable HTTP, sending messages to the server). */
const EMPTY_EVENTS_SINCE = '2025-11-25'

const NOT_RESUMABLE = refusal(400, REFUSED, 'nothing that came after last-event-id is kept; ask again instead')
const STREAM_TAKEN = refusal(409, REFUSED, 'this session has its stream already; end that one first')

export class LegacyEra {
  readonly #context: HttpContext
  readonly #sessions: Sessions

  constructor(context: HttpContext) {
    this.#context = context
    this.#sessions = new Sessions(context)
  }

  /** Serves one POST, whose body the SDK has classified as this era's. */
  async post(call: IncomingRequest, reason: InboundLegacyRoute['reason'], body: unknown): Promise<void> {
    const messages = messagesOf(body)
    const session = reason === 'initialize' ? await this.#open(call, body) : this.#find(call)
    const ids = messages.flatMap(requestId)
    if ('status' in session) this.#refuse(call, session, Array.isArray(body) ? null : (ids[0] ?? null))
    else await this.#receive(call, session, { messages, ids, batch: Array.isArray(body) })
  }

  /** Serves a plain call of a tool. */
  call(call: IncomingRequest, request: JSONRPCRequest): void {
    const session = this.#find(call)
    if ('status' in session) this.#refuse(call, session, request.id)
    else if (session.transport.awaits(request.id)) this.#refuse(call, stillRunning(request.id), request.id)
    else
      session.transport.take(
        request,
        this.#exchange(call, session, { messages: [request], ids: [request.id], batch: false }),
      )
  }

  /** Opens the session's one stream for what belongs to no call, or goes on with any that the client has lost. */
  get(call: IncomingRequest): void {
    const session = this.#find(call)
    if ('status' in session) {
      this.#refuse(call, session)
      return
    }
    const { streams } = session.transport
    const lastEventId = call.request.headers['last-event-id']
    if (typeof lastEventId !== 'string' || lastEventId === '') {
      if (streams.hasStandalone) this.#refuse(call, STREAM_TAKEN)
      else streams.openStandalone(connectionOf(call))
    } else if (!streams.resume(lastEventId, connectionOf(call))) this.#refuse(call, NOT_RESUMABLE)
    session.transport.touch()
  }

  /** Ends a session at the wish of its client. */
  async delete(call: IncomingRequest): Promise<void> {
    const session = this.#find(call)
    if ('status' in session) {
      this.#refuse(call, session)
      return
    }
    await session.transport.close()
    call.response.writeHead(200, { 'content-length': 0 }).end()
  }

  /** Lets every open answer and stream give a sign of life. */
  beat(): void {
    this.#sessions.beat()
  }

  /** Ends the sessions of these callers, with all that is open in them. */
  async shutOut(isMeant: (caller: Caller) => boolean): Promise<void> {
    await this.#sessions.shutOut(isMeant)
  }

  async close(): Promise<void> {
    await this.#sessions.close()
  }

  async #open(call: IncomingRequest, body: unknown): Promise<Session | Refusal> {
    if (call.request.headers['mcp-session-id'] !== undefined) {
      const session = this.#find(call)
      if ('status' in session) return session
      return refusal(
        400,
        ProtocolErrorCode.InvalidRequest,
        'this session is initialized already; leave mcp-session-id out to open another',
      )
    }
    if (!isInitializeRequest(body))
      return refusal(
        400,
        ProtocolErrorCode.InvalidParams,
        'initialize needs protocolVersion, capabilities and clientInfo',
      )
    const session = await this.#sessions.open(call.caller)
    if (session !== undefined) return session
    return refusal(
      503,
      REFUSED,
      `all ${this.#context.limits.sessions} sessions are in use; end one, or try again later`,
    )
  }

  #find({ request: { headers }, caller }: IncomingRequest): Session | Refusal {
    const id = headers['mcp-session-id']
    if (id === undefined)
      return refusal(400, REFUSED, 'mcp-session-id is missing; begin with initialize and send the id that it gave')
    const session = typeof id === 'string' ? this.#sessions.find(id, caller) : undefined
    if (session === undefined) return refusal(404, SESSION_NOT_FOUND, 'session not found; begin again with initialize')
    const version = headers['mcp-protocol-version']
    if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(`${version}`)) return session
    return refusal(
      400,
      REFUSED,
      `unsupported protocol version ${JSON.stringify(version)}; sessions speak ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`,
    )
  }

  async #receive(call: IncomingRequest, session: Session, post: Post): Promise<void> {
    const { messages, ids, batch } = post
    const problem = problemOf(session, post, this.#context.limits.batchMessages)
    if (problem !== undefined) {
      this.#refuse(call, problem, batch ? null : (ids[0] ?? null))
      return
    }
    if (ids.length === 0) {
      // Not before they have been taken: who may send more at once would fill the memory with them.
      await session.transport.receive(messages, ids, undefined)
      call.response.writeHead(202, { 'content-length': 0 }).end()
      return
    }
    await session.transport.receive(messages, ids, this.#exchange(call, session, post))
  }

  #exchange(call: IncomingRequest, session: Session, { messages, ids, batch }: Post): Exchange {
    const { readers, log } = this.#context
    const who = () => readerName(call.caller, messages)
    return new Exchange({
      response: call.response,
      ids,
      batch,
      headers: { 'mcp-session-id': session.id },
      readers,
      who,
      log,
      openStream: () => session.transport.streams.openForCall({ ...connectionOf(call), who }),
      resumable: knowsEmptyEvents(call),
    })
  }

  #refuse(call: IncomingRequest, why: Refusal, id: RequestId | null = null): void {
    refuse(call.response, why, this.#context.readers, id)
  }
}

interface Post {
  readonly messages: readonly JSONRPCMessage[]
  readonly ids: readonly RequestId[]
  readonly batch: boolean
}

/** What is wrong with these messages in this session, if anything. */
function problemOf(session: Session, post: Post, most: number): Refusal | undefined {
  const taken = post.ids.find((id) => session.transport.awaits(id))
  if (taken !== undefined) return stillRunning(taken)
  const problem = post.batch ? problemOfBatch(post, most) : undefined
  return problem === undefined ? undefined : refusal(400, ProtocolErrorCode.InvalidRequest, problem)
}

function stillRunning(id: RequestId): Refusal {
  const words = `the request ${JSON.stringify(id)} is still running; give this one another id`
  return refusal(400, ProtocolErrorCode.InvalidRequest, words)
}

function problemOfBatch({ messages, ids }: Post, most: number): string | undefined {
  if (messages.length > most) return `a batch of ${messages.length} messages is too long; send at most ${most}`
  if (messages.some((message) => 'method' in message && message.method === 'initialize'))
    return 'initialize may not be part of a batch; send it alone'
  return new Set(ids).size < ids.length ? 'two requests of the batch have the same id; give each its own' : undefined
}

/** The messages of a body that `classifyInboundRequest` has found to be one of them, or an array of them. */
function messagesOf(body: unknown): readonly JSONRPCMessage[] {
  return [body].flat().filter(isMessage)
}

/** What is left to ask of a message that was classified. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value.jsonrpc === '2.0'
}

function requestId(message: JSONRPCMessage): RequestId[] {
  return 'method' in message && 'id' in message ? [message.id] : []
}

function connectionOf(call: IncomingRequest): StreamConnection {
  const { response, caller } = call
  return { response, primed: knowsEmptyEvents(call), who: () => readerName(caller) }
}

/** The revision is in the header of every request after `initialize`, and no other request has a stream. */
function knowsEmptyEvents({ request: { headers } }: IncomingRequest): boolean {
  return String(headers['mcp-protocol-version'] ?? '') >= EMPTY_EVENTS_SINCE
}

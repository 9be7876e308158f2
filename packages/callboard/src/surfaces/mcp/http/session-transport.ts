/** The transport of one session of an old client: many POSTs and at most one GET stream, in front of one SDK server. */
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Notification,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server'
import type { Log } from '../../../log.ts'
import type { Readers } from '../../readers.ts'
import { messageText } from '../message-text.ts'
import type { SessionEvents } from './event-memory.ts'
import type { Exchange } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import type { ServerContext } from './server-context.ts'
import { SessionStreams } from './session-streams.ts'
import type { SharedTurns } from './shared-turns.ts'
import { answerToolCall, isToolRequest, type ToolCalls } from './tool-calls.ts'

export class SessionTransport implements Transport {
  readonly sessionId: string
  readonly streams: SessionStreams
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #server: ServerContext
  readonly #toolCalls: ToolCalls
  readonly #log: Log
  readonly #turns: SharedTurns
  readonly #pending = new Map<RequestId, Pending>()
  #closed = false
  #lastActive = performance.now()

  constructor(sessionId: string, { server, toolCalls, turns, events, limits, readers, log }: SessionTransportOptions) {
    this.sessionId = sessionId
    this.#server = server
    this.#toolCalls = toolCalls
    this.#turns = turns
    this.#log = log
    this.streams = new SessionStreams(sessionId, {
      events,
      context: { limits, readers, log },
      onGone: () => this.touch(),
    })
  }

  /** Nothing to start: messages come with requests. */
  async start(): Promise<void> {}

  /**
   * When the client last did something, on the clock of `performance.now()`; undefined while it has a call or a stream
   * open.
   */
  get idleSince(): number | undefined {
    return this.#pending.size === 0 && !this.streams.hasStandalone ? this.#lastActive : undefined
  }

  /** Whether the answer to this request is still to come. */
  awaits(id: RequestId): boolean {
    return this.#pending.has(id)
  }

  /** Runs a call of a tool, whose answer goes to `exchange` and may not be awaited already. */
  take(request: JSONRPCRequest, exchange: Exchange): void {
    this.#pending.set(request.id, { exchange, running: undefined })
    this.#take(request)
  }

  /**
   * Hands the messages of one POST to the server, of which many have to wait for their turns, and resolves when they
   * have had them; answers to `ids` go to `exchange`, none of which may be awaited already.
   */
  async receive(
    messages: readonly JSONRPCMessage[],
    ids: readonly RequestId[],
    exchange: Exchange | undefined,
  ): Promise<void> {
    this.#lastActive = performance.now()
    if (exchange !== undefined) for (const id of ids) this.#pending.set(id, { exchange, running: undefined })
    const [only] = messages
    if (only !== undefined && messages.length === 1) this.#take(only)
    else {
      const taken = Promise.withResolvers<void>()
      this.#turns.add(this.#takeAll(messages, exchange, taken))
      await taken.promise
    }
  }

  /** Lets everything that is open give a sign of life. */
  beat(): void {
    for (const exchange of this.#exchanges()) exchange.beat()
    this.streams.comment()
  }

  /** Called at short pauses: answers that take long become streams, which can be resumed. */
  tick(): void {
    for (const exchange of this.#exchanges()) exchange.tick()
  }

  /** The client has done something. */
  touch(): void {
    this.#lastActive = performance.now()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#closed) return
    if (!('method' in message)) {
      if (message.id !== undefined) this.#answer(message.id, message)
      return
    }
    const related = options?.relatedRequestId
    // What comes after its call was answered has nowhere to go, and must not turn up elsewhere.
    if (related === undefined) this.streams.send(messageText(message, this.#log))
    else this.#pending.get(related)?.exchange.note(message)
  }

  /** Ends the session: answers what is open with an error that says why, cancels it, and ends every stream. */
  async close(why = 'the session has ended'): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const exchange of this.#exchanges()) exchange.abandon(why)
    for (const { running } of this.#pending.values()) running?.abort()
    this.#pending.clear()
    this.streams.close()
    this.onclose?.()
  }

  *#takeAll(
    messages: readonly JSONRPCMessage[],
    exchange: Exchange | undefined,
    { resolve, reject }: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>,
  ): Generator<undefined, void> {
    try {
      for (const message of messages) {
        // Meanwhile the session may have ended, and the request may have been cancelled.
        if (this.#closed) break
        const isRequest = 'method' in message && 'id' in message
        if (!isRequest || this.#pending.get(message.id)?.exchange === exchange) this.#take(message)
        yield
      }
      resolve()
    } catch (error) {
      reject(error)
    }
  }

  #take(message: JSONRPCMessage): void {
    const request = isToolRequest(message, this.#toolCalls) ? message : undefined
    const pending = request && this.#pending.get(request.id)
    if (request !== undefined && pending !== undefined) void this.#call(request, pending)
    else this.onmessage?.(message)
    const cancelled = cancelledId(message)
    if (cancelled !== undefined) this.#cancel(cancelled)
  }

  /** Each of them once, however many requests it answers. */
  #exchanges(): ReadonlySet<Exchange> {
    return new Set(Array.from(this.#pending.values(), ({ exchange }) => exchange))
  }

  /** Never rejects. */
  async #call(request: JSONRPCRequest, pending: Pending): Promise<void> {
    const running = new AbortController()
    pending.running = running
    const notify = async (notification: Notification) => pending.exchange.note({ jsonrpc: '2.0', ...notification })
    const context = { signal: running.signal, notify, session: this }
    try {
      const answer = await answerToolCall(this.#toolCalls, { request, server: this.#server, context })
      // A cancelled call has no answer, and its id may stand for another by now.
      if (!running.signal.aborted) this.#answer(request.id, answer)
    } catch (error) {
      this.#log.error({ err: error, id: request.id }, 'an answer could not be sent')
    }
  }

  #cancel(id: RequestId): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.running?.abort()
    // Nothing is answered to a cancelled request, so nothing else would end its response.
    pending?.exchange.cancel(id)
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    this.#pending.get(id)?.exchange.answer(id, message)
    this.#pending.delete(id)
    this.#lastActive = performance.now()
  }
}

export interface SessionTransportOptions {
  readonly server: ServerContext
  readonly toolCalls: ToolCalls
  /** Shared by all sessions. */
  readonly turns: SharedTurns
  /** Where what its streams carry is kept. */
  readonly events: SessionEvents
  readonly limits: HttpLimits
  readonly readers: Readers
  readonly log: Log
}

/** A request whose answer is still to come. */
interface Pending {
  readonly exchange: Exchange
  /** Ends a call that runs past the server. */
  running: AbortController | undefined
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

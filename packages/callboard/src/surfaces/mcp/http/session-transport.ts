/** The transport of one session of an old client: many POSTs and at most one GET stream, in front of one SDK server. */
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Notification,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server'
import type { EventStream } from './event-stream.ts'
import type { Exchange } from './exchange.ts'
import { answerToolCall, type ToolCalls } from './tool-calls.ts'

export class SessionTransport implements Transport {
  readonly sessionId: string
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #user: string
  readonly #toolCalls: ToolCalls
  readonly #exchanges = new Map<RequestId, Exchange>()
  /** The calls that run past the server, by which they can be cancelled. */
  readonly #running = new Map<RequestId, AbortController>()
  #stream: EventStream | undefined
  #closed = false
  #lastActive = performance.now()

  constructor(sessionId: string, user: string, toolCalls: ToolCalls) {
    this.sessionId = sessionId
    this.#user = user
    this.#toolCalls = toolCalls
  }

  /** Nothing to start: messages come with requests. */
  async start(): Promise<void> {}

  /** When the client last did something, on the clock of `performance.now()`; undefined while it has a call or a stream open. */
  get idleSince(): number | undefined {
    return this.#exchanges.size === 0 && this.#stream === undefined ? this.#lastActive : undefined
  }

  /** Whether the answer to this request is still to come. */
  awaits(id: RequestId): boolean {
    return this.#exchanges.has(id)
  }

  get hasStream(): boolean {
    return this.#stream !== undefined
  }

  /** Hands the messages of one POST to the server; answers to `ids` go to `exchange`, none of which may be awaited already. */
  receive(messages: readonly JSONRPCMessage[], ids: readonly RequestId[], exchange: Exchange | undefined): void {
    this.#lastActive = performance.now()
    if (exchange !== undefined) for (const id of ids) this.#exchanges.set(id, exchange)
    for (const message of messages) {
      if (isToolCall(message) && exchange !== undefined) this.#call(message, exchange)
      else this.onmessage?.(message)
      const cancelled = cancelledId(message)
      if (cancelled !== undefined) this.#cancel(cancelled)
    }
  }

  /** Sends what belongs to no call to this stream from now on; `undefined` when it has gone. */
  setStream(stream: EventStream | undefined): void {
    this.#stream = stream
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
    if (related === undefined) this.#stream?.send(message)
    else this.#exchanges.get(related)?.note(message)
  }

  /** Ends the session: answers what is open with an error and ends every stream. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const exchange of new Set(this.#exchanges.values())) exchange.abandon('the session has ended')
    this.#exchanges.clear()
    for (const call of this.#running.values()) call.abort()
    this.#running.clear()
    this.#stream?.end()
    this.#stream = undefined
    this.onclose?.()
  }

  #call(request: JSONRPCRequest, exchange: Exchange): void {
    const running = new AbortController()
    this.#running.set(request.id, running)
    const notify = async (notification: Notification) => exchange.note({ jsonrpc: '2.0', ...notification })
    void answerToolCall(this.#toolCalls, {
      request,
      server: { user: this.#user, era: 'legacy' },
      context: { signal: running.signal, notify },
    }).then((answer) => {
      // A cancelled call has no answer, and its id may stand for another by now.
      if (running.signal.aborted) return
      this.#running.delete(request.id)
      this.#answer(request.id, answer)
    })
  }

  #cancel(id: RequestId): void {
    this.#running.get(id)?.abort()
    this.#running.delete(id)
    // Nothing is answered to a cancelled request, so nothing else would end its response.
    this.#exchanges.get(id)?.cancel(id)
    this.#exchanges.delete(id)
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    this.#exchanges.get(id)?.answer(id, message)
    this.#exchanges.delete(id)
    this.#lastActive = performance.now()
  }
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function isToolCall(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && message.method === 'tools/call' && 'id' in message
}

/**
 * Sends requests past the SDK's client over the client's own transport, and takes the answers out before the client
 * sees them. The client does what needs an MCP client (handshake, eras, subscriptions); calls and lists go this way,
 * because the client checks and rewrites what passes through it (one odd tool fails a list of the modern era, a result
 * is cut to the known content kinds), loses the progress that stands right before a result, and costs more.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { CallboardError, messageOf, UpstreamError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { type CallLog, isLogLevel, isSeriousEnough } from '../log-messages.ts'
import type { Progress } from '../plugin.ts'
import type { LargeAnswer } from './large-answer.ts'
import { largeResult } from './large-result.ts'
import type { JsonObject } from './messages.ts'
import { type ModernClient, RequestEnvelope } from './request-envelope.ts'
import { largeError, upstreamError } from './upstream-error.ts'

/** The client numbers its own few requests from 0, so these never meet. */
const FIRST_ID = 1_000_000
const NOT_RELAYED = 'which asks for something in return that is not relayed'
/** Where ids stand in a message that was too long to be read. */
const ID_PATTERN = /"id":\s*(\d+)\s*[,}]/g
/** How one begins, be it in an event, that is no answer. */
const UNASKED = /^[^{]*\{\s*(?:"jsonrpc":\s*"2\.0",\s*)?"method":/

export interface RelayOptions {
  readonly transport: Transport
  /** Undefined for the legacy era. */
  readonly modern: ModernClient | undefined
  /** What is thrown for what the transport threw, or for a message that could not be handed on. */
  readonly failureOf: (error: unknown) => unknown
  /**
   * Called when a request's signal ended the waiting; nothing at all had come from the server for so long meanwhile.
   */
  readonly onUnanswered: (silentMs: number) => void
  /** Called when a message could not be handed on; a call that it belonged to has failed with that. */
  readonly onUnfit: (error: unknown) => void
}

export interface RelayRequest {
  readonly method: string
  readonly params: JsonObject
  /** Ends the waiting at once, with `cancelled`, and tells the server. */
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Takes the server's log messages while this is the only call of a tool that waits. */
  readonly log?: CallLog | undefined
  /** Whether the result may be one of `encodedResult`, and data of an error have written numbers. */
  readonly takesEncoded?: boolean | undefined
  /** Further HTTP headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface Pending {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
  readonly isCall: boolean
  readonly takesEncoded: boolean
  /**
   * Taken away when the waiting is over: the tables of a map that lives long outlive what stood in it, and would keep a
   * whole call, to which this leads, from being collected early.
   */
  onProgress: ((progress: Progress) => void) | undefined
  log: CallLog | undefined
}

export class RpcRelay {
  readonly #transport: Transport
  readonly #envelope: RequestEnvelope
  readonly #pending = new Map<number, Pending>()
  readonly #failureOf: RelayOptions['failureOf']
  readonly #onUnanswered: RelayOptions['onUnanswered']
  #nextId = FIRST_ID
  #heardAt = performance.now()

  /** Takes over the transport's messages; the client must be connected to it already. */
  constructor({ transport, modern, failureOf, onUnanswered, onUnfit }: RelayOptions) {
    this.#transport = transport
    this.#failureOf = failureOf
    this.#onUnanswered = onUnanswered
    this.#envelope = new RequestEnvelope(modern)
    const client = transport.onmessage
    transport.onmessage = (message, extra) => {
      this.#heardAt = performance.now()
      // Nothing that a server sends may throw into the reading of its stream: that would end the process.
      try {
        if (!this.#take(message)) client?.(message, extra)
      } catch (error) {
        this.#pendingOf(message)?.reject(failureOf(error))
        onUnfit(error)
      }
    }
  }

  /** When the last message of any kind came, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt
  }

  /**
   * The result as the server sent it, but for `resultType`, which belongs to the wire. Throws `UpstreamError` for the
   * server's own error, `cancelled` after the signal, else what `failureOf` makes of it.
   */
  request(request: RelayRequest): Promise<JsonObject> {
    const { method, params, signal, onProgress, log, takesEncoded = false, headers } = request
    if (signal.aborted) return Promise.reject(cancelled(method, signal))
    const id = this.#nextId++
    const sentAt = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const stream = this.#transport.hasPerRequestStream === true ? new AbortController() : undefined
    const end = (): boolean => {
      if (!this.#pending.delete(id)) return false
      pending.onProgress = undefined
      pending.log = undefined
      signal.removeEventListener('abort', abort)
      return true
    }
    const fail = (error: unknown): void => {
      if (!end()) return
      reject(error)
      // An answer that broke off would be asked for again where the server allows that, for nobody.
      if (!(error instanceof UpstreamError)) stream?.abort()
    }
    const pending: Pending = {
      resolve: (result) => end() && resolve(result),
      reject: fail,
      isCall: method === 'tools/call',
      takesEncoded,
      onProgress,
      log,
    }
    const abort = (): void => {
      end()
      reject(cancelled(method, signal))
      this.#cancel(id, signal, stream)
      this.#onUnanswered(performance.now() - Math.max(sentAt, this.#heardAt))
    }
    this.#pending.set(id, pending)
    signal.addEventListener('abort', abort, { once: true })
    const sent = this.#transport.send(
      { jsonrpc: '2.0', id, method, params: this.#envelope.around(params, { progressToken: onProgress && id, log }) },
      {
        headers,
        requestSignal: stream?.signal,
        onRequestStreamEnd: () => fail(new CallboardError('interrupted', 'the server broke off its answer')),
      },
    )
    sent.catch((error: unknown) => fail(this.#failureOf(error)))
    return promise
  }

  /** Ends every waiting with this error: the connection is gone. */
  fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error)
  }

  /**
   * Takes an answer in bytes where whoever waits for it can do with that, or nobody waits; else it has to be read
   * whole.
   */
  takeLarge(answer: LargeAnswer): boolean {
    const { id } = answer
    if (typeof id !== 'number' || id < FIRST_ID) return false
    const pending = this.#pending.get(id)
    if (pending?.takesEncoded === false) return false
    const error = answer.kind === 'failure' ? largeError(answer.error) : undefined
    if (answer.kind === 'failure' && error === undefined) return false
    this.#heardAt = performance.now()
    if (answer.kind === 'result' && pending !== undefined) this.#settle(pending, largeResult(answer.fields))
    if (error !== undefined) pending?.reject(error)
    return true
  }

  /**
   * Ends the waiting for a message that was too long to be read, where it was an answer; to which request, its first or last
   * characters tell. What the server says unasked, or too late, ends nobody's.
   */
  failLong(edges: string, error: Error): void {
    if (UNASKED.test(edges)) return
    for (const [, id] of edges.matchAll(ID_PATTERN)) this.#pending.get(Number(id))?.reject(error)
  }

  #cancel(id: number, signal: AbortSignal, stream: AbortController | undefined): void {
    // In the modern era over HTTP the end of the stream is the cancellation; in the legacy one it would mean nothing.
    if (stream === undefined || !this.#envelope.isModern) {
      const params = this.#envelope.around({ requestId: id, reason: messageOf(signal.reason) })
      // Nobody waits any more; a server that can't be told will find the connection gone.
      this.#transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {})
    }
    stream?.abort()
  }

  /** Whether the message was an answer to, progress of, or a log message of a request of this relay. */
  #take(message: JSONRPCMessage): boolean {
    if ('method' in message) {
      if ('id' in message) return false
      if (message.method === 'notifications/message') return this.#takeLog(message.params)
      return message.method === 'notifications/progress' && this.#takeProgress(message.params)
    }
    if (typeof message.id !== 'number' || message.id < FIRST_ID) return false
    const pending = this.#pending.get(message.id)
    // Late answers to what was cancelled end here, too.
    if (pending === undefined) return true
    if ('error' in message && isObject(message.error)) pending.reject(upstreamError(message.error))
    else this.#settle(pending, 'result' in message ? message.result : undefined)
    return true
  }

  /** The request that the message answers or tells the progress of. */
  #pendingOf(message: JSONRPCMessage): Pending | undefined {
    const id = 'method' in message ? message.params?.progressToken : message.id
    return typeof id === 'number' ? this.#pending.get(id) : undefined
  }

  #settle({ resolve, reject }: Pending, result: unknown): void {
    if (!isObject(result)) {
      reject(new CallboardError('tool_failed', 'the server answered with no result object'))
    } else if (!('resultType' in result)) {
      resolve(result)
    } else {
      const { resultType, ...rest } = result
      if (!this.#envelope.isModern || resultType === 'complete') resolve(rest)
      else
        reject(new CallboardError('tool_failed', `the server answered ${JSON.stringify(resultType)}, ${NOT_RELAYED}`))
    }
  }

  /** The wire does not say to which call a log message belongs, so it is known only while there is no other. */
  #takeLog(params: unknown): boolean {
    const calls = [...this.#pending.values()].filter(({ isCall }) => isCall)
    const log = calls.length === 1 ? calls[0]?.log : undefined
    if (log === undefined || !isObject(params) || !isLogLevel(params.level)) return false
    if (!isSeriousEnough(params.level, log.level)) return false
    const { level, logger, data } = params
    log.write({ level, ...(typeof logger === 'string' && { logger }), data })
    return true
  }

  #takeProgress(params: unknown): boolean {
    if (!isObject(params)) return false
    const { progressToken, progress, total, message } = params
    if (typeof progressToken !== 'number' || progressToken < FIRST_ID || typeof progress !== 'number') return false
    this.#pending.get(progressToken)?.onProgress?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    })
    return true
  }
}

function cancelled(method: string, signal: AbortSignal): CallboardError {
  return new CallboardError('cancelled', `${method} was cancelled: ${messageOf(signal.reason)}`, {
    cause: signal.reason,
  })
}

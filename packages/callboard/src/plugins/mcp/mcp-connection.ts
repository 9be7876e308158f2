/** One connection to one MCP server, from the start of its process or session to its end. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { CallboardError, messageOf, UpstreamError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { OutputLog } from '../process/output-log.ts'
import type { JsonObject } from './messages.ts'
import { type RelayRequest, RpcRelay } from './rpc-relay.ts'
import type { Wire } from './wire.ts'

/** How long the answer to "are you still there?" may take. */
const VERIFY_MS = 10_000
const RELISTEN_MS = 1_000
const MAX_RELISTEN_MS = 60_000
/** The SDK would otherwise put its own limit on what only the caller's signal limits. */
export const NO_TIMEOUT_MS: number = 2 ** 31 - 1

/** When a server is taken for hung, in milliseconds. */
interface Patience {
  /** After a request that nobody answered in its time, how long a ping may go unanswered. */
  readonly pingMs: number
  /**
   * Until then, how long nothing at all must have come: who cancels soon proves nothing about a server that is busy.
   */
  readonly silenceMs: number
}

export interface ConnectionOptions {
  readonly log: Log
  /** Kept out of what the server says in the log. */
  readonly secrets: Secrets
  readonly patience: Patience
  /** The tools may have changed. */
  readonly onToolsChanged: () => void
  /** The connection ended by itself, for this reason. Called once; every request has failed by then. */
  readonly onBroken: (reason: string) => void
  /** The server lost our session; a new connection may go on. Called once. */
  readonly onSessionLost: () => void
}

/** Thrown by a request that never ran, because the server does not know our session any more. */
export class SessionLost extends Error {
  constructor() {
    super('the server lost the session')
    this.name = 'SessionLost'
  }
}

/** A connection that is up. Whoever holds it calls `close`, also after it broke. */
export class McpConnection {
  readonly #wire: Wire
  readonly #client: Client
  readonly #options: ConnectionOptions
  readonly #relay: RpcRelay
  readonly #closed = new AbortController()
  #broken: string | undefined
  #verifying = false

  /** Takes over a client that is connected over the wire. */
  constructor(wire: Wire, client: Client, options: ConnectionOptions) {
    this.#wire = wire
    this.#client = client
    this.#options = options
    const protocolVersion = client.getNegotiatedProtocolVersion() ?? ''
    const modern = client.getProtocolEra() === 'modern' ? { protocolVersion, clientInfo: wire.clientInfo } : undefined
    const onUnanswered = (silentMs: number): void => this.#suspect(() => this.#ping(silentMs))
    const onUnfit = (error: unknown): void =>
      options.log.warn({ reason: messageOf(error) }, 'a message of the server could not be handed on')
    const failureOf = (error: unknown): unknown => this.#failureOf(error)
    this.#relay = new RpcRelay({ transport: wire.transport, modern, failureOf, onUnanswered, onUnfit })
    wire.onLongMessage = (edges, reason) => this.#relay.failLong(edges, new CallboardError('tool_failed', reason))
    wire.onLargeAnswer = (answer) => this.#relay.takeLarge(answer)
    wire.onEnd = (reason) => this.#break(reason)
    wire.onTrouble = () => this.#suspect(() => this.#verify())
    client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged())
    const messages = new OutputLog(options.log, 'notifications/message', options.secrets)
    client.setNotificationHandler('notifications/message', ({ params }) => messages.write(JSON.stringify(params)))
    if (modern !== undefined && this.#tools?.listChanged === true) void this.#listen()
  }

  /** Why it ended by itself; undefined while it did not. */
  get broken(): string | undefined {
    return this.#broken ?? this.#wire.ended
  }

  /** Whether the server says that it has tools. */
  get offersTools(): boolean {
    return this.#tools !== undefined
  }

  /** Whether tool calls carry some arguments as HTTP headers, which the modern era demands of tools that say so. */
  get mirrorsArguments(): boolean {
    return this.#wire.overHttp && this.#client.getProtocolEra() === 'modern'
  }

  get #tools(): JsonObject | undefined {
    return this.#client.getServerCapabilities()?.tools
  }

  /**
   * Sends a request and answers with its result, untouched. Throws `UpstreamError` for the server's own error,
   * {@link SessionLost}, or `CallboardError`: `cancelled`, `tool_failed`, `unavailable` where the server surely did not
   * run it, and `interrupted` where it may have.
   */
  request(request: RelayRequest): Promise<JsonObject> {
    return this.#relay.request(request)
  }

  /**
   * Ends the session or process, and every request that still waits, for this reason. Resolves when nothing is left.
   */
  async close(reason: string): Promise<void> {
    this.#closed.abort()
    this.#relay.fail(new CallboardError('interrupted', reason))
    await this.#wire.close()
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof UpstreamError || error instanceof CallboardError) return error
    const failure = this.#wire.failureOf(error)
    if (failure.kind === 'rpc') return failure.error
    if (failure.kind === 'session') return new SessionLost()
    return new CallboardError(failure.mayHaveRun ? 'interrupted' : 'unavailable', failure.reason, { cause: error })
  }

  #break(reason: string): void {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    this.#broken = reason
    this.#relay.fail(new CallboardError('interrupted', reason))
    this.#options.onBroken(reason)
  }

  /** Something points to a server that is not there any more; one look at a time finds out. */
  #suspect(look: () => Promise<void>): void {
    if (this.#verifying || this.#closed.signal.aborted) return
    this.#verifying = true
    void look().finally(() => {
      this.#verifying = false
    })
  }

  /** A tool may take its time, and a server may be too busy to answer; one that hangs says nothing at all for long. */
  async #ping(silentMs: number): Promise<void> {
    const { pingMs, silenceMs } = this.#options.patience
    const ms = Math.max(pingMs, Math.ceil(silenceMs - silentMs))
    const sentAt = performance.now()
    const late = AbortSignal.timeout(ms)
    const reason = await this.#trouble(late)
    if (this.#closed.signal.aborted || reason === undefined || this.#relay.heardAt > sentAt) return
    if (!late.aborted) return this.#verify()
    const words = this.#wire.overHttp ? '' : `; ${this.#wire.silence}`
    this.#break(`it hangs: a request was not answered, nor a ping within ${ms / 1000} s${words}`)
  }

  async #verify(): Promise<void> {
    // Twice, since the first may meet a kept socket whose other end is gone, where a new one would work.
    const trouble = (): Promise<unknown> => this.#trouble(AbortSignal.timeout(VERIFY_MS))
    const reason = (await trouble()) && (await trouble())
    if (this.#closed.signal.aborted || reason === undefined) return
    if (reason instanceof SessionLost) this.#options.onSessionLost()
    else this.#break(messageOf(reason))
  }

  /** Why the server does not answer in time; undefined when it does, be it with an error. */
  async #trouble(late: AbortSignal): Promise<unknown> {
    const signal = AbortSignal.any([this.#closed.signal, late])
    const method = this.#client.getProtocolEra() === 'modern' ? 'server/discover' : 'ping'
    try {
      await this.request({ method, params: {}, signal })
      return undefined
    } catch (error) {
      return error instanceof UpstreamError ? undefined : error
    }
  }

  /** Follows changes in the modern era, which sends them only on a subscription. */
  async #listen(): Promise<void> {
    const { signal } = this.#closed
    for (let pause = RELISTEN_MS, first = true; !signal.aborted; first = false) {
      try {
        const subscription = await this.#client.listen({ toolsListChanged: true }, { signal, timeout: VERIFY_MS })
        // Between two subscriptions a change goes unseen.
        if (!first) this.#options.onToolsChanged()
        pause = RELISTEN_MS
        await subscription.closed
        this.#suspect(() => this.#verify())
      } catch (error) {
        if (signal.aborted) return
        this.#options.log.debug({ reason: messageOf(error) }, 'the server takes no subscription to changes of its list')
        if (error instanceof ProtocolError) return
      }
      await delay(pause, undefined, { signal, ref: false }).catch(() => {})
      pause = Math.min(pause * 2, MAX_RELISTEN_MS)
    }
  }
}

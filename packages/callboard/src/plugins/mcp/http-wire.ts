/** The way to a server over Streamable HTTP. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { type HttpEndpoint, type HttpFailure, httpFailureOf } from './http-failure.ts'
import type { ClientInfo, Wire } from './wire.ts'
import { wireFetch } from './wire-fetch.ts'

/** How long the server may take to confirm the end of the session. */
const END_MS = 1_000
/** The stream for what the server says unasked is opened again for as long as the connection lives. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.MAX_SAFE_INTEGER,
}

export interface HttpWireOptions {
  readonly endpoint: HttpEndpoint
  readonly log: Log
  readonly secrets: Secrets
  readonly clientInfo: ClientInfo
}

/**
 * Every request carries the headers of the config and nothing of a client's; redirects to another origin are refused.
 */
export class HttpWire implements Wire {
  readonly transport: StreamableHTTPClientTransport
  readonly overHttp = true
  readonly clientInfo: ClientInfo
  readonly ended = undefined
  readonly probeIgnored = false
  onEnd: Wire['onEnd']
  onTrouble: Wire['onTrouble']
  onLongMessage: Wire['onLongMessage']
  onLargeAnswer: Wire['onLargeAnswer']
  readonly #endpoint: HttpEndpoint
  readonly #log: Log
  readonly #secrets: Secrets

  constructor({ endpoint, log, secrets, clientInfo }: HttpWireOptions) {
    this.clientInfo = clientInfo
    this.#endpoint = endpoint
    this.#log = log
    this.#secrets = secrets
    this.transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
      requestInit: { headers: { ...endpoint.headers } },
      fetch: wireFetch(this, { log, secrets }),
      reconnectionOptions: RECONNECTION,
      redirectPolicy: 'same-origin',
      reconnectionScheduler: (reconnect, delay) => {
        const timer = setTimeout(reconnect, delay).unref()
        return () => clearTimeout(timer)
      },
    })
    this.transport.onerror = (error) => {
      log.debug({ reason: error.message }, 'trouble on the way to the server')
      this.onTrouble?.()
    }
  }

  get silence(): string {
    return 'it did not answer'
  }

  failureOf(error: unknown): HttpFailure {
    return httpFailureOf(error, {
      endpoint: this.#endpoint,
      transport: 'Streamable HTTP',
      hasSession: this.transport.sessionId !== undefined,
      secrets: this.#secrets,
    })
  }

  async close(): Promise<void> {
    if (this.transport.sessionId !== undefined) await this.#endSession()
    await this.transport.close()
  }

  /** A courtesy: a server that is gone or does not care will end the session by itself. */
  async #endSession(): Promise<void> {
    this.onTrouble = undefined
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, END_MS)
    const ended = this.transport.terminateSession().catch((error: unknown) => {
      this.#log.debug({ reason: messageOf(error) }, 'the server did not end the session')
    })
    await Promise.race([ended, late])
    clearTimeout(timer)
  }
}

/**
 * The way to a server over HTTP+SSE, the transport of 2024-11-05: one stream for all that it says, and a post for each
 * message to it.
 */
import {
  type FetchLike,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
} from '@modelcontextprotocol/client'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { type HttpEndpoint, type HttpFailure, httpFailureOf } from './http-failure.ts'
import type { HttpWireOptions } from './http-wire.ts'
import type { ClientInfo, Wire } from './wire.ts'
import { wireFetch } from './wire-fetch.ts'

const ENDED = 'the server ended the stream on which it answers'

/**
 * The session is the stream: when that ends, so does the wire, where the SDK's transport would open another one on
 * which nobody has said hello. Every request carries the headers of the config; redirects to another origin are
 * refused, and so is a server that wants its messages sent to one.
 */
export class SseWire implements Wire {
  readonly transport: SSEClientTransport
  readonly overHttp = true
  readonly clientInfo: ClientInfo
  readonly probeIgnored = false
  onEnd: Wire['onEnd']
  onTrouble: Wire['onTrouble']
  onLongMessage: Wire['onLongMessage']
  onLargeAnswer: Wire['onLargeAnswer']
  readonly #endpoint: HttpEndpoint
  readonly #secrets: Secrets
  /** Why there is no stream, which the SDK's transport tells in words alone. */
  #refusal: unknown
  #isOpen = false
  #isClosing = false
  #ended: string | undefined

  constructor({ endpoint, log, secrets, clientInfo }: HttpWireOptions) {
    this.clientInfo = clientInfo
    this.#endpoint = endpoint
    this.#secrets = secrets
    this.transport = new SSEClientTransport(new URL(endpoint.url), {
      requestInit: { headers: { ...endpoint.headers } },
      fetch: this.#telling(wireFetch(this, { log, secrets })),
      redirectPolicy: 'same-origin',
    })
    this.transport.onerror = (error) => this.#trouble(error, log)
  }

  get ended(): string | undefined {
    return this.#ended
  }

  get silence(): string {
    return this.#isOpen ? 'it did not answer' : 'it did not open the stream on which it would answer'
  }

  failureOf(error: unknown): HttpFailure {
    return httpFailureOf(SseError.isInstance(error) ? (this.#refusal ?? withStatus(error)) : error, {
      endpoint: this.#endpoint,
      transport: 'HTTP+SSE',
      hasSession: this.#isOpen,
      secrets: this.#secrets,
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.transport.close()
  }

  #trouble(error: Error, log: Log): void {
    log.debug({ reason: error.message }, 'trouble on the way to the server')
    if (!SseError.isInstance(error)) this.onTrouble?.()
    else if (this.#isOpen && !this.#isClosing && this.#ended === undefined) {
      this.#ended = ENDED
      void this.transport.close()
      this.onEnd?.(ENDED)
    }
  }

  /** Turns a refusal into an error that has its status and its words. */
  #telling(fetch: FetchLike): FetchLike {
    return async (url, init) => {
      const isStream = init?.method === undefined
      try {
        const response = await fetch(url, init)
        await throwRefusal(response, isStream)
        if (isStream && response.ok) this.#isOpen = true
        return response
      } catch (error) {
        if (isStream) this.#refusal = error
        throw error
      }
    }
  }
}

/** A redirect that was not followed is told with its status alone. */
function withStatus(error: SseError): Error {
  const { code: status, message } = error
  if (status === undefined) return error
  return new SdkHttpError(SdkErrorCode.ClientHttpFailedToOpenStream, message, { status, statusText: '' })
}

async function throwRefusal(response: Response, isStream: boolean): Promise<void> {
  const { ok, status, statusText, headers } = response
  if (status >= 300 && status < 400) return
  if (!ok) {
    const text = await response.text().catch(() => '')
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, { status, statusText, text })
  }
  const type = headers.get('content-type') ?? ''
  if (isStream && !type.startsWith('text/event-stream'))
    throw new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, `Unexpected content type: ${type}`)
}

/** The answer to one POST: a single JSON body, or an event stream from the moment that something must be said before the last answer. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { EventStream } from './event-stream.ts'
import type { Heartbeat, Waiting } from './heartbeat.ts'
import type { HttpLimits } from './limits.ts'
import { REFUSED, replyText } from './reply.ts'

export interface ExchangeOptions {
  readonly response: ServerResponse
  /** The requests of the POST, each of which gets one answer. */
  readonly ids: readonly RequestId[]
  /** Whether they came as an array and so are answered with one. */
  readonly batch: boolean
  readonly headers: OutgoingHttpHeaders
  readonly limits: HttpLimits
  readonly heartbeat: Heartbeat
}

export class Exchange implements Waiting {
  readonly #options: ExchangeOptions
  readonly #open: Set<RequestId>
  readonly #answers: JSONRPCMessage[] = []
  #stream: EventStream | undefined
  #beats = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#open = new Set(options.ids)
    options.heartbeat.add(this)
  }

  /** Sends what belongs to the call but is not its answer, such as progress. */
  note(message: JSONRPCMessage): void {
    if (this.#open.size > 0) this.#streaming().send(message)
  }

  /** Sends the answer to one of the requests; the last one ends the response. */
  answer(id: RequestId, message: JSONRPCMessage): void {
    if (!this.#open.delete(id)) return
    if (this.#stream === undefined) this.#answers.push(message)
    else this.#stream.send(message)
    if (this.#open.size === 0) this.#finish()
  }

  /** Gives up one of the requests, which the client has cancelled and which gets no answer. */
  cancel(id: RequestId): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#finish()
  }

  /** Answers everything still open with an error, for a session or a host that ends. */
  abandon(reason: string): void {
    for (const id of this.#open) this.answer(id, { jsonrpc: '2.0', id, error: { code: REFUSED, message: reason } })
  }

  beat(): void {
    // The first beat may come right after the request, which is no reason to give up the single body.
    this.#beats += 1
    if (this.#beats > 1) this.#streaming().comment()
  }

  #finish(): void {
    const { response, headers, limits, heartbeat, batch } = this.#options
    heartbeat.delete(this)
    const [first] = this.#answers
    // A stream that ends without a message is what clients take for a cancelled request; an empty body is not JSON.
    if (this.#stream !== undefined || first === undefined) {
      this.#streaming().end()
      return
    }
    const body = JSON.stringify(batch ? this.#answers : first)
    replyText(response, body, { status: 200, type: 'application/json', headers, stallMs: limits.stallMs })
  }

  #streaming(): EventStream {
    if (this.#stream !== undefined) return this.#stream
    const { response, limits, headers } = this.#options
    this.#stream = new EventStream(response, limits, headers)
    for (const answer of this.#answers.splice(0)) this.#stream.send(answer)
    return this.#stream
  }
}

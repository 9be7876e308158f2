/**
 * The answer to one POST: a single JSON body, or an event stream from the moment that something must be said before the
 * last answer.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import type { Log } from '../../../log.ts'
import type { OutputQueueOptions } from '../../output-queue.ts'
import { joined, type MessageText, messageText, type Pieces } from '../message-text.ts'
import type { MessageStream } from './message-stream.ts'
import { REFUSED, replyText } from './reply.ts'

export interface ExchangeOptions extends OutputQueueOptions {
  readonly response: ServerResponse
  /** The requests of the POST, each of which gets one answer. */
  readonly ids: readonly RequestId[]
  /** Whether they came as an array and so are answered with one. */
  readonly batch: boolean
  readonly headers: OutgoingHttpHeaders
  readonly log: Log
  /** Turns the response into a stream, when more than the answers has to be said. */
  readonly openStream: () => MessageStream
  /**
   * Whether the client can go on with that stream over another connection, and so gains by one that is opened early.
   */
  readonly resumable: boolean
}

export class Exchange {
  /**
   * Undefined when the last answer is out. A finished exchange must hold neither its response nor its answers: the
   * tables of the maps that it stood in outlive it in the old generation and would keep all of that from being
   * collected early.
   */
  #options: ExchangeOptions | undefined
  #stream: MessageStream | undefined
  #answers: MessageText[] = []
  /** The requests without an answer; nearly always a single one. */
  readonly #open: RequestId[]
  #beats = 0
  #ticks = 0
  #status = 200

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#open = [...options.ids]
  }

  /**
   * Sends what belongs to the call but is not its answer, such as progress. Dropped when the last answer is out. Throws
   * for what JSON can't hold.
   */
  note(message: JSONRPCMessage): void {
    if (this.#options !== undefined) this.#streaming(this.#options).send(messageText(message, this.#options.log))
  }

  /** Has the single body sent with another status than 200; too late once there is a stream. */
  answerWith(status: number): void {
    this.#status = status
  }

  /** Sends the answer to one of the requests; the last one ends the response. */
  answer(id: RequestId, message: JSONRPCMessage): void {
    if (this.#options === undefined || !this.#settle(id)) return
    const answer = messageText(message, this.#options.log)
    if (this.#stream === undefined) this.#answers.push(answer)
    else this.#stream.send(answer)
    this.#finishIfDone()
  }

  /** Gives up one of the requests, which the client has cancelled and which gets no answer. */
  cancel(id: RequestId): void {
    if (this.#settle(id)) this.#finishIfDone()
  }

  /** Answers everything still open with an error, for a session or a host that ends. */
  abandon(reason: string): void {
    for (const id of [...this.#open]) this.answer(id, { jsonrpc: '2.0', id, error: { code: REFUSED, message: reason } })
  }

  /**
   * Called at short pauses: what has not been answered by the second one is streamed, since a single body can't be
   * resumed.
   */
  tick(): void {
    this.#ticks += 1
    if (this.#ticks > 1 && this.#options?.resumable === true) this.#streaming(this.#options)
  }

  /** Gives a sign of life, called at regular pauses. */
  beat(): void {
    // The first beat may come right after the request, which is no reason to give up the single body.
    this.#beats += 1
    if (this.#beats > 1 && this.#options !== undefined) this.#streaming(this.#options).comment()
  }

  /** Whether it was open. */
  #settle(id: RequestId): boolean {
    const place = this.#open.indexOf(id)
    if (place >= 0) this.#open.splice(place, 1)
    return place >= 0
  }

  #finishIfDone(): void {
    const options = this.#options
    if (this.#open.length > 0 || options === undefined) return
    if (this.#stream === undefined && this.#answers.length > 0) replyJson(options, this.#status, this.#answers)
    else if (this.#stream === undefined) endEmpty(options)
    else this.#stream.end()
    this.#options = undefined
    this.#stream = undefined
    this.#answers = []
  }

  #streaming({ openStream }: ExchangeOptions): MessageStream {
    if (this.#stream !== undefined) return this.#stream
    this.#stream = openStream()
    for (const answer of this.#answers.splice(0)) this.#stream.send(answer)
    return this.#stream
  }
}

function replyJson(
  { response, batch, headers, readers, who }: ExchangeOptions,
  status: number,
  answers: readonly MessageText[],
): void {
  const [only] = answers
  const pieces = batch || only === undefined ? joined(listOf(answers)) : only.pieces
  replyText(response, pieces, { status, type: 'application/json', headers, readers, who })
}

function listOf(answers: readonly MessageText[]): Pieces {
  return ['[', ...answers.flatMap(({ pieces }, index) => (index > 0 ? [',', ...pieces] : pieces)), ']']
}

/** A stream that ends without a message is what clients take for a cancelled request; an empty body is not JSON. */
function endEmpty({ response, headers }: ExchangeOptions): void {
  if (response.destroyed || response.writableEnded) return
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end()
}

/**
 * Server-sent events on one response: JSON-RPC messages as they come, and little kept for a client that takes nothing.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Log } from '../../../log.ts'
import { OutputQueue, type OutputQueueOptions } from '../../output-queue.ts'
import { framed, type Pieces } from '../message-text.ts'
import type { SentEvent } from './event-memory.ts'
import type { HttpLimits } from './limits.ts'

const HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // A buffering proxy would hold back progress until the call is over.
  'x-accel-buffering': 'no',
}

export class EventStream {
  readonly #response: ServerResponse
  readonly #limits: HttpLimits
  readonly #log: Log
  readonly #output: OutputQueue
  #dropped = 0

  constructor(response: ServerResponse, context: StreamContext, headers: OutgoingHttpHeaders) {
    this.#response = response
    this.#limits = context.limits
    this.#log = context.log
    this.#output = new OutputQueue(response, context)
    response.writeHead(200, { ...HEADERS, ...headers })
  }

  /** Tells the client that its stream is open while there is nothing to send yet. */
  open(): void {
    this.#response.flushHeaders()
  }

  /** Sends an answer, which is JSON already, however much waits before it. */
  answer(data: Pieces, id?: string): void {
    this.#output.write(frame(data, id))
  }

  /**
   * Sends what belongs to a call that is still running. Dropped, and counted for the log, when more than `backlogBytes`
   * still wait.
   */
  note(data: Pieces, id?: string): void {
    if (!this.#isFull()) this.#output.write(frame(data, id))
    else if (!this.#response.destroyed) this.#drop()
  }

  /** Sends what belongs to no call. When more than `backlogBytes` still wait, the connection is ended instead. */
  tell(data: Pieces, id?: string): void {
    if (this.#isFull()) this.#response.destroy()
    else this.answer(data, id)
  }

  /**
   * Sends several at once, so that what waits for a client that comes back is no reason to end its connection again.
   */
  replay(events: readonly SentEvent[]): void {
    if (events.length > 0) this.#output.write(events.flatMap(({ data, id }) => frame(data, id)))
  }

  /** Sends an event without data, from which on the client can resume, and tells it when to try. */
  prime(id: string, retryMs: number): void {
    this.#output.write([`id: ${id}\nretry: ${retryMs}\ndata: \n\n`])
  }

  /** Sends a comment, which clients skip, as a sign of life. */
  comment(): void {
    // What waits unsent is sign enough, and must not grow by it.
    if (this.#output.unread === 0) this.#output.write([': still here\n\n'])
  }

  /** Ends the stream when what was sent has gone out. */
  end(): void {
    this.#output.end()
  }

  #isFull(): boolean {
    return this.#output.unread > this.#limits.backlogBytes
  }

  #drop(): void {
    this.#dropped += 1
    if (this.#dropped > 1) return
    this.#response.once('close', () =>
      this.#log.warn(
        { dropped: this.#dropped },
        'messages of a call were dropped, because its client reads too slowly',
      ),
    )
  }
}

/** What a stream needs of the surface. */
export interface StreamContext extends OutputQueueOptions {
  readonly limits: HttpLimits
  readonly log: Log
}

function frame(data: Pieces, id: string | undefined): Pieces {
  return framed(`${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: `, data, '\n\n')
}

/** Server-sent events on one response: JSON-RPC messages as they come, and nothing kept for a client that takes nothing. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
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
  #stalled = false

  constructor(response: ServerResponse, limits: HttpLimits, headers: OutgoingHttpHeaders) {
    this.#response = response
    this.#limits = limits
    response.writeHead(200, { ...HEADERS, ...headers })
  }

  /** Tells the client that its stream is open while there is nothing to send yet. */
  open(): void {
    this.#response.flushHeaders()
  }

  /**
   * Sends a message, which is JSON already, under an id where it has one. When more than `backlogBytes` of earlier ones still
   * wait, the connection is ended instead.
   */
  send(data: string, id?: string): void {
    this.#write(frame(data, id))
  }

  /** Sends several at once, so that what waits for a client that comes back is no reason to end its connection again. */
  replay(events: readonly SentEvent[]): void {
    if (events.length > 0) this.#write(events.map(({ data, id }) => frame(data, id)).join(''))
  }

  /** Sends an event without data, from which on the client can resume, and tells it when to try. */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
  }

  /** Sends a comment, which clients skip, as a sign of life. */
  comment(): void {
    // What waits unsent is sign enough, and must not grow by it.
    if (!this.#stalled) this.#write(': still here\n\n')
  }

  /** Ends the stream when what was sent has gone out. */
  end(): void {
    if (this.#response.destroyed) return
    this.#response.end()
    if (this.#response.writableLength > 0) this.#response.setTimeout(this.#limits.stallMs)
  }

  #write(frame: string): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    if (response.writableLength > this.#limits.backlogBytes) {
      response.destroy()
      return
    }
    if (response.write(frame) || this.#stalled) return
    this.#stalled = true
    response.setTimeout(this.#limits.stallMs)
    response.once('drain', () => {
      this.#stalled = false
      response.setTimeout(0)
    })
  }
}

function frame(data: string, id: string | undefined): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${data}\n\n`
}

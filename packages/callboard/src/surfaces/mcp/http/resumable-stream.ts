/** A stream of an old client that outlives its connection: what was sent can be sent again over another one. */
import type { MessageText, Pieces } from '../message-text.ts'
import type { SentEvent, SessionEvents } from './event-memory.ts'
import type { EventStream } from './event-stream.ts'
import type { MessageStream } from './message-stream.ts'
import { REFUSED } from './reply.ts'

/** How long a client is asked to wait before it opens a broken stream again. */
const RETRY_MS = 1_000

/** The number of the stream that belongs to no call. */
export const STANDALONE = 0

export class ResumableStream implements MessageStream {
  readonly number: number
  readonly #events: SessionEvents
  readonly #onEnd: () => void
  #connection: EventStream | undefined

  /** @param number tells it from the other streams of its session */
  constructor(number: number, events: SessionEvents, onEnd: () => void) {
    this.number = number
    this.#events = events
    this.#onEnd = onEnd
  }

  /** Whether it has a connection, as far as is known. */
  get connected(): boolean {
    return this.#connection !== undefined
  }

  /**
   * Goes on over this connection, ending the one before, and sends what came since the client lost that. `primed` sends
   * an empty event after it, by whose id the client can resume although nothing more has come yet; clients before
   * 2025-11-25 would take it for a message.
   */
  connect(connection: EventStream, { missed = [], primed }: { missed?: readonly SentEvent[]; primed: boolean }): void {
    this.#connection?.end()
    this.#connection = connection
    connection.replay(missed)
    if (primed) connection.prime(this.#events.mark(this.number), RETRY_MS)
  }

  /** The connection has gone; what comes now is kept. */
  disconnect(connection: EventStream): void {
    if (this.#connection === connection) this.#connection = undefined
  }

  send(message: MessageText): void {
    const { pieces } = message
    const id = this.#events.keep(this.number, pieces, (bytes) => inPlaceOf(message, bytes))
    if (message.answers !== undefined) this.#connection?.answer(pieces, id)
    else if (this.number === STANDALONE) this.#connection?.tell(pieces, id)
    else this.#connection?.note(pieces, id)
  }

  comment(): void {
    this.#connection?.comment()
  }

  end(): void {
    this.#connection?.end()
    this.#connection = undefined
    this.#onEnd()
  }
}

/**
 * Said to a client that comes back for an answer that was too large to be kept: it is over, and there is no more to
 * come.
 */
function inPlaceOf({ answers }: MessageText, bytes: number): Pieces | undefined {
  if (answers === undefined) return undefined
  const text = `the connection was lost, and the answer of ${bytes} bytes was too large to be kept; call again`
  return [JSON.stringify({ jsonrpc: '2.0', id: answers, error: { code: REFUSED, message: text } })]
}

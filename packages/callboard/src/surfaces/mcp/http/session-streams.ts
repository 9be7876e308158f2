/** The streams of one session: one for what belongs to no call, and one for each call that streams its answer. */
import type { ServerResponse } from 'node:http'
import type { ReaderName } from '../../readers.ts'
import type { MessageText } from '../message-text.ts'
import type { SentEvent, SessionEvents } from './event-memory.ts'
import { EventStream, type StreamContext } from './event-stream.ts'
import type { MessageStream } from './message-stream.ts'
import { ResumableStream, STANDALONE } from './resumable-stream.ts'

/** A connection that a stream is to go over. */
export interface StreamConnection {
  readonly response: ServerResponse
  /** Whether the client knows empty events, as those of 2025-11-25 do. */
  readonly primed: boolean
  /** Whose it is, and for what. */
  who(): ReaderName
}

export class SessionStreams {
  readonly #headers: Readonly<Record<string, string>>
  readonly #events: SessionEvents
  readonly #context: Omit<StreamContext, 'who'>
  readonly #onGone: () => void
  readonly #open = new Map<number, ResumableStream>()
  #last = STANDALONE

  /** @param onGone called when a connection has gone */
  constructor(
    sessionId: string,
    { events, context, onGone }: { events: SessionEvents; context: Omit<StreamContext, 'who'>; onGone: () => void },
  ) {
    this.#headers = { 'mcp-session-id': sessionId }
    this.#events = events
    this.#context = context
    this.#onGone = onGone
  }

  /** Whether the one that belongs to no call has a connection. */
  get hasStandalone(): boolean {
    return this.#open.get(STANDALONE)?.connected ?? false
  }

  /** Opens a stream for the answers to one POST. */
  openForCall(connection: StreamConnection): MessageStream {
    this.#last += 1
    return this.#connect(this.#streamOf(this.#last), connection)
  }

  /** Opens the stream for what belongs to no call, or goes on with it. */
  openStandalone(connection: StreamConnection): void {
    this.#connect(this.#streamOf(STANDALONE), connection)
  }

  /**
   * Goes on with the stream of that event, from right after it. False when nothing is known of it any more: the answers
   * were sent too long ago, or it is no event of this session.
   */
  resume(lastEventId: string, connection: StreamConnection): boolean {
    const missed = this.#events.after(lastEventId)
    if (missed === undefined) return false
    const open = this.#open.get(missed.stream)
    if (open !== undefined) {
      this.#connect(open, connection, missed.events)
      return true
    }
    if (missed.events.length === 0) return false
    // The call has been answered meanwhile, so this is all there is.
    this.#connect(this.#streamOf(missed.stream), connection, missed.events).end()
    return true
  }

  /** Sends what belongs to no call; kept for a client that lost that stream, dropped for one that never opened it. */
  send(message: MessageText): void {
    this.#open.get(STANDALONE)?.send(message)
  }

  /** Gives a sign of life on the stream that belongs to no call; each call sees to its own. */
  comment(): void {
    this.#open.get(STANDALONE)?.comment()
  }

  /** Ends them all and forgets what they carried. */
  close(): void {
    for (const stream of this.#open.values()) stream.end()
    this.#events.clear()
  }

  #streamOf(number: number): ResumableStream {
    const known = this.#open.get(number)
    if (known !== undefined) return known
    const stream = new ResumableStream(number, this.#events, () => this.#open.delete(number))
    this.#open.set(number, stream)
    return stream
  }

  #connect(stream: ResumableStream, { response, primed, who }: StreamConnection, missed?: readonly SentEvent[]) {
    const connection = new EventStream(response, { ...this.#context, who }, this.#headers)
    response.on('close', () => {
      stream.disconnect(connection)
      this.#onGone()
    })
    stream.connect(connection, { primed, ...(missed && { missed }) })
    connection.open()
    return stream
  }
}

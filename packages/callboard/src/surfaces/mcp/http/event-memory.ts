/**
 * What the streams of old clients have carried, kept for a while so that a client that lost a stream can go on where it
 * was.
 */

import { lengthOf, type Pieces } from '../message-text.ts'

/** A message with the id under which it was sent. */
export interface SentEvent {
  readonly id: string
  readonly data: Pieces
}

interface KeptEvent extends SentEvent {
  readonly stream: number
  readonly number: number
  /** In bytes or nearly so. */
  readonly size: number
}

/** What an event costs besides its text. */
const OVERHEAD = 100

/** The events of all sessions, bounded as a whole: when there is no room left, the oldest one goes, whosever it is. */
export class EventMemory {
  readonly #maxBytes: number
  readonly #maxSessionBytes: number
  /** Whose they are, the oldest first. */
  readonly #owners = new Map<KeptEvent, SessionEvents>()
  #bytes = 0

  /** @param maxSessionBytes how much of it one session may take, and with it a single event */
  constructor(maxBytes: number, maxSessionBytes: number) {
    this.#maxBytes = maxBytes
    this.#maxSessionBytes = Math.min(maxBytes, maxSessionBytes)
  }

  /** How much is kept, in bytes or nearly so. */
  get bytes(): number {
    return this.#bytes
  }

  /** The part of it that is one session's. */
  forSession(): SessionEvents {
    return new SessionEvents({
      maxBytes: this.#maxSessionBytes,
      kept: (event, owner) => this.#kept(event, owner),
      dropped: (event) => {
        this.#owners.delete(event)
        this.#bytes -= event.size
      },
    })
  }

  #kept(event: KeptEvent, owner: SessionEvents): void {
    this.#owners.set(event, owner)
    this.#bytes += event.size
    for (const [oldest, whose] of this.#owners) {
      if (this.#bytes <= this.#maxBytes) break
      whose.drop(oldest)
    }
  }
}

interface SessionEventsOptions {
  readonly maxBytes: number
  readonly kept: (event: KeptEvent, owner: SessionEvents) => void
  readonly dropped: (event: KeptEvent) => void
}

/** The events of one session. Their ids are made here: the stream's number, and one that grows over all of them. */
export class SessionEvents {
  readonly #options: SessionEventsOptions
  /** The oldest first. */
  readonly #events = new Set<KeptEvent>()
  #bytes = 0
  #last = 0

  constructor(options: SessionEventsOptions) {
    this.#options = options
  }

  /** An id that stands for this moment of the stream: whatever is kept later comes after it. */
  mark(stream: number): string {
    this.#last += 1
    return `${stream}-${this.#last}`
  }

  /**
   * Keeps a message and answers its id. One that is larger than all that a session may keep is not kept; `instead` is
   * then, where it has something to say in its place.
   */
  keep(stream: number, data: Pieces, instead: (bytes: number) => Pieces | undefined): string {
    const id = this.mark(stream)
    const kept = sizeOf(data) <= this.#options.maxBytes ? data : instead(lengthOf(data))
    if (kept !== undefined) this.#add({ id, data: kept, stream, number: this.#last, size: sizeOf(kept) })
    return id
  }

  /**
   * The messages of the same stream that were kept after the one of that id, oldest first; undefined for no id of ours.
   */
  after(id: string): { readonly stream: number; readonly events: readonly SentEvent[] } | undefined {
    const [, stream, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id)?.map(Number) ?? []
    if (stream === undefined || number === undefined) return undefined
    return { stream, events: [...this.#events].filter((event) => event.stream === stream && event.number > number) }
  }

  /** Forgets one. */
  drop(event: KeptEvent): void {
    if (!this.#events.delete(event)) return
    this.#bytes -= event.size
    this.#options.dropped(event)
  }

  /** Forgets all. */
  clear(): void {
    for (const event of this.#events) this.drop(event)
  }

  #add(event: KeptEvent): void {
    this.#events.add(event)
    this.#bytes += event.size
    this.#options.kept(event, this)
    for (const oldest of this.#events) {
      if (this.#bytes <= this.#options.maxBytes) break
      this.drop(oldest)
    }
  }
}

function sizeOf(data: Pieces): number {
  return lengthOf(data) + OVERHEAD
}

/**
 * The streams of one QUIC connection: those that are open, those that the peer opened, and who waits for room on one.
 */
import { Backlog } from '../backlog.ts'
import type { LinkStream } from '../link.ts'
import type { LinkError } from '../link-error.ts'
import { StreamOpeners } from '../stream-openers.ts'
import { QuicStream, type StreamHome } from './quic-stream.ts'
import type { QuicheConnection } from './quiche.ts'
import { SeenStreams } from './seen-streams.ts'

/** The lowest bit of an id tells who opened the stream (RFC 9000, 2.1). */
const DIALLER = 0
const LISTENER = 1

const NOTHING = Buffer.alloc(0)

export interface QuicStreamsOptions {
  readonly connection: QuicheConnection
  readonly isDialler: boolean
  /** Something is to be sent. */
  readonly kick: () => void
  /** Sends it now, whatever else there is to be sent with it. */
  readonly flush: () => void
}

export class QuicStreams implements StreamHome {
  readonly connection: QuicheConnection
  readonly kick: () => void
  readonly flush: () => void
  flushes = 0
  /** Bounded by what the connection lets the peer open. */
  readonly incoming: Backlog<LinkStream> = new Backlog()
  readonly #theirs: number
  readonly #seen: SeenStreams
  readonly #open = new Map<number, QuicStream>()
  readonly #blocked = new Set<QuicStream>()
  readonly #watched = new Set<QuicStream>()
  readonly #openers = new StreamOpeners(() => this.#openNext())
  #next: number

  constructor({ connection, isDialler, kick, flush }: QuicStreamsOptions) {
    this.connection = connection
    this.kick = kick
    this.flush = flush
    this.#theirs = isDialler ? LISTENER : DIALLER
    this.#seen = new SeenStreams(this.#theirs)
    this.#next = isDialler ? DIALLER : LISTENER
  }

  open(signal?: AbortSignal): Promise<LinkStream> {
    return this.#openers.open(signal)
  }

  block(stream: QuicStream): void {
    this.#blocked.add(stream)
  }

  watch(stream: QuicStream): void {
    this.#watched.add(stream)
  }

  forget(stream: QuicStream): void {
    this.#open.delete(stream.id)
    this.#blocked.delete(stream)
    this.#watched.delete(stream)
  }

  /** Packets came. */
  onPackets(): void {
    for (const id of this.connection.readable()) this.#find(id)?.onReadable()
    for (const stream of this.#watched) if (!stream.checkReader()) this.#watched.delete(stream)
    this.#openers.serve()
  }

  /** There may be room to send. */
  onRoom(): void {
    for (const stream of this.#blocked) if (stream.pump()) this.#blocked.delete(stream)
  }

  end(reason: LinkError): void {
    this.#openers.refuse(reason)
    for (const stream of [...this.#open.values()]) stream.fail(reason)
    this.incoming.end()
  }

  #openNext(): QuicStream | undefined {
    if (this.connection.peerStreamsLeftBidi() <= 0) return undefined
    const id = this.#next
    this.#next += 4
    // Makes it exist, so that it counts and can be reset before anything was written.
    this.connection.streamSend(id, NOTHING, false)
    return this.#add(id)
  }

  #find(id: number): QuicStream | undefined {
    const known = this.#open.get(id)
    if (known !== undefined || (id & 1) !== this.#theirs || !this.#seen.add(id)) return known
    const stream = this.#add(id)
    this.incoming.put(stream)
    return stream
  }

  #add(id: number): QuicStream {
    const stream = new QuicStream(id, this)
    this.#open.set(id, stream)
    return stream
  }
}

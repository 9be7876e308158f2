/** The streams of one TLS connection: those that are open, those that the peer opened, and whose turn it is to send. */
import { Backlog } from '../backlog.ts'
import type { LinkStream } from '../link.ts'
import type { LinkError } from '../link-error.ts'
import { StreamOpeners } from '../stream-openers.ts'
import { RESET, StreamReset } from '../stream-reset.ts'
import { FLAG, type MuxHead, TYPE } from './mux-frames.ts'
import { type MuxHome, MuxStream } from './mux-stream.ts'

/** Streams that each side may have open at once, as with QUIC; what yamux buffers of new ones at least. */
const MAX_STREAMS = 256

export interface MuxStreamsOptions {
  readonly isDialler: boolean
  readonly send: MuxHome['send']
  /** Whether the socket takes more now. */
  readonly hasRoom: () => boolean
}

export class MuxStreams implements MuxHome {
  readonly send: MuxHome['send']
  readonly incoming: Backlog<LinkStream>
  readonly #hasRoom: () => boolean
  readonly #ours = new Map<number, MuxStream>()
  readonly #theirs = new Map<number, MuxStream>()
  readonly #blocked = new Set<MuxStream>()
  readonly #openers = new StreamOpeners(() => this.#openNext())
  /** Diallers have the odd ids. */
  #next: number
  #lastOfTheirs = 0
  #isPumping = false
  #isRefusing = false

  constructor({ isDialler, send, hasRoom }: MuxStreamsOptions) {
    this.send = send
    this.#hasRoom = hasRoom
    this.#next = isDialler ? 1 : 2
    this.incoming = new Backlog((stream) => this.send(TYPE.window, FLAG.ack, stream.id, 0))
  }

  get hasRoom(): boolean {
    // Who comes while others wait takes its turn behind them.
    return this.#blocked.size === 0 && this.#hasRoom()
  }

  open(signal?: AbortSignal): Promise<LinkStream> {
    return this.#openers.open(signal)
  }

  block(stream: MuxStream): void {
    this.#blocked.add(stream)
    if (this.#hasRoom()) this.pump()
  }

  forget(stream: MuxStream): void {
    this.#ours.delete(stream.id)
    this.#theirs.delete(stream.id)
    this.#blocked.delete(stream)
    this.#openers.serve()
  }

  /** Sends what waits, a piece of each stream in turn, while there is room. */
  pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    for (const stream of this.#blocked) {
      if (!this.#hasRoom()) break
      this.#blocked.delete(stream)
      if (stream.pump()) this.#blocked.add(stream)
    }
    this.#isPumping = false
  }

  /** A frame of a stream came, or a piece of one. Throws `RangeError` for what is against the rules. */
  onFrame({ type, flags, streamId, length }: MuxHead, bytes: Uint8Array, isLast: boolean): void {
    const stream = this.#find(streamId, flags)
    // Frames for a stream that is over may still be on their way.
    if (stream === undefined) return
    if (type === TYPE.data && !stream.onData(bytes))
      throw new RangeError(`stream ${streamId} has more bytes than were allowed`)
    if (!isLast) return
    if ((flags & FLAG.rst) !== 0) stream.fail(new StreamReset(type === TYPE.window ? length : 0))
    else {
      if (type === TYPE.window && length > 0) stream.onWindow(length)
      if ((flags & FLAG.fin) !== 0) stream.onEnd()
    }
  }

  /** No stream can be opened any more, for this reason; those that are open go on. */
  refuse(reason: LinkError): void {
    this.#isRefusing = true
    this.#openers.refuse(reason)
  }

  end(reason: LinkError): void {
    this.refuse(reason)
    for (const stream of [...this.#ours.values(), ...this.#theirs.values()]) stream.fail(reason)
    this.incoming.end()
  }

  #openNext(): MuxStream | undefined {
    if (this.#ours.size >= MAX_STREAMS) return undefined
    const stream = new MuxStream(this.#next, this, true)
    this.#next += 2
    this.#ours.set(stream.id, stream)
    return stream
  }

  #find(id: number, flags: number): MuxStream | undefined {
    const known = this.#ours.get(id) ?? this.#theirs.get(id)
    const isTheirs = id % 2 !== this.#next % 2
    if (known !== undefined || (flags & FLAG.syn) === 0 || !isTheirs || id <= this.#lastOfTheirs) return known
    this.#lastOfTheirs = id
    if (this.#theirs.size >= MAX_STREAMS || this.#isRefusing) {
      this.send(TYPE.window, FLAG.rst, id, RESET.refused)
      return undefined
    }
    const stream = new MuxStream(id, this, false)
    this.#theirs.set(id, stream)
    this.incoming.put(stream)
    return stream
  }
}

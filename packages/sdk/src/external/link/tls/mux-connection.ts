/** Drives one TLS connection: frames in and out, signs of life, and its end. */
import type { TLSSocket } from 'node:tls'
import { CLOSE, closeCodeOf, closedBy, closedHere } from '../close-codes.ts'
import { type Deferred, deferred } from '../deferred.ts'
import type { Link, LinkStream, PeerIdentity } from '../link.ts'
import { LinkError } from '../link-error.ts'
import { type LinkTerms, settle } from '../terms.ts'
import { encodeHead, FLAG, type MuxHead, MuxReader, TYPE } from './mux-frames.ts'
import { MuxStreams } from './mux-streams.ts'
import { tlsFailure } from './tls-failure.ts'

/** What may wait for a peer that sends and does not read: frames that answer its own. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
/** How long a socket may take to say goodbye. */
const GOODBYE_MS = 1_000

export interface MuxConnectionOptions {
  /** After its handshake. */
  readonly socket: TLSSocket
  readonly isDialler: boolean
  readonly peer: PeerIdentity
  readonly protocol: string
  readonly terms: LinkTerms
  /** What to call the peer in errors. */
  readonly peerName: string
}

export class MuxConnection implements Link {
  readonly transport = 'tls'
  readonly peer: PeerIdentity
  readonly protocol: string
  readonly #socket: TLSSocket
  readonly #peerName: string
  readonly #streams: MuxStreams
  readonly #reader: MuxReader
  readonly #ended: Deferred<LinkError> = deferred()
  readonly #idleMs: number
  readonly #keepAlive: NodeJS.Timeout
  #hasEnded = false
  #hasRoom = true
  #isCorked = false
  #heardAt: number = performance.now()
  #goAway: number | undefined

  constructor({ socket, isDialler, peer, protocol, terms, peerName }: MuxConnectionOptions) {
    this.#socket = socket
    this.peer = peer
    this.protocol = protocol
    this.#peerName = peerName
    this.#streams = new MuxStreams({
      isDialler,
      send: (...frame) => this.#send(...frame),
      hasRoom: () => this.#hasRoom,
    })
    this.#reader = new MuxReader((head, bytes, isLast) => this.#onFrame(head, bytes, isLast))
    const { idleMs, keepAliveMs } = settle(terms)
    this.#idleMs = idleMs
    // After whatever waits to be read, or a process that was held up would take its own silence for the peer's.
    this.#keepAlive = setInterval(() => setImmediate(() => this.#askForLife(keepAliveMs)), keepAliveMs).unref()
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('drain', () => this.#onDrain())
    socket.on('error', (error) => this.#settle(tlsFailure(error, peerName)))
    socket.on('close', () => this.#onClose())
  }

  get incoming(): AsyncIterable<LinkStream> {
    return this.#streams.incoming
  }

  get ended(): Promise<LinkError> {
    return this.#ended.promise
  }

  openStream(signal?: AbortSignal): Promise<LinkStream> {
    return this.#streams.open(signal)
  }

  close(reason = ''): void {
    this.end(closedHere(this.#peerName, reason))
  }

  /** Ends it for this reason; the peer is told. */
  end(error: LinkError): void {
    if (this.#hasEnded) return
    this.#write(encodeHead(TYPE.goAway, 0, 0, closeCodeOf(error.kind)))
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), GOODBYE_MS).unref()
    this.#socket.unref()
    this.#settle(error)
  }

  #send(type: number, flags: number, streamId: number, length: number, bytes?: Uint8Array): void {
    if (this.#hasEnded) return
    const head = encodeHead(type, flags, streamId, length)
    this.#write(head)
    if (bytes !== undefined && bytes.length > 0) this.#write(bytes)
    if (this.#socket.writableLength > MAX_WAITING_BYTES)
      this.end(new LinkError('broken', `${this.#peerName} sends and does not read`))
  }

  /** What is written in one turn of the event loop goes together. */
  #write(bytes: Uint8Array): void {
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#socket.cork()
      process.nextTick(this.#uncork)
    }
    this.#hasRoom = this.#socket.write(bytes)
  }

  readonly #uncork = (): void => {
    this.#isCorked = false
    this.#socket.uncork()
  }

  #onDrain(): void {
    this.#hasRoom = true
    this.#streams.pump()
  }

  #onData(chunk: Buffer): void {
    this.#heardAt = performance.now()
    try {
      if (!this.#hasEnded) this.#reader.push(chunk)
    } catch (error) {
      this.end(
        new LinkError('broken', `${this.#peerName} broke the rules of the link: ${String(error)}`, { cause: error }),
      )
    }
  }

  #onFrame(head: MuxHead, bytes: Uint8Array, isLast: boolean): void {
    if (this.#hasEnded) return
    const { type, flags, length, streamId } = head
    switch (type) {
      case TYPE.ping:
        if ((flags & FLAG.syn) !== 0) this.#send(TYPE.ping, FLAG.ack, 0, length)
        return
      case TYPE.goAway:
        this.#goAway = length
        this.#streams.refuse(this.#closedByPeer(length))
        return
      default:
        if (streamId === 0) throw new RangeError('a stream can not have the id 0')
        this.#streams.onFrame(head, bytes, isLast)
    }
  }

  #askForLife(keepAliveMs: number): void {
    if (this.#hasEnded) return
    const silence = performance.now() - this.#heardAt
    if (silence >= this.#idleMs) {
      this.#settle(new LinkError('idle', `nothing came from ${this.#peerName} for too long`))
      this.#socket.destroy()
    } else if (silence >= keepAliveMs / 2) this.#send(TYPE.ping, FLAG.syn, 0, 0)
  }

  #onClose(): void {
    this.#settle(this.#closedByPeer(this.#goAway ?? CLOSE.done))
  }

  #closedByPeer(code: number): LinkError {
    const { kind, says } = closedBy(this.#peerName, code)
    return new LinkError(kind, says)
  }

  #settle(error: LinkError): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearInterval(this.#keepAlive)
    this.#streams.end(error)
    this.#ended.resolve(error)
  }
}

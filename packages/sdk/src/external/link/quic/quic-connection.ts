/** Drives one QUIC connection: packets in and out, its timers, and its end. */
import { closeCodeOf, closedHere } from '../close-codes.ts'
import { type Deferred, deferred } from '../deferred.ts'
import type { Link, LinkStream, PeerIdentity } from '../link.ts'
import { LinkError } from '../link-error.ts'
import { readPeerIdentity } from '../peer-identity.ts'
import { type LinkTerms, mismatch, settle } from '../terms.ts'
import { failureOf } from './quic-failure.ts'
import { QuicStreams } from './quic-streams.ts'
import type { PacketEnds, QuicheConnection } from './quiche.ts'

export interface QuicConnectionOptions {
  readonly connection: QuicheConnection
  readonly isDialler: boolean
  /** From the peer to here. */
  readonly ends: PacketEnds
  readonly terms: LinkTerms
  readonly packetBytes: number
  /** What to call the peer in errors. */
  readonly peerName: string
  /** Sends a packet to the peer; the bytes are its own. */
  readonly send: (packet: Uint8Array) => void
  /** Nothing of the connection is left. */
  readonly onGone: () => void
}

/** Whoever makes one calls `start`, and then hands over each packet. */
export class QuicConnection implements Link {
  readonly transport = 'quic'
  readonly #options: QuicConnectionOptions
  readonly #connection: QuicheConnection
  readonly #streams: QuicStreams
  readonly #packet: Buffer
  readonly #up: Deferred<Link> = deferred()
  readonly #ended: Deferred<LinkError> = deferred()
  #peer: PeerIdentity = { uris: [], fingerprint: '' }
  #protocol = ''
  #state: 'handshake' | 'up' | 'ended' = 'handshake'
  #isKicked = false
  #isTurning = false
  #hasPackets = false
  #isAlive = true
  #wakeUp: NodeJS.Timeout | undefined
  #wakeUpAt = Number.POSITIVE_INFINITY
  #deadline: NodeJS.Timeout | undefined
  #keepAlive: NodeJS.Timeout | undefined

  constructor(options: QuicConnectionOptions) {
    this.#options = options
    this.#connection = options.connection
    this.#packet = Buffer.alloc(options.packetBytes)
    this.#streams = new QuicStreams({
      connection: options.connection,
      isDialler: options.isDialler,
      kick: () => this.#kick(),
      flush: () => this.#flush(),
    })
  }

  get peer(): PeerIdentity {
    return this.#peer
  }

  get protocol(): string {
    return this.#protocol
  }

  get incoming(): AsyncIterable<LinkStream> {
    return this.#streams.incoming
  }

  get ended(): Promise<LinkError> {
    return this.#ended.promise
  }

  /** Begins the handshake. Resolves when it is done, rejects with the reason when it failed. */
  start(): Promise<Link> {
    const { handshakeMs } = settle(this.#options.terms)
    this.#deadline = setTimeout(() => {
      this.end(new LinkError('timeout', `${this.#options.peerName} did not answer within ${handshakeMs} ms`))
    }, handshakeMs)
    this.#turn()
    return this.#up.promise
  }

  /** A packet came; its bytes are no longer the giver's. */
  receive(packet: Uint8Array, ends: PacketEnds = this.#options.ends): void {
    if (this.#state === 'ended') return
    try {
      this.#connection.recv(packet, ends)
    } catch {
      // What it was shows in the connection's own error, unless it was only noise, which QUIC says to leave alone.
    }
    this.#hasPackets = true
    this.#isAlive = true
    this.#kick()
  }

  openStream(signal?: AbortSignal): Promise<LinkStream> {
    return this.#streams.open(signal)
  }

  close(reason = ''): void {
    this.end(closedHere(this.#options.peerName, reason), reason)
  }

  /** Ends it for this reason; the peer is told `words`. */
  end(error: LinkError, words = ''): void {
    if (this.#state === 'ended') return
    this.#tell(closeCodeOf(error.kind), words)
    this.drop(error)
  }

  /** Ends it without a word, since nobody is there to hear it. */
  drop(error: LinkError): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    clearTimeout(this.#deadline)
    clearTimeout(this.#wakeUp)
    clearInterval(this.#keepAlive)
    this.#streams.end(error)
    this.#up.reject(error)
    this.#ended.resolve(error)
    this.#options.onGone()
  }

  /** One turn of the event loop has one turn here, however many packets came and writes were made. */
  #kick(): void {
    if (this.#isKicked || this.#isTurning) return
    this.#isKicked = true
    setImmediate(this.#onKick)
  }

  readonly #onKick = (): void => {
    this.#isKicked = false
    this.#turn()
  }

  /**
   * What came is handed out first, and what is to go is sent when everybody who waited for it has had their say: so an
   * answer that is there at once goes in one packet with the acknowledgement of what asked for it.
   */
  #turn(): void {
    if (this.#state === 'ended' || this.#isTurning) return
    this.#isTurning = true
    if (this.#state === 'handshake' && this.#connection.isEstablished()) this.#goUp()
    if (this.#state === 'up') {
      if (this.#hasPackets) this.#streams.onPackets()
      this.#streams.onRoom()
    }
    this.#hasPackets = false
    // Behind every promise that is settled by now, and those that follow from it.
    queueMicrotask(this.#afterPromises)
  }

  readonly #afterPromises = (): void => process.nextTick(this.#endTurn)

  readonly #endTurn = (): void => {
    this.#isTurning = false
    if (this.#state === 'ended') return
    this.#flush()
    this.#arm()
  }

  #goUp(): void {
    const [certificate] = this.#connection.peerCertChain() ?? []
    if (certificate !== undefined) this.#peer = readPeerIdentity(certificate)
    const why = mismatch(this.#peer, this.#options.terms.expects)
    if (why !== undefined) {
      this.end(new LinkError('wrong-peer', `${this.#options.peerName}: ${why}`), why)
      return
    }
    this.#state = 'up'
    clearTimeout(this.#deadline)
    this.#protocol = Buffer.from(this.#connection.applicationProto()).toString('latin1')
    this.#keepAlive = setInterval(() => this.#askForLife(), settle(this.#options.terms).keepAliveMs).unref()
    this.#up.resolve(this)
  }

  #askForLife(): void {
    if (!this.#isAlive) {
      this.#connection.sendAckEliciting()
      this.#kick()
    }
    this.#isAlive = false
  }

  #flush(): void {
    this.#streams.flushes += 1
    for (;;) {
      const sent = this.#connection.send(this.#packet)
      if (sent === null) return
      this.#options.send(Buffer.copyBytesFrom(this.#packet, 0, sent[0]))
    }
  }

  /** quiche says when it wants to be woken; one timer is kept, and moved only when that is earlier. */
  #arm(): void {
    if (this.#connection.isClosed() || this.#connection.isDraining()) {
      this.#onOver()
      return
    }
    const wait = this.#connection.timeout()
    if (wait === null) return
    const at = performance.now() + wait
    if (at >= this.#wakeUpAt) return
    clearTimeout(this.#wakeUp)
    this.#wakeUpAt = at
    this.#wakeUp = setTimeout(this.#onWakeUp, Math.max(1, Math.ceil(wait))).unref()
  }

  readonly #onWakeUp = (): void => {
    this.#wakeUpAt = Number.POSITIVE_INFINITY
    // It may have been put off since.
    if ((this.#connection.timeout() ?? 1) <= 0) this.#connection.onTimeout()
    this.#turn()
  }

  /** The connection is over, by the peer or by what quiche found. */
  #onOver(): void {
    const { peerName, terms } = this.#options
    this.drop(failureOf(this.#connection, this.#state === 'up', peerName, terms.protocols))
  }

  /**
   * Tells the peer that this is the end. Said once: quiche does not say it again, and a peer that missed it waits for
   * its idle time.
   */
  #tell(code: number, words: string): void {
    try {
      // The rest of a handshake goes first, or the peer could not read the close.
      this.#flush()
      this.#connection.close(this.#connection.isEstablished(), code, Buffer.from(words))
      this.#flush()
    } catch {
      // It is closing already.
    }
  }
}

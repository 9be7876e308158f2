/**
 * The port between the external protocol and what carries it: a connection of many streams to one peer whose identity
 * is proved.
 */
import type { LinkError } from './link-error.ts'

/** What carries a link: QUIC (RFC 9000), or TLS 1.3 over TCP with streams of its own on it. */
export type Transport = 'quic' | 'tls'

/** Who is at the other end, from the certificate that it proved to hold. */
export interface PeerIdentity {
  /** The URIs among the certificate's subject alternative names; a plugin's identity is one of them. */
  readonly uris: readonly string[]
  /** SHA-256 of the certificate, in hexadecimal digits parted by colons. */
  readonly fingerprint: string
}

/** One connection. Everything on it ends with it. */
export interface Link {
  readonly transport: Transport
  /** The application protocol that both agreed on (ALPN, RFC 7301). */
  readonly protocol: string
  readonly peer: PeerIdentity
  /**
   * The streams that the peer opens, as they come; done when the link has ended. To be read by one reader. A peer has
   * to wait when many of its streams were not taken from here.
   */
  readonly incoming: AsyncIterable<LinkStream>
  /**
   * Resolves with the reason once the link has ended, whoever ended it; never rejects.
   *
   * A dialled link may end at once: both with QUIC and with TLS 1.3 the dialler is done before the listener has judged
   * its certificate. So a link is up only after the peer's first message.
   */
  readonly ended: Promise<LinkError>
  /** Opens a stream, when the peer allows one more. The peer may learn of it only by the first write. */
  openStream(signal?: AbortSignal): Promise<LinkStream>
  /**
   * Ends the link without waiting: every stream and every wait on it fails at once, and the peer is told. What was
   * written and not yet sent is lost. `reason` goes to the peer where the transport has room for it. Harmless when it
   * has ended.
   */
  close(reason?: string): void
}

/**
 * Two directions of bytes, each with flow control of its own: what is not read is not sent. No wait here takes a
 * signal, since `reset` settles every wait on the stream.
 */
export interface LinkStream {
  /** Unique in its link, and the same at both ends. */
  readonly id: number
  /**
   * The next bytes, as they came, never empty; undefined at their end. One read at a time. Rejects with `StreamReset`
   * when the peer cut its direction off, and with `LinkError` when the link has ended. The bytes are the caller's to
   * keep.
   */
  read(): Promise<Uint8Array | undefined>
  /**
   * Resolves when the link has taken the bytes and has room for more, so who waits for it never fills memory. `bytes`
   * must not change before that. Rejects with `StreamReset` when the peer reads no more, and with `LinkError` when the
   * link has ended.
   */
  write(bytes: Uint8Array): Promise<void>
  /** Ends this side's direction behind what was written. Harmless when it has ended. */
  end(): void
  /**
   * Ends both directions at once, what waits in them is lost. The peer gets `code` (0 to 2^32-1) unless it has
   * everything already. Harmless when both directions have ended. A reset of the stream's opener always arrives; that
   * of the other side may be lost together with a packet, so an answer that failed should say so in bytes.
   */
  reset(code: number): void
  /**
   * Aborted, with a `StreamReset` or `LinkError` as its reason, when the stream is cut off before its ordinary end: the
   * peer reset it or reads no more, this side reset it, or the link ended. For who serves a stream: its caller has
   * gone.
   */
  readonly signal: AbortSignal
}

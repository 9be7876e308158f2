/**
 * The part of the native quiche binding that is used here, and what is to know of it; its JavaScript layer above that
 * is not used.
 */
import { LinkError } from '../link-error.ts'

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** The two ends of a packet. */
export interface PacketEnds {
  readonly from: HostPort
  readonly to: HostPort
}

/** How a connection failed. A TLS alert shows as 0x100 and its number (RFC 9001, 4.8). */
export interface ConnectionFailure {
  /** Whether an application gave the code. */
  readonly isApp: boolean
  readonly errorCode: number
  readonly reason: Uint8Array
}

export interface QuicheConfig {
  setApplicationProtos(protocols: string[]): void
  setMaxIdleTimeout(ms: number): void
  setMaxRecvUdpPayloadSize(bytes: number): void
  setMaxSendUdpPayloadSize(bytes: number): void
  setInitialMaxData(bytes: number): void
  setInitialMaxStreamDataBidiLocal(bytes: number): void
  setInitialMaxStreamDataBidiRemote(bytes: number): void
  setInitialMaxStreamsBidi(count: number): void
  setInitialMaxStreamsUni(count: number): void
  setMaxStreamWindow(bytes: number): void
  setDisableActiveMigration(disabled: boolean): void
  enablePacing(enabled: boolean): void
}

export interface QuicheConnection {
  /**
   * Decrypts in place, so `data` must be nobody else's. Throws for a packet that fails; the connection may go on all
   * the same.
   */
  recv(data: Uint8Array, ends: PacketEnds): number
  /** Writes the next packet; null when there is none. */
  send(data: Uint8Array): [number, unknown] | null
  /** Null when nothing is there now. Throws `StreamReset(code)`. */
  streamRecv(id: number, data: Uint8Array): [number, boolean] | null
  /** How much was taken; null for nothing. Throws `StreamStopped(code)` when the peer reads no more. */
  streamSend(id: number, data: Uint8Array, fin: boolean): number | null
  /** `direction` 0 is reading, 1 is writing. Throws `Done` when that direction has ended. */
  streamShutdown(id: number, direction: number, code: number): unknown
  /**
   * Throws `StreamStopped(code)` when the peer reads no more, and `InvalidStreamState` when there is no such stream any
   * more.
   */
  streamCapacity(id: number): number
  /** How many streams this side may open now. */
  peerStreamsLeftBidi(): number
  /** Streams with something to read or to know, unread ones every time. */
  readable(): Iterable<number>
  /** Milliseconds until `onTimeout` is due; null for never. */
  timeout(): number | null
  onTimeout(): void
  close(isApp: boolean, code: number, reason: Uint8Array): unknown
  applicationProto(): Uint8Array
  /** In DER, the peer's own first. */
  peerCertChain(): Uint8Array[] | null
  isEstablished(): boolean
  isClosed(): boolean
  isDraining(): boolean
  isTimedOut(): boolean
  peerError(): ConnectionFailure | null
  localError(): ConnectionFailure | null
  sendAckEliciting(): void
}

export interface Quiche {
  readonly MAX_CONN_ID_LEN: number
  readonly Config: {
    /**
     * PEM all; an empty list of keys ends the process, null is none. A server that verifies its peers requires a
     * certificate of them. `allowAnyFailure` is never to be true. `signatures` are names of RFC 8446 (4.2.3), parted by
     * colons.
     */
    withBoringSslCtx(
      verifyPeer: boolean,
      allowAnyFailure: boolean,
      ca: Uint8Array,
      keys: Uint8Array[] | null,
      certificates: Uint8Array[] | null,
      signatures: string,
    ): QuicheConfig
  }
  readonly Connection: {
    /** A name is checked against the DNS names of the peer's certificate only, so it can't be an address. */
    connect(name: string, scid: Uint8Array, local: HostPort, remote: HostPort, config: QuicheConfig): QuicheConnection
    accept(
      scid: Uint8Array,
      odcid: undefined,
      local: HostPort,
      remote: HostPort,
      config: QuicheConfig,
    ): QuicheConnection
  }
  readonly Header: {
    fromSlice(data: Uint8Array, idLength: number): { readonly ty: number; readonly dcid: Uint8Array }
  }
}

let loading: Promise<Quiche> | undefined

/** Loads the binding, once. Rejects with `LinkError` of kind `unsupported` where there is none for this platform. */
export function loadQuiche(): Promise<Quiche> {
  loading ??= load()
  return loading
}

async function load(): Promise<Quiche> {
  try {
    const { quiche } = await import('@matrixai/quic/native/index.js')
    return quiche
  } catch (error) {
    throw new LinkError(
      'unsupported',
      `QUIC does not load on ${process.platform} ${process.arch}; install @matrixai/quic, or use TLS`,
      { cause: error },
    )
  }
}

/**
 * The code in what the binding throws for a stream that was cut off: `StreamReset(7)`, `StreamStopped(7)`; else
 * undefined.
 */
export function resetCodeOf(thrown: unknown): number | undefined {
  const code = /Stream(?:Reset|Stopped)\((\d+)\)/.exec(thrown instanceof Error ? thrown.message : '')?.[1]
  return code === undefined ? undefined : Number(code)
}

/** Whether the binding throws because it has no such stream any more. */
export function isForgotten(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('InvalidStreamState(')
}

/** Why QUIC can't be used here, for people; undefined when it can. */
export async function whyNoQuic(): Promise<string | undefined> {
  try {
    await loadQuiche()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

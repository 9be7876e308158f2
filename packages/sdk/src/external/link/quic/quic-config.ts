/** The settings of a QUIC connection. */
import { checkCredentials } from '../check-credentials.ts'
import { type LinkTerms, settle } from '../terms.ts'
import type { Quiche, QuicheConfig } from './quiche.ts'

/** How much one stream may send before it is read: what a link of 100 ms needs for 10 MB/s. */
const STREAM_WINDOW_BYTES = 1024 * 1024
/** The same for a stream that the peer opened, at first: nobody may be there yet to read it, and there may be many. */
const FIRST_WINDOW_BYTES = 256 * 1024
/** Streams that the peer may have open at once. */
const MAX_STREAMS = 256
/**
 * All streams together have no bound of their own. quiche gives none of it back for what came on a stream and was not
 * read before that was cut off, so a link would stand still after a few of those.
 */
const CONNECTION_BYTES = Number.MAX_SAFE_INTEGER

/** Fits every network (RFC 9000, 14.1 asks for 1200; Ethernet less the largest headers is 1452). */
const NETWORK_PACKET_BYTES = 1350
/** Three times as fast on one machine. macOS sends no longer ones than 9216, and quiche none than 16383. */
const LOOPBACK_PACKET_BYTES = 9_000

/** BoringSSL's own choice, and Ed25519, with which plugins of the existing protocol sign. */
const SIGNATURES = [
  'ecdsa_secp256r1_sha256',
  'ed25519',
  'ecdsa_secp384r1_sha384',
  'rsa_pss_rsae_sha256',
  'rsa_pss_rsae_sha384',
  'rsa_pss_rsae_sha512',
].join(':')

/** Throws `LinkError` for credentials that can't be used. */
export function makeConfig(quiche: Quiche, terms: LinkTerms, isOnLoopback: boolean): QuicheConfig {
  checkCredentials(terms.credentials)
  const { ca, key, certificate } = terms.credentials
  const config = quiche.Config.withBoringSslCtx(true, false, bytes(ca), [bytes(key)], [bytes(certificate)], SIGNATURES)
  config.setApplicationProtos([...terms.protocols])
  config.setMaxIdleTimeout(settle(terms).idleMs)
  config.setMaxRecvUdpPayloadSize(65_527)
  config.setMaxSendUdpPayloadSize(packetBytes(isOnLoopback))
  config.setInitialMaxData(CONNECTION_BYTES)
  config.setInitialMaxStreamDataBidiLocal(STREAM_WINDOW_BYTES)
  config.setInitialMaxStreamDataBidiRemote(FIRST_WINDOW_BYTES)
  config.setMaxStreamWindow(STREAM_WINDOW_BYTES)
  config.setInitialMaxStreamsBidi(MAX_STREAMS)
  config.setInitialMaxStreamsUni(0)
  config.setDisableActiveMigration(true)
  config.enablePacing(false)
  return config
}

/** The longest packet that is sent. */
export function packetBytes(isOnLoopback: boolean): number {
  return isOnLoopback ? LOOPBACK_PACKET_BYTES : NETWORK_PACKET_BYTES
}

function bytes(pem: string): Uint8Array {
  return Buffer.from(pem)
}

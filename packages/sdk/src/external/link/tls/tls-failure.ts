/** Puts into words how a TLS connection failed. */
import { LinkError, type LinkErrorKind } from '../link-error.ts'

type Words = { readonly kind: LinkErrorKind; readonly says: string }

const NO_WAY: Words = { kind: 'unreachable', says: 'can not be reached' }
const THEIRS_EXPIRED: Words = {
  kind: 'expired',
  says: 'has a certificate out of its time: it has expired, or the clocks differ',
}
const THEIRS_UNKNOWN: Words = { kind: 'unknown-authority', says: 'has a certificate of another CA' }
const THEIRS_WRONG: Words = {
  kind: 'wrong-peer',
  says: 'has a certificate that is not valid for that name or that use',
}

/** By the codes of Node and OpenSSL. `ERR_SSL_…_ALERT_…` is what the peer says of us (RFC 8446, 6.2). */
const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['ECONNREFUSED', { kind: 'unreachable', says: 'has nothing that listens' }],
  ['EHOSTUNREACH', NO_WAY],
  ['ENETUNREACH', NO_WAY],
  ['EADDRNOTAVAIL', NO_WAY],
  ['ETIMEDOUT', { kind: 'timeout', says: 'did not answer' }],
  ['CERT_HAS_EXPIRED', THEIRS_EXPIRED],
  ['CERT_NOT_YET_VALID', THEIRS_EXPIRED],
  ['UNABLE_TO_GET_ISSUER_CERT', THEIRS_UNKNOWN],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', THEIRS_UNKNOWN],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', THEIRS_UNKNOWN],
  ['SELF_SIGNED_CERT_IN_CHAIN', THEIRS_UNKNOWN],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', THEIRS_UNKNOWN],
  ['CERT_SIGNATURE_FAILURE', THEIRS_UNKNOWN],
  ['ERR_TLS_CERT_ALTNAME_INVALID', THEIRS_WRONG],
  ['INVALID_PURPOSE', THEIRS_WRONG],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    { kind: 'no-certificate', says: 'says that our certificate was not shown' },
  ],
  ['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', { kind: 'no-certificate', says: 'showed no certificate' }],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', { kind: 'unknown-authority', says: 'says that our certificate is of another CA' }],
  [
    'ERR_SSL_SSL/TLS_ALERT_UNKNOWN_CA',
    { kind: 'unknown-authority', says: 'says that our certificate is of another CA' },
  ],
  [
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
    { kind: 'expired', says: 'says that our certificate is out of its time' },
  ],
  [
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    { kind: 'expired', says: 'says that our certificate is out of its time' },
  ],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', { kind: 'handshake', says: 'does not accept our certificate' }],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', { kind: 'handshake', says: 'does not accept our certificate' }],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', { kind: 'no-protocol', says: 'speaks none of our protocols' }],
  ['ERR_SSL_NO_APPLICATION_PROTOCOL', { kind: 'no-protocol', says: 'speaks none of our protocols' }],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', { kind: 'timeout', says: 'did not finish the handshake in time' }],
  ['ECONNRESET', { kind: 'lost', says: 'broke the connection off' }],
  ['EPIPE', { kind: 'lost', says: 'broke the connection off' }],
])

/** What `thrown` says of the connection with this peer. */
export function tlsFailure(thrown: unknown, peerName: string): LinkError {
  const code = codeOf(thrown)
  const words = WORDS.get(code)
  if (words !== undefined) return new LinkError(words.kind, `${peerName} ${words.says}`, { cause: thrown })
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  const kind = code.startsWith('ERR_SSL') ? 'handshake' : 'lost'
  return new LinkError(kind, `the connection with ${peerName} failed: ${said}`, { cause: thrown })
}

function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : ''
}

/** Puts into words how a QUIC connection ended. */
import { closedBy } from '../close-codes.ts'
import { LinkError, type LinkErrorKind } from '../link-error.ts'
import type { ConnectionFailure } from './quiche.ts'

/** TLS alerts (RFC 8446, 6) as QUIC has them: what they say of the certificate that was judged. */
const ALERTS: Readonly<Record<number, { readonly kind: LinkErrorKind; readonly says: string }>> = {
  298: { kind: 'wrong-peer', says: 'is not valid for that name or that use' },
  299: { kind: 'wrong-peer', says: 'is not meant for this use' },
  301: { kind: 'expired', says: 'is out of its time: it has expired, or the clocks differ' },
  302: { kind: 'handshake', says: 'was not accepted' },
  304: { kind: 'unknown-authority', says: 'is of another CA' },
  307: { kind: 'unknown-authority', says: 'is not what its CA signed' },
  372: { kind: 'no-certificate', says: 'was not shown' },
}
const NO_PROTOCOL = 0x178

/** Where the words of a failure come from. */
export interface EndedConnection {
  peerError(): ConnectionFailure | null
  localError(): ConnectionFailure | null
  isTimedOut(): boolean
}

/** Why `connection`, which has ended, ended. `peer` is what to call the other side. */
export function failureOf(
  connection: EndedConnection,
  wasUp: boolean,
  peer: string,
  protocols: readonly string[],
): LinkError {
  const theirs = connection.peerError()
  if (theirs !== null) return explain(theirs, `${peer} says that our certificate`, peer, protocols)
  const ours = connection.localError()
  if (ours !== null) return explain(ours, `the certificate of ${peer}`, peer, protocols)
  if (!wasUp) return new LinkError('timeout', `${peer} did not answer`)
  if (connection.isTimedOut()) return new LinkError('idle', `nothing came from ${peer} for too long`)
  return new LinkError('closed', `the link with ${peer} is closed`)
}

function explain(
  failure: ConnectionFailure,
  certificate: string,
  peer: string,
  protocols: readonly string[],
): LinkError {
  const { isApp, errorCode } = failure
  const reason = Buffer.from(failure.reason).toString('utf8')
  if (isApp || errorCode === 0) {
    const { kind, says } = closedBy(peer, errorCode)
    return new LinkError(kind, reason === '' ? says : `${says}: ${reason}`)
  }
  if (errorCode === NO_PROTOCOL)
    return new LinkError('no-protocol', `${peer} speaks none of our protocols (${protocols.join(', ')})`)
  const alert = ALERTS[errorCode]
  if (alert !== undefined) return new LinkError(alert.kind, `${certificate} ${alert.says}`)
  const kind = errorCode >= 0x100 ? 'handshake' : 'broken'
  return new LinkError(kind, `${peer}: QUIC error 0x${errorCode.toString(16)}${reason === '' ? '' : ` (${reason})`}`)
}

/** Why a link could not be opened, or has ended. */

/**
 * - `closed`: one of both closed it.
 * - `unreachable`: nothing listens there, or there is no way there.
 * - `timeout`: no answer in time.
 * - `idle`: it was up, and then nothing came for too long.
 * - `lost`: the connection broke.
 * - `no-certificate`, `unknown-authority`, `expired`, `wrong-peer`: one of both did not accept the other's certificate:
 *   none was shown, it is of another CA, it is out of its time, or it is somebody else's.
 * - `no-protocol`: both have no application protocol in common.
 * - `handshake`: the handshake failed for another reason.
 * - `broken`: the peer sent what the transport does not allow.
 * - `credentials`: this side's own can't be used.
 * - `unsupported`: this transport does not load here.
 */
export type LinkErrorKind =
  | 'closed'
  | 'unreachable'
  | 'timeout'
  | 'idle'
  | 'lost'
  | 'no-certificate'
  | 'unknown-authority'
  | 'expired'
  | 'wrong-peer'
  | 'no-protocol'
  | 'handshake'
  | 'broken'
  | 'credentials'
  | 'unsupported'

/** Its message is lower-case and says which side did not like what. */
export class LinkError extends Error {
  readonly kind: LinkErrorKind

  constructor(kind: LinkErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'LinkError'
    this.kind = kind
  }
}

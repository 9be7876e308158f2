/** Opens a link, by either transport. */
import type { Link, Transport } from './link.ts'
import { dialQuic } from './quic/dial-quic.ts'
import type { DialOptions } from './terms.ts'
import { dialTls } from './tls/dial-tls.ts'

/**
 * Resolves with a link whose peer proved to be who is expected. Whether the peer accepts us shows only in its first
 * message, or in the link's end. Rejects with `LinkError` (of kind `unsupported` when this transport does not load
 * here), or with the reason of the signal.
 */
export function dialLink(transport: Transport, options: DialOptions): Promise<Link> {
  return transport === 'quic' ? dialQuic(options) : dialTls(options)
}

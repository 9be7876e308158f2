/** Accepts links, by either transport. */
import type { Transport } from './link.ts'
import { listenQuic } from './quic/listen-quic.ts'
import type { LinkListener, ListenOptions } from './terms.ts'
import { listenTls } from './tls/listen-tls.ts'

/**
 * Resolves when it listens. Rejects with `LinkError` when the address can't be had, or this transport does not load
 * here.
 */
export function listenForLinks(transport: Transport, options: ListenOptions): Promise<LinkListener> {
  return transport === 'quic' ? listenQuic(options) : listenTls(options)
}

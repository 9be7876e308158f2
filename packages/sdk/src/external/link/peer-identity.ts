/** Reads who the peer is from its certificate. */
import { X509Certificate } from 'node:crypto'
import type { PeerIdentity } from './link.ts'

const URI = 'URI:'

/** Throws when `der` is no certificate. */
export function readPeerIdentity(der: Uint8Array): PeerIdentity {
  const certificate = new X509Certificate(der)
  return { uris: urisOf(certificate.subjectAltName ?? ''), fingerprint: certificate.fingerprint256 }
}

/**
 * Node parts the names by commas, and quotes a name that could be misread, its commas escaped. Such a one is left out:
 * no identity of ours needs it, so it can only be meant to look like one.
 */
function urisOf(names: string): readonly string[] {
  return names
    .split(', ')
    .filter((name) => name.startsWith(URI) && !name.startsWith(`${URI}"`))
    .map((name) => name.slice(URI.length))
}

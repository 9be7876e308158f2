/** Reads who the peer is from its certificate. */
import { X509Certificate } from 'node:crypto'
import type { PeerIdentity } from './link.ts'

/** One of the names in the text that Node gives: a kind, a colon, and a value that is quoted when it could be misread. */
const NAME = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/y

/** Throws when `der` is no certificate. */
export function readPeerIdentity(der: Uint8Array): PeerIdentity {
  const certificate = new X509Certificate(der)
  return { uris: urisOf(certificate.subjectAltName ?? ''), fingerprint: certificate.fingerprint256 }
}

/** A URI that had to be quoted is left out: no identity of ours has to be, so it can only be meant to look like one. */
function urisOf(names: string): readonly string[] {
  const uris: string[] = []
  NAME.lastIndex = 0
  for (let name = NAME.exec(names); name !== null && name[0] !== ''; name = NAME.exec(names)) {
    if (name[1] === 'URI' && name[2] !== undefined && !name[2].startsWith('"')) uris.push(name[2])
  }
  return uris
}

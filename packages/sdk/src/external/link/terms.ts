/** What dialling and listening need, whatever the transport. */
import type { Address } from './address.ts'
import type { Link, PeerIdentity } from './link.ts'
import type { LinkError } from './link-error.ts'

/** A certificate with its key, and whom to believe; all in PEM. */
export interface Credentials {
  /** The CA whose certificates are accepted, and no other. */
  readonly ca: string
  /** This side's certificate, for servers at the listening side and for clients at the dialling one. */
  readonly certificate: string
  readonly key: string
}

/** What both sides must agree on or may set. */
export interface LinkTerms {
  readonly credentials: Credentials
  /** Application protocols (ALPN), the preferred one first. */
  readonly protocols: readonly string[]
  /**
   * The URI that the peer's certificate must carry. Without one, whoever the CA signed is accepted: only for a CA that
   * signs for a single peer.
   */
  readonly expects?: string
  /** After so long without a sign of life the link ends with `idle`. The smaller one of both sides counts. */
  readonly idleMs?: number
  /** When nothing came for so long, the peer is asked for a sign of life. */
  readonly keepAliveMs?: number
  /** How long a handshake may take. */
  readonly handshakeMs?: number
}

/** Whom to dial, and on which terms. */
export interface DialOptions extends LinkTerms {
  readonly address: Address
  /**
   * The DNS name that the peer's certificate must carry. `localhost` unless set: certificates of the host's CA carry it
   * wherever their plugin runs, for who the peer is shows in `expects`.
   */
  readonly serverName?: string
  /** Gives the dialling up. */
  readonly signal?: AbortSignal
}

/** Where to accept links, on which terms, and who is told of them. */
export interface ListenOptions extends LinkTerms {
  /** Port 0 is any free port. */
  readonly address: Address
  /** A link with a peer that was accepted. */
  readonly onLink: (link: Link) => void
  /** Somebody was not let in: who (an address) and why. For the log. */
  readonly onRefused: (from: string, error: LinkError) => void
}

/** A place where links are accepted. */
export interface LinkListener {
  /** Where it listens, with the port that it got. */
  readonly address: Address
  /**
   * Uses other credentials for links from now on; those that are up stay. Throws `LinkError` for what can't be used.
   */
  renew(credentials: Credentials): void
  /** Ends every link that was accepted here. Resolves when the port is free. Harmless when it was closed. */
  close(): Promise<void>
}

/** What terms mean where they are silent. */
export function settle(terms: LinkTerms): Required<Pick<LinkTerms, 'idleMs' | 'keepAliveMs' | 'handshakeMs'>> {
  const idleMs = terms.idleMs ?? 30_000
  return {
    idleMs,
    keepAliveMs: terms.keepAliveMs ?? Math.ceil(idleMs / 3),
    handshakeMs: terms.handshakeMs ?? 10_000,
  }
}

/** Why this peer is not the one that is expected; undefined when it is. */
export function mismatch(peer: PeerIdentity, expects: string | undefined): string | undefined {
  if (expects === undefined || peer.uris.includes(expects)) return undefined
  const shown = peer.uris.length === 0 ? 'no identity' : `the identity ${peer.uris.join(', ')}`
  return `the certificate has ${shown} where ${expects} is expected`
}

/**
 * The codes with which one side says why it closes a link: QUIC's application error code, and the code of the
 * multiplexer's go-away.
 */
import { LinkError, type LinkErrorKind } from './link-error.ts'

/** 0 to 2 are those of yamux. Never change a number: hosts and plugins of different versions meet here. */
export const CLOSE = {
  done: 0,
  broken: 1,
  failed: 2,
  'no-certificate': 16,
  'unknown-authority': 17,
  expired: 18,
  'wrong-peer': 19,
} as const

/** What a peer that closes with such a code says of us; undefined when it only closes. */
const SAID: ReadonlyMap<number, { readonly kind: LinkErrorKind; readonly says: string }> = new Map([
  [CLOSE.broken, { kind: 'broken', says: 'says that we broke the rules of the link' }],
  [CLOSE.failed, { kind: 'lost', says: 'failed' }],
  [CLOSE['no-certificate'], { kind: 'no-certificate', says: 'says that our certificate was not shown' }],
  [CLOSE['unknown-authority'], { kind: 'unknown-authority', says: 'says that our certificate is of another CA' }],
  [CLOSE.expired, { kind: 'expired', says: 'says that our certificate is out of its time' }],
  [CLOSE['wrong-peer'], { kind: 'wrong-peer', says: 'expects somebody else than us' }],
])

/** What `code` says, or that the link was closed. */
export function closedBy(peerName: string, code: number): { readonly kind: LinkErrorKind; readonly says: string } {
  const said = SAID.get(code)
  return said === undefined
    ? { kind: 'closed', says: `${peerName} closed the link` }
    : { kind: said.kind, says: `${peerName} ${said.says}` }
}

/** The end of a link that this side closes, with why where it said so. */
export function closedHere(peerName: string, reason: string): LinkError {
  const why = reason === '' ? '' : `: ${reason}`
  return new LinkError('closed', `the link with ${peerName} was closed here${why}`)
}

/** The code that tells the peer of this end. */
export function closeCodeOf(kind: LinkErrorKind): number {
  switch (kind) {
    case 'no-certificate':
    case 'unknown-authority':
    case 'expired':
    case 'wrong-peer':
    case 'broken':
      return CLOSE[kind]
    default:
      return CLOSE.done
  }
}

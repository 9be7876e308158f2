/** Where a peer listens, as text and in parts. */
import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { LinkError } from './link-error.ts'

/** A host (a name, or an address of IPv4 or IPv6 without brackets) and a port. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** An address with a number for a host. */
export interface NumericAddress extends Address {
  readonly family: 4 | 6
}

/** Reads `host:port`, an IPv6 host in brackets. Throws `TypeError` for anything else. */
export function parseAddress(text: string): Address {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text.trim())
  const host = parts?.[1] ?? parts?.[2]
  const port = Number(parts?.[3])
  if (host === undefined || port > 65_535 || (parts?.[1] !== undefined && !isIPv6(host)))
    throw new TypeError(`"${text}" is no address; expected host:port, such as 127.0.0.1:4433 or [::1]:4433`)
  return { host, port }
}

/** The text that `parseAddress` reads. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** What `localhost` stands for (RFC 6761, 6.3), whatever the system's list of hosts lacks. */
const LOOPBACKS: readonly { readonly host: string; readonly family: 4 | 6 }[] = [
  { host: '127.0.0.1', family: 4 },
  { host: '::1', family: 6 },
]

/** Every address that the host's name stands for, in the order to be tried. Throws `LinkError` when there is none. */
export async function resolveAddress(address: Address): Promise<readonly NumericAddress[]> {
  if (address.host === 'localhost') return LOOPBACKS.map((loopback) => ({ ...loopback, port: address.port }))
  try {
    const found = await lookup(address.host, { all: true, order: 'verbatim' })
    return found.map(({ address: host, family }) => ({ host, port: address.port, family: family === 6 ? 6 : 4 }))
  } catch (error) {
    throw new LinkError('unreachable', `there is no host "${address.host}"; look at the address of the plugin`, {
      cause: error,
    })
  }
}

/** Whether packets to this numeric host stay on this machine. */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^(?:::ffff:)?127\./i.test(host)
}

/** Reads and judges the address on which HTTP is served. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

export interface ListenAddress {
  /** A name or an address, an IPv6 one without brackets. */
  readonly host: string
  /** 0 asks the system for a free one. */
  readonly port: number
}

const HOST_PORT = /^(?:\[([0-9A-Fa-f:.%\w]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/

/** Reads `HOST:PORT`, an IPv6 host in brackets (`[::1]:2255`); undefined for anything else. */
export function parseListen(text: string): ListenAddress | undefined {
  const match = HOST_PORT.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  if (host === undefined || port > 65_535 || (match?.[1] !== undefined && !isIPv6(host))) return undefined
  return { host, port }
}

/** The address as a config has it. */
export function formatListen({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Whether only this machine can reach the host: `localhost`, 127.0.0.0/8, `::1`. Any other name is not, whatever it
 * resolves to.
 */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  return isIPv4(host) ? LOOPBACK.check(host) : isIPv6(host) && LOOPBACK.check(host, 'ipv6')
}

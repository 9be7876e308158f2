/** The users of the box office: who makes a request, and who may do what. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Gate } from 'callboard'

const permissions: ReadonlyMap<string, readonly string[]> = new Map([
  ['ana', ['seats.view', 'seats.sell', 'globe.view', 'globe.announce']],
  ['ben', ['seats.view', 'seats.sell', 'globe.view']],
])

/** Users by the hashes of their keys, so that a dump of the memory gives no key away. */
const users = new Map<string, string>()

/** A new key for each user, to be shown once. */
export function issueKeys(): ReadonlyMap<string, string> {
  const keys = new Map([...permissions.keys()].map((user) => [user, randomBytes(24).toString('base64url')]))
  for (const [user, key] of keys) users.set(hashOf(key), user)
  return keys
}

/** Who makes this request, for the pages and for MCP alike; undefined: nobody who is known. */
export function userOf({ headers }: IncomingMessage): string | undefined {
  return users.get(hashOf(headers.authorization?.replace(/^Bearer /i, '') ?? ''))
}

export const gate: Gate = {
  allows: (user, permission) => permissions.get(user)?.includes(permission) ?? false,
  admits: (user, { name }, { seat }) =>
    user !== 'ben' || name !== 'seats.sell' || String(seat).startsWith('G') || 'ben sells the gallery, G1 and G2',
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Who makes a request over HTTP where the config decides: the user of its token, or whoever the config says. */
import type { IncomingMessage } from 'node:http'
import type { Host } from '../../host.ts'
import type { Authenticate, Caller } from './http/caller.ts'
import { invalidToken, NO_TOKEN } from './http/challenge.ts'

/** As `http.auth` is at the moment of each request; what one setting has let in is no longer good under the other. */
export function authenticateFor(host: Host): Authenticate {
  const anybody: Caller = {
    id: 'anybody',
    get user() {
      return host.config.user
    },
    isGood: () => host.config.http.auth === 'none',
  }
  return (request) => {
    if (host.config.http.auth === 'none') return anybody
    const token = bearerOf(request)
    if (token === undefined) return NO_TOKEN
    const verdict = host.tokens.check(token)
    if (verdict.kind === 'bad') return invalidToken(verdict.reason)
    const { id, user } = verdict
    return { id: `token ${id}`, user, isGood: () => host.config.http.auth === 'tokens' && host.tokens.isGood(id) }
  }
}

/** The credentials of the scheme Bearer (RFC 6750, section 2.1), the one way in which a token is taken. */
function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

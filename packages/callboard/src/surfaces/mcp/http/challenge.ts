/** The answer to a request that says not, or not rightly, whose it is (RFC 6750, section 3). */
import { REFUSED, type Refusal, refusal } from './reply.ts'

const SEND_ONE = 'no token; send "authorization: Bearer TOKEN"'

/** 401 for a request without a token: no error is named, since none was made. */
export const NO_TOKEN: Refusal = refusal(401, REFUSED, SEND_ONE, { 'www-authenticate': 'Bearer realm="callboard"' })

/** 401 for a token that lets nobody in. @param reason printable ASCII without quotes */
export function invalidToken(reason: string): Refusal {
  const fields = ['realm="callboard"', 'error="invalid_token"', `error_description="${reason}"`]
  return refusal(401, REFUSED, reason, { 'www-authenticate': `Bearer ${fields.join(', ')}` })
}

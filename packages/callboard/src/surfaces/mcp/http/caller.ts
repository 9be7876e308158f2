/** Who makes a request over HTTP, as far as it has to be known while something of the request is open. */
import type { IncomingMessage } from 'node:http'
import type { ActingUser } from '../../../gate/acting-user.ts'
import type { Refusal } from './reply.ts'

export interface Caller {
  /**
   * Differs for everybody who may not go on with what this one has begun: another user, but also the same one with
   * another token, who may be allowed less, or be what the token that was revoked is replaced by.
   */
  readonly id: string
  /** On whose behalf requests are served; read anew for each. */
  readonly user: ActingUser
  /** Whether it would still be let in; asked now and then while something of it is open. Absent: it would. */
  isGood?(): boolean
}

/** Whose request it is, or why it is not served. */
export type Authenticate = (request: IncomingMessage) => Caller | Refusal | Promise<Caller | Refusal>

/** Said to somebody who was let in and is not any more, in answer to what was still open. */
export const SHUT_OUT = 'not let in any more'

/** What goes with the parameters of a request to a server, in `_meta`. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client'
import { isObject } from '../../is-object.ts'
import type { CallLog } from '../log-messages.ts'
import type { JsonObject } from './messages.ts'

/** What every request of the modern era says: the revision, and the client's name. */
export interface ModernClient {
  readonly protocolVersion: string
  readonly clientInfo: JsonObject
}

/** What one request wants besides its result. */
export interface Wanted {
  /** By which the progress comes back; undefined where nobody wants any. */
  readonly progressToken?: number | undefined
  readonly log?: CallLog | undefined
}

/** Of one connection, whose era does not change. */
export class RequestEnvelope {
  readonly #meta: JsonObject | undefined

  /** @param modern undefined for the legacy era */
  constructor(modern: ModernClient | undefined) {
    this.#meta = modern && {
      [PROTOCOL_VERSION_META_KEY]: modern.protocolVersion,
      [CLIENT_INFO_META_KEY]: modern.clientInfo,
      [CLIENT_CAPABILITIES_META_KEY]: {},
    }
  }

  get isModern(): boolean {
    return this.#meta !== undefined
  }

  /** The parameters with all that goes with them; the same object where that is nothing. */
  around(params: JsonObject, { progressToken, log }: Wanted = {}): JsonObject {
    if (progressToken === undefined && this.#meta === undefined) return params
    const meta: JsonObject = { ...(isObject(params._meta) && params._meta), ...this.#meta }
    if (progressToken !== undefined) meta.progressToken = progressToken
    // A server of the older era says what it likes to say; one of the modern era says nothing unless it is asked to.
    if (log !== undefined && this.#meta !== undefined) meta[LOG_LEVEL_META_KEY] = log.level
    return { ...params, _meta: meta }
  }
}

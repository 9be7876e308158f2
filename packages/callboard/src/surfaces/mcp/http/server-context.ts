/** Who is served, as whatever answers a request is told it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { SessionSettings } from '../session-settings.ts'
import type { Caller } from './caller.ts'

/** For whom, and for which form of the protocol, a request is served. */
export interface ServerContext {
  readonly caller: Caller
  /**
   * `legacy`: a session that began with `initialize` (2025-11-25 and before). `modern`: requests that stand alone
   * (2026-07-28).
   */
  readonly era: 'legacy' | 'modern'
  /** What the client has set for its session, in the legacy era. */
  readonly settings?: SessionSettings
  /** The one request that is served, in the modern era. */
  readonly exchange?: ModernExchange
}

/** What of HTTP matters to a request of 2026-07-28. */
export interface ModernExchange {
  readonly headers: IncomingHttpHeaders
  /** Has an error answered with this status, where the protocol wants another than 200. */
  answerWith(status: number): void
}

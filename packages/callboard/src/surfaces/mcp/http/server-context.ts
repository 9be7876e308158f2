/** Who is served, as whatever answers a request is told it. */

/** For whom, and for which form of the protocol, a request is served. */
export interface ServerContext {
  /** The acting user's name. */
  readonly user: string
  /** `legacy`: a session that began with `initialize` (2025-11-25 and before). `modern`: requests that stand alone (2026-07-28). */
  readonly era: 'legacy' | 'modern'
}

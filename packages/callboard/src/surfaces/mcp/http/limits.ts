/** How much a client may ask of the HTTP surface before it is refused or let go. */

export interface HttpLimits {
  /** The largest accepted request body, in bytes. */
  readonly bodyBytes: number
  /** The most messages in one batch of an old client. */
  readonly batchMessages: number
  /** The most sessions kept at a time; the one that has been idle longest makes room for the next. */
  readonly sessions: number
  /** After how many milliseconds without a call or an open stream a session ends. */
  readonly sessionIdleMs: number
  /**
   * How many bytes may wait unsent when a client reads slowly, before messages of running calls are dropped and any
   * other but an answer ends the connection.
   */
  readonly backlogBytes: number
  /** How many bytes of what was sent are kept for clients that lost a stream, in all. */
  readonly resumeBytes: number
  /** How many of these one session may have. */
  readonly resumeSessionBytes: number
  /**
   * After how many milliseconds, or twice that, an answer is streamed to a client that could go on with it elsewhere.
   */
  readonly resumableMs: number
  /** The pause between two signs of life on an answer that takes long, in milliseconds. */
  readonly keepAliveMs: number
  /** How long calls in flight may take to send their last words when the surface closes, in milliseconds. */
  readonly closeMs: number
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 10 * 1024 * 1024,
  batchMessages: 100,
  sessions: 1000,
  sessionIdleMs: 30 * 60_000,
  backlogBytes: 1024 * 1024,
  resumeBytes: 32 * 1024 * 1024,
  resumeSessionBytes: 4 * 1024 * 1024,
  resumableMs: 1_000,
  keepAliveMs: 15_000,
  closeMs: 500,
}

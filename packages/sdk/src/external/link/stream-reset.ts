/** What is left of a stream that was cut off. */

/** The codes of the external protocol. Never change a number: hosts and plugins of different versions meet here. */
export const RESET = {
  /** Who asked wants no answer any more. */
  cancelled: 1,
  /** The time for the answer is up. */
  deadline: 2,
  /** Too many streams, or nobody serves them. */
  refused: 3,
  /** Whoever served the stream failed. */
  failed: 4,
} as const

/** One of the two sides reset the stream; nothing more comes or goes on it. */
export class StreamReset extends Error {
  /** The code that the resetting side gave, 0 to 2^32-1. */
  readonly code: number

  constructor(code: number, message = `the peer cut the stream off with code ${code}`) {
    super(message)
    this.name = 'StreamReset'
    this.code = code
  }
}

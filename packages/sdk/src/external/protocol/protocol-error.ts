/** What a peer did that the protocol does not allow. */

/**
 * After it nothing that this peer says can be relied on. The message is lower-case and says what came and what was
 * expected.
 */
export class ProtocolError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ProtocolError'
  }
}

/** A way to a client for many messages, of one call or of none. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server'

export interface MessageStream {
  send(message: JSONRPCMessage): void
  /** Gives a sign of life. */
  comment(): void
  /** Nothing more will come. */
  end(): void
}

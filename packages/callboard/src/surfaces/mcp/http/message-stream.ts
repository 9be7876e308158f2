/** A way to a client for many messages, of one call or of none. */
import type { MessageText } from '../message-text.ts'

export interface MessageStream {
  send(message: MessageText): void
  /** Gives a sign of life. */
  comment(): void
  /** Nothing more will come. */
  end(): void
}

/** A stream on one response and nothing else: when its connection breaks, it is over. */
import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { EventStream } from './event-stream.ts'
import type { HttpLimits } from './limits.ts'
import type { MessageStream } from './message-stream.ts'

export class PlainStream implements MessageStream {
  readonly #events: EventStream

  constructor(response: ServerResponse, limits: HttpLimits) {
    this.#events = new EventStream(response, limits, {})
  }

  send(message: JSONRPCMessage): void {
    this.#events.send(JSON.stringify(message))
  }

  comment(): void {
    this.#events.comment()
  }

  end(): void {
    this.#events.end()
  }
}

/** A stream on one response and nothing else: when its connection breaks, it is over. */
import type { ServerResponse } from 'node:http'
import type { MessageText } from '../message-text.ts'
import { EventStream } from './event-stream.ts'
import type { HttpLimits } from './limits.ts'
import type { MessageStream } from './message-stream.ts'

export class PlainStream implements MessageStream {
  readonly #events: EventStream

  constructor(response: ServerResponse, limits: HttpLimits) {
    this.#events = new EventStream(response, limits, {})
  }

  send({ text }: MessageText): void {
    this.#events.send(text)
  }

  comment(): void {
    this.#events.comment()
  }

  end(): void {
    this.#events.end()
  }
}

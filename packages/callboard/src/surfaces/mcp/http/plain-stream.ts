/** A stream on one response and nothing else: when its connection breaks, it is over. */
import type { ServerResponse } from 'node:http'
import type { MessageText } from '../message-text.ts'
import { EventStream, type StreamContext } from './event-stream.ts'
import type { MessageStream } from './message-stream.ts'

export class PlainStream implements MessageStream {
  readonly #events: EventStream

  constructor(response: ServerResponse, context: StreamContext) {
    this.#events = new EventStream(response, context, {})
  }

  send({ pieces, answers }: MessageText): void {
    if (answers === undefined) this.#events.note(pieces)
    else this.#events.answer(pieces)
  }

  comment(): void {
    this.#events.comment()
  }

  end(): void {
    this.#events.end()
  }
}

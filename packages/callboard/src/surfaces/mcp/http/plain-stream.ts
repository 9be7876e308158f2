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

  send({ text, answers }: MessageText): void {
    if (answers === undefined) this.#events.note(text)
    else this.#events.answer(text)
  }

  comment(): void {
    this.#events.comment()
  }

  end(): void {
    this.#events.end()
  }
}

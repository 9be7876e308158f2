/**
 * A `fetch` whose answers end with an error beyond a bound, let others have their turn, and hand over what is large.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { CallboardError, messageOf } from '../../errors.ts'
import { patientFetch } from '../patient-fetch.ts'
import { type BodyCut, events, type Piece, whole } from './body-cut.ts'
import type { LargeAnswer } from './large-answer.ts'

export interface BoundedFetchOptions {
  /** For a body as it is after decoding, or for one event where the body is a stream of them. */
  readonly maxBytes: number
  /**
   * Called for an event beyond the bound with what tells whose it is: the beginning of the request that it answers, or
   * both ends of the event itself where the stream answers many. Only in the latter case the stream goes on after it.
   */
  readonly onLongEvent: (edges: string, reason: string) => void
  /**
   * Called with an answer that is too large to be read whole. Where it is taken, one without content comes in its
   * place.
   */
  readonly onLargeAnswer: (answer: LargeAnswer) => boolean
  /** Called with the words for what is no result and too large for that, and both its ends where these may tell whose it is. */
  readonly onLeftOut: (reason: string, edges?: string) => void
}

/** As much of a request as tells its id. */
const REQUEST_HEAD = 48

/** Answers like the global one, but for `url` and the like, which an answer that was made here can't have. */
export function boundedFetch({ maxBytes, onLongEvent, ...large }: BoundedFetchOptions): FetchLike {
  const tooLong = (): CallboardError =>
    new CallboardError('tool_failed', `the server sent a message of more than the ${maxBytes} bytes that are read`)
  return async (url, init) => {
    const response = await patientFetch(url, init)
    const { body, status, statusText, headers } = response
    if (body === null) return response
    const request = typeof init?.body === 'string' ? init.body.slice(0, REQUEST_HEAD) : ''
    const endsWithIt = (): CallboardError => {
      const error = tooLong()
      onLongEvent(request, error.message)
      return error
    }
    const goesOn = (edges: string): void => onLongEvent(edges, tooLong().message)
    const cut = /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '')
      ? events({ maxBytes, tooLong: endsWithIt, ...large, onLongEvent: request === '' ? goesOn : undefined })
      : whole({ maxBytes, tooLong, ...large })
    return new Response(passing(body, cut), { status, statusText, headers })
  }
}

function passing(body: ReadableStream<Uint8Array>, cut: BodyCut): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let pieces: Piece[] = []
  const next = async (): Promise<Buffer | undefined> => {
    for (let isDone = false; ; ) {
      while (pieces.length === 0 && !isDone) {
        const { done, value } = await reader.read()
        const chunk = done ? undefined : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        pieces = [...(await cut(chunk))]
        isDone = done
      }
      const piece = pieces.shift()
      const bytes = typeof piece === 'function' ? await piece() : piece
      if (bytes === undefined || bytes.length > 0) return bytes
    }
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pieces.length > 0) await nextTurn()
      try {
        const piece = await next()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      } catch (error) {
        controller.error(error)
        await reader.cancel(messageOf(error)).catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

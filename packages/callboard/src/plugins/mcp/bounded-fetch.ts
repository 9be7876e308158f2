/** A `fetch` whose answers end with an error beyond a bound, and let others have their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { CallboardError, messageOf } from '../../errors.ts'
import { EventCutter, EventTooLong } from './event-cutter.ts'
import { patientFetch } from './patient-fetch.ts'

export interface BoundedFetchOptions {
  /** For a body as it is after decoding, or for one event where the body is a stream of them. */
  readonly maxBytes: number
  /** Called for an event beyond the bound, with the beginning of the request's body; empty where it had none. */
  readonly onLongEvent: (request: string, error: CallboardError) => void
}

/** As much of a request as tells its id. */
const REQUEST_HEAD = 48

/** Answers like the global one, but for `url` and the like, which an answer that was made here can't have. */
export function boundedFetch({ maxBytes, onLongEvent }: BoundedFetchOptions): FetchLike {
  const tooLong = (): CallboardError =>
    new CallboardError('tool_failed', `the server sent a message of more than the ${maxBytes} bytes that are read`)
  return async (url, init) => {
    const response = await patientFetch(url, init)
    const { body, status, statusText, headers } = response
    if (body === null) return response
    const request = typeof init?.body === 'string' ? init.body.slice(0, REQUEST_HEAD) : ''
    const cut = /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '')
      ? events(maxBytes, () => {
          const error = tooLong()
          onLongEvent(request, error)
          return error
        })
      : whole(maxBytes, tooLong)
    return new Response(passing(body, cut), { status, statusText, headers })
  }
}

/** Makes pieces of a chunk, or of the end where there is none. */
type Cut = (chunk: Buffer | undefined) => readonly Buffer[]

function whole(maxBytes: number, tooLong: () => CallboardError): Cut {
  let bytes = 0
  return (chunk) => {
    bytes += chunk?.length ?? 0
    if (bytes > maxBytes) throw tooLong()
    return chunk === undefined ? [] : [chunk]
  }
}

function events(maxBytes: number, tooLong: () => CallboardError): Cut {
  const cutter = new EventCutter(maxBytes)
  return (chunk) => {
    try {
      return chunk === undefined ? [cutter.end()] : cutter.push(chunk)
    } catch (error) {
      throw error instanceof EventTooLong ? tooLong() : error
    }
  }
}

function passing(body: ReadableStream<Uint8Array>, cut: Cut): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let pieces: Buffer[] = []
  const next = async (): Promise<Buffer | undefined> => {
    while (pieces.length === 0) {
      const { done, value } = await reader.read()
      const chunk = done ? undefined : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      pieces = cut(chunk).filter(({ length }) => length > 0)
      if (done) return pieces.shift()
    }
    return pieces.shift()
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

/** Writes the short answers of the HTTP surface: one JSON body, or a refusal in the form of a JSON-RPC error. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestId } from '@modelcontextprotocol/server'
import { OutputQueue, type OutputQueueOptions, PIECE_LENGTH } from '../../output-queue.ts'
import type { ReaderName, Readers } from '../../readers.ts'
import type { Pieces } from '../message-text.ts'

/** Why a request is not served: the HTTP status and the JSON-RPC error that say so. */
export interface Refusal {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly headers?: OutgoingHttpHeaders
}

export function refusal(status: number, code: number, message: string, headers?: OutgoingHttpHeaders): Refusal {
  return { status, code, message, ...(headers === undefined ? {} : { headers }) }
}

/** Of a refusal nobody has to know whose it is: it is short. */
const NOBODY = (): ReaderName => ({})

/** The JSON-RPC code of refusals for which the specification names none. */
export const REFUSED = -32000

/**
 * Ends the response with a text of the given type, as it is or in its UTF-8; its pieces together may be longer than a
 * string can be. What the socket does not take at once waits among `readers`.
 */
export function replyText(
  response: ServerResponse,
  body: string | Pieces,
  options: OutputQueueOptions & {
    readonly status: number
    readonly type: string
    readonly headers?: OutgoingHttpHeaders
  },
): void {
  if (response.destroyed || response.writableEnded) return
  const pieces = typeof body === 'string' ? [body] : body
  response.writeHead(options.status, {
    'content-type': options.type,
    'content-length': pieces.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0),
    ...options.headers,
  })
  const [only] = pieces
  // Nearly every answer is short and taken at once, and nothing has to be known of its reader.
  const isShort = pieces.length === 1 && only !== undefined && only.length <= PIECE_LENGTH
  if (isShort) response.end(only)
  if (isShort && response.writableLength === 0) return
  // Of a short one, which is written already, the queue only tells that it waits.
  const output = new OutputQueue(response, options)
  output.write(pieces)
  output.end()
}

/** Ends the response with a JSON-RPC error. `id` is that of the request, null where there is no single one. */
export function refuse(
  response: ServerResponse,
  refusal: Refusal,
  readers: Readers,
  id: RequestId | null = null,
): void {
  const { status, code, message, data, headers } = refusal
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  replyText(response, JSON.stringify({ jsonrpc: '2.0', error, id }), {
    status,
    type: 'application/json',
    readers,
    who: NOBODY,
    ...(headers === undefined ? {} : { headers }),
  })
}

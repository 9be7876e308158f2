/** Writes the short answers of the HTTP surface: one JSON body, or a refusal in the form of a JSON-RPC error. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestId } from '@modelcontextprotocol/server'
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

/** The JSON-RPC code of refusals for which the specification names none. */
export const REFUSED = -32000

/**
 * Ends the response with a text of the given type, as it is or in its UTF-8; its pieces together may be longer than a
 * string can be. A client that does not take it within `stallMs` is let go.
 */
export function replyText(
  response: ServerResponse,
  body: string | Pieces,
  options: {
    readonly status: number
    readonly type: string
    readonly headers?: OutgoingHttpHeaders
    readonly stallMs: number
  },
): void {
  if (response.destroyed || response.writableEnded) return
  const pieces = typeof body === 'string' ? [body] : body
  response.writeHead(options.status, {
    'content-type': options.type,
    'content-length': pieces.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0),
    ...options.headers,
  })
  response.cork()
  for (const piece of pieces.slice(0, -1)) response.write(piece)
  response.end(pieces.at(-1))
  if (response.writableLength > 0) response.setTimeout(options.stallMs)
}

/** Ends the response with a JSON-RPC error. `id` is that of the request, null where there is no single one. */
export function refuse(response: ServerResponse, refusal: Refusal, stallMs: number, id: RequestId | null = null): void {
  const { status, code, message, data, headers } = refusal
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  replyText(response, JSON.stringify({ jsonrpc: '2.0', error, id }), {
    status,
    type: 'application/json',
    stallMs,
    ...(headers === undefined ? {} : { headers }),
  })
}

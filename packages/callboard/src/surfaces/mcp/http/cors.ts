/** Lets the pages of an allowed origin read what they are answered (Fetch standard, CORS protocol). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ENDPOINT_METHODS } from './site.ts'

/** What clients of either era send. Names of `Mcp-Param-…` are the tools' own, so each is taken as it is asked for. */
const REQUEST_HEADERS: readonly string[] = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]
const PARAMETER = /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+$/
const RESPONSE_HEADERS = 'mcp-session-id, mcp-protocol-version, www-authenticate'
/** How long a browser may keep the answer, in seconds; none keeps it for longer than this. */
const MAX_AGE_S = 7200

/**
 * Says that the origin may read the answer; the guard has let it in. Where the application has said so itself, its word
 * stands. Credentials that a browser adds by itself, such as cookies, are never asked for.
 */
export function allowOrigin(origin: string, response: ServerResponse): void {
  if (response.hasHeader('access-control-allow-origin')) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', RESPONSE_HEADERS)
  response.appendHeader('vary', 'Origin')
}

/** Whether a browser asks if a page may send a request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers
}

/** Answers what a browser asks before a request of an origin that may be answered. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = String(headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => PARAMETER.test(name))
  response.setHeader('access-control-allow-methods', ENDPOINT_METHODS.join(', '))
  response.setHeader('access-control-allow-headers', [...REQUEST_HEADERS, ...asked].join(', '))
  response.setHeader('access-control-max-age', MAX_AGE_S)
  response.appendHeader('vary', 'Access-Control-Request-Headers')
  response.writeHead(204).end()
}

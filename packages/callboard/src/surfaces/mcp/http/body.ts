/** Reads the body of a request once, within a bound, and parses it as JSON. */
import type { IncomingMessage } from 'node:http'
import { readMessage } from '../written-arguments.ts'

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Not valid JSON, or nothing at all. */
  | { readonly kind: 'malformed' }
  /** More than the bound, announced or sent. */
  | { readonly kind: 'too-large' }
  /** The client went away before it had sent everything. */
  | { readonly kind: 'gone' }

/**
 * How many times the bound is read and thrown away of a body that is too large: most clients look for an answer only
 * when they have sent all, and a connection that is closed before takes the answer along.
 */
const DISCARDED = 10

/**
 * Never rejects. After `too-large` the rest is thrown away, and beyond ten times the bound the connection ends. What
 * something in front has read and parsed already, as Express does, is `request.body`.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (request.readableEnded) return Promise.resolve(readBefore(request))
  if (Number(request.headers['content-length']) > maxBytes) {
    discard(request, maxBytes * DISCARDED)
    return Promise.resolve({ kind: 'too-large' })
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      resolve({ kind: 'too-large' })
      if (bytes > maxBytes * DISCARDED) request.destroy()
    })
    // Of these the first one counts.
    request.on('end', () => resolve(parse(chunks)))
    request.on('close', () => resolve({ kind: 'gone' }))
    // Whatever an application has in front of this may have paused it, which new listeners do not undo.
    request.resume()
  })
}

function discard(request: IncomingMessage, atMost: number): void {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > atMost) request.destroy()
  })
  request.resume()
}

function readBefore(request: IncomingMessage & { readonly body?: unknown }): Body {
  const { body } = request
  if (typeof body === 'string') return parse([Buffer.from(body)])
  if (body instanceof Uint8Array) return parse([Buffer.from(body)])
  return body === undefined ? { kind: 'malformed' } : { kind: 'json', value: body }
}

function parse(chunks: readonly Buffer[]): Body {
  const [first] = chunks
  const text =
    chunks.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8')
  try {
    return { kind: 'json', value: readMessage(text) }
  } catch {
    return { kind: 'malformed' }
  }
}

/** Results that are JSON already, so that nobody has to write them anew for each client. */
import type { Result } from '@modelcontextprotocol/server'

const encoded = new WeakMap<object, Uint8Array>()

/** A result that is this JSON, in UTF-8. `JSON.stringify` writes it as any other. */
export function encodedResult(json: Uint8Array): Result {
  const result: Result = { toJSON: () => JSON.parse(Buffer.from(json).toString()) }
  encoded.set(result, json)
  return result
}

/** The parts of the answer, of which only the first is new; undefined for an answer whose result is not encoded. */
export function encodedAnswer(answer: unknown): readonly Uint8Array[] | undefined {
  const { id, result }: { id?: unknown; result?: unknown } = Object(answer)
  const json = typeof result === 'object' && result !== null ? encoded.get(result) : undefined
  return json && [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), json, END]
}

const END = Buffer.from('}')

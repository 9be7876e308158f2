/** Makes the result of a tool out of the fields of an answer in bytes. */
import { parseWritten } from '../../exact-json.ts'
import { type EncodedFields, encodedResult } from '../encoded-result.ts'
import type { JsonObject } from './messages.ts'

/** What is looked at on the way. */
const PLAIN_FIELDS = ['isError', 'resultType', '_meta']
const OPEN_ARRAY = 0x5b

/** All that is looked at is plain, with its numbers as they were written, and so is a `content` that is no list. */
export function largeResult(fields: EncodedFields): JsonObject {
  const encoded = new Map(fields)
  const plain: JsonObject = { content: [] }
  const isList = fields.get('content')?.[0]?.[0] === OPEN_ARRAY
  for (const key of isList ? PLAIN_FIELDS : [...PLAIN_FIELDS, 'content']) {
    const bytes = encoded.get(key)
    if (bytes !== undefined) plain[key] = parseWritten(Buffer.concat(bytes).toString())
    encoded.delete(key)
  }
  return encodedResult(encoded, plain)
}

/** Makes the result of a tool out of the fields of an answer in bytes. */
import { parseWritten } from '../../exact-json.ts'
import { type EncodedFields, encodedResult } from '../encoded-result.ts'
import type { JsonObject } from './messages.ts'

/** What is looked at on the way. */
const PLAIN_FIELDS = ['isError', 'resultType', '_meta']
/** Beyond so many bytes it is not, since it would have to be read in one go. */
const MAX_PLAIN_BYTES = 64 * 1024
const OPEN_ARRAY = 0x5b

/** All that is looked at is plain, with its numbers as they were written. A `content` that is no list is null. */
export function largeResult(fields: EncodedFields): JsonObject {
  const encoded = new Map(fields)
  const plain: JsonObject = { content: [] }
  const content = fields.get('content')
  if (content !== undefined && content[0]?.[0] !== OPEN_ARRAY) {
    encoded.delete('content')
    plain.content = null
  }
  for (const key of PLAIN_FIELDS) {
    const bytes = encoded.get(key)
    if (bytes === undefined || bytes.reduce((sum, { length }) => sum + length, 0) > MAX_PLAIN_BYTES) continue
    plain[key] = parseWritten(Buffer.concat(bytes).toString())
    encoded.delete(key)
  }
  return encodedResult(encoded, plain)
}

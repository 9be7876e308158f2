/** JSON as the external protocol carries it: bytes of UTF-8. */
import { isObject } from '../../is-object.ts'

/** The object in these bytes. Throws `TypeError` that says what `what` should be. */
export function readObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (cause) {
    throw new TypeError(`${what} is no JSON`, { cause })
  }
  if (isObject(value)) return value
  throw new TypeError(`${what} has to be a JSON object`)
}

/** The bytes of a value that JSON has a form for. */
export function writeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

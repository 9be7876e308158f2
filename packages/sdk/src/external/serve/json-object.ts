/** JSON objects as the protocol carries them: bytes of UTF-8. */

/** The object in these bytes, an empty one for none. Throws `TypeError` that says what `what` should be. */
export function objectIn(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {}
  const value = parsed(bytes, what)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${what} have to be a JSON object`)
  return Object.fromEntries(Object.entries(value))
}

function parsed(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (cause) {
    throw new TypeError(`${what} are no JSON`, { cause })
  }
}

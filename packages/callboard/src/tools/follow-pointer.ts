/** Finds what a reference inside a JSON Schema points to. */

/**
 * What stands at a JSON Pointer as a fragment holds it, percent-encoded and without the `#` (RFC 6901, 6); undefined
 * where nothing stands. Own members only: a schema's text must not reach what every object inherits.
 */
export function followPointer(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of decoded(pointer).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** Names with a bare `%` are written as they are by many. */
function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}

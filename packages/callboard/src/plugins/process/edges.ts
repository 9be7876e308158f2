/** What is kept of something that is too long to be read: enough of either end to tell what it was. */

const EDGE = 256

/** A copy of the first bytes, without joining all that there is. */
export function firstBytes(parts: readonly Buffer[]): Buffer {
  let first: Buffer = Buffer.alloc(0)
  for (const part of parts)
    if (first.length < EDGE) first = Buffer.concat([first, part.subarray(0, EDGE - first.length)])
  return first
}

/** A copy of the last bytes. */
export function lastBytes(parts: readonly Buffer[]): Buffer {
  let last: Buffer = Buffer.alloc(0)
  for (const part of parts.toReversed())
    if (last.length < EDGE) last = Buffer.concat([part.subarray(last.length - EDGE), last])
  return last
}

/** Cuts a stream of server-sent events into pieces of whole events, without ever holding more than a bound. */

/** An event that is longer than the bound. */
export class EventTooLong extends Error {}

/** An empty line, which ends an event, in each of the three ways to end a line. */
const ENDS = ['\n\n', '\n\r\n', '\r\r'].map((end) => Buffer.from(end))
const LONGEST_END = 3
/** The events of one piece are parsed in one go. */
const PIECE = 8 * 1024

/** A parser that gets an event whole does not look through its beginning again with each chunk. */
export class EventCutter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The pieces that are whole now. Throws {@link EventTooLong}. */
  push(chunk: Buffer): readonly Buffer[] {
    const before = tailOf(this.#parts)
    const end = lastEnd(Buffer.concat([before, chunk])) - before.length
    if (end > 0) {
      const whole = Buffer.concat([...this.#parts, chunk.subarray(0, end)])
      this.#parts = []
      this.#bytes = 0
      this.#keep(chunk.subarray(end))
      return pieces(whole)
    }
    this.#keep(chunk)
    return []
  }

  /** What stands behind the last whole event, which is let go of. */
  end(): Buffer {
    const rest = Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return rest
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) throw new EventTooLong('the event is too long')
  }
}

function tailOf(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.slice(-LONGEST_END)).subarray(1 - LONGEST_END)
}

/** Behind the last end of an event, or 0. */
function lastEnd(bytes: Buffer): number {
  const ends = ENDS.map((end) => ({ at: bytes.lastIndexOf(end), size: end.length }))
  return Math.max(0, ...ends.filter(({ at }) => at >= 0).map(({ at, size }) => at + size))
}

function pieces(whole: Buffer): readonly Buffer[] {
  const cut: Buffer[] = []
  for (let from = 0; from < whole.length; ) {
    const to = from + PIECE < whole.length ? from + PIECE + firstEnd(whole.subarray(from + PIECE)) : whole.length
    cut.push(whole.subarray(from, to))
    from = to
  }
  return cut
}

/** Behind the first end of an event in bytes that end with one. */
function firstEnd(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at++)
    for (const end of ENDS)
      if (bytes[at] === end[0] && bytes.subarray(at, at + end.length).equals(end)) return at + end.length
  return bytes.length
}

/** Cuts a stream of server-sent events into pieces of whole events, without ever holding more than a bound. */
import { firstBytes, lastBytes } from '../process/edges.ts'
import { LARGE_BYTES } from './large-answer.ts'

/** An empty line, which ends an event, in each of the three ways to end a line. */
const ENDS = ['\n\n', '\n\r\n', '\r\r'].map((end) => Buffer.from(end))
const LONGEST_END = 3
/** The events of one piece are parsed in one go. */
const PIECE = 8 * 1024

/** What is whole. */
export interface WholeEvents {
  /** The first event, in the parts in which it came, where it is of that size. */
  readonly large?: readonly Buffer[]
  /** Both ends of the first event, where it was beyond the bound and the rest of it is left out. */
  readonly edges?: string
  /** Those after it, in pieces. */
  readonly pieces: readonly Buffer[]
}

/** A parser that gets an event whole does not look through its beginning again with each chunk. */
export class EventCutter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0
  /** The first bytes of an event beyond the bound, of which the last ones are the parts. */
  #head: Buffer | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether the event that is under way is beyond the bound. */
  get isBeyond(): boolean {
    return this.#head !== undefined
  }

  /** What is whole now. */
  push(chunk: Buffer): WholeEvents {
    if (this.#bytes < LARGE_BYTES && !this.isBeyond) return { pieces: this.#cut(chunk) }
    const end = firstEnd(tailOf(this.#parts), chunk)
    if (end === undefined) {
      this.#keep(chunk)
      return { pieces: [] }
    }
    const parts = [...this.#parts, chunk.subarray(0, end)]
    const head = this.#head
    this.#reset()
    const pieces = this.#cut(chunk.subarray(end))
    return head === undefined ? { large: parts, pieces } : { edges: `${head}${lastBytes(parts)}`, pieces }
  }

  /** What stands behind the last whole event, which is let go of. */
  end(): Buffer {
    const rest = this.isBeyond ? Buffer.alloc(0) : Buffer.concat(this.#parts)
    this.#reset()
    return rest
  }

  #cut(chunk: Buffer): readonly Buffer[] {
    const end = lastEnd(tailOf(this.#parts), chunk)
    if (end !== undefined) {
      const whole = Buffer.concat([...this.#parts, chunk.subarray(0, end)])
      this.#reset()
      this.#keep(chunk.subarray(end))
      return pieces(whole)
    }
    this.#keep(chunk)
    return []
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.#maxBytes) return
    this.#head ??= firstBytes(this.#parts)
    this.#parts = [lastBytes(this.#parts)]
  }

  #reset(): void {
    this.#parts = []
    this.#bytes = 0
    this.#head = undefined
  }
}

function tailOf(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.slice(-LONGEST_END)).subarray(1 - LONGEST_END)
}

/** Behind the last end of an event in the chunk. */
function lastEnd(before: Buffer, chunk: Buffer): number | undefined {
  const ends = ENDS.map((end) => ({ at: chunk.lastIndexOf(end), size: end.length })).filter(({ at }) => at >= 0)
  return ends.length > 0 ? Math.max(...ends.map(({ at, size }) => at + size)) : endAcross(before, chunk)
}

/** Behind the first end of an event in the chunk. */
function firstEnd(before: Buffer, chunk: Buffer): number | undefined {
  const across = endAcross(before, chunk)
  if (across !== undefined) return across
  const ends = ENDS.map((end) => ({ at: chunk.indexOf(end), size: end.length })).filter(({ at }) => at >= 0)
  return ends.length > 0 ? Math.min(...ends.map(({ at, size }) => at + size)) : undefined
}

/** Behind an end that began before the chunk. */
function endAcross(before: Buffer, chunk: Buffer): number | undefined {
  const edge = Buffer.concat([before, chunk.subarray(0, LONGEST_END - 1)])
  for (const end of ENDS) {
    const behind = edge.indexOf(end) + end.length - before.length
    if (edge.includes(end) && behind > 0) return behind
  }
  return undefined
}

/** The events of a piece, each by itself. */
export function eachEvent(piece: Buffer): readonly Buffer[] {
  return pieces(piece, 0)
}

function pieces(whole: Buffer, size: number = PIECE): readonly Buffer[] {
  const cut: Buffer[] = []
  for (let from = 0; from < whole.length; ) {
    const to = from + size < whole.length ? from + size + endOfFirst(whole.subarray(from + size)) : whole.length
    cut.push(whole.subarray(from, to))
    from = to
  }
  return cut
}

/** Behind the first end of an event in bytes that end with one, which is near. */
function endOfFirst(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at++)
    for (const end of ENDS)
      if (bytes[at] === end[0] && bytes.subarray(at, at + end.length).equals(end)) return at + end.length
  return bytes.length
}

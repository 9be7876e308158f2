/** Cuts a stream of bytes into lines, without ever holding more than a bound. */
import { firstBytes, lastBytes } from './edges.ts'

const NEWLINE = 0x0a

/** What is left of a line beyond the bound. */
export interface LongLine {
  readonly head: string
  readonly tail: string
  readonly bytes: number
}

/** Takes lines from so many bytes on in the pieces in which they came. */
interface LargeLines {
  readonly fromBytes: number
  /** Works through one step by step, and says in the end whether it took it; else it is a line like any other. */
  readonly take: (parts: readonly Buffer[]) => Generator<undefined, boolean>
}

export interface LineReaderOptions {
  /** The bound, in bytes without the line's end. */
  readonly maxBytes: number
  readonly onLine: (line: string) => void
  readonly onLongLine: (line: LongLine) => void
  readonly large?: LargeLines
}

/** Joins the pieces of a line once, when its end is there: a message of many megabytes costs one copy. */
export class LineReader {
  readonly #options: LineReaderOptions
  #parts: Buffer[] = []
  #bytes = 0
  #head: Buffer | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  /** Takes the next bytes and hands over every line that ends in them, without `\n` or `\r\n`. */
  push(chunk: Buffer): void {
    const steps = this.steps(chunk)
    while (steps.next().done !== true);
  }

  /** Like `push`, but goes on only when it is asked to, after each line at least. Whoever begins goes on to the end. */
  *steps(chunk: Buffer): Generator<undefined, void> {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end))
      from = end + 1
      const large = this.#finish()
      if (large !== undefined) yield* large
      yield
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** Hands over what stands after the last line's end, if anything does. */
  end(): void {
    const steps = this.#bytes > 0 ? this.#finish() : undefined
    while (steps?.next().done === false);
  }

  /** The first bytes of a line whose end has not come, as text; empty when there is none. */
  unfinished(bytes: number): string {
    const [first] = this.#head === undefined ? this.#parts : [this.#head]
    return first?.subarray(0, bytes).toString('utf8') ?? ''
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    this.#parts.push(part)
    if (this.#bytes <= this.#options.maxBytes) return
    this.#head ??= firstBytes(this.#parts)
    this.#parts = [lastBytes(this.#parts)]
  }

  /** Hands the line over, or answers with the steps that it takes to do so. */
  #finish(): Generator<undefined, void> | undefined {
    const { large, onLongLine } = this.#options
    const parts = this.#parts
    const bytes = this.#bytes
    const head = this.#head
    this.#parts = []
    this.#bytes = 0
    this.#head = undefined
    if (head !== undefined) onLongLine({ head: head.toString(), tail: textOf(parts), bytes })
    else if (large === undefined || bytes < large.fromBytes) this.#handOver(parts)
    else return this.#finishLarge(large, parts)
    return undefined
  }

  *#finishLarge(large: LargeLines, parts: readonly Buffer[]): Generator<undefined, void> {
    if (!(yield* large.take(parts))) this.#handOver(parts)
  }

  #handOver(parts: readonly Buffer[]): void {
    const line = textOf(parts)
    this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}

function textOf(parts: readonly Buffer[]): string {
  const [first] = parts
  return (parts.length === 1 && first ? first : Buffer.concat(parts)).toString('utf8')
}

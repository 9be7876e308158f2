/** Cuts a stream of bytes into lines, without ever holding more than a bound. */

/** How much of a line that is too long is kept at either end. */
const EDGE = 256
const NEWLINE = 0x0a

/** What is left of a line beyond the bound. */
export interface LongLine {
  readonly head: string
  readonly tail: string
  readonly bytes: number
}

export interface LineReaderOptions {
  /** The bound, in bytes without the line's end. */
  readonly maxBytes: number
  readonly onLine: (line: string) => void
  readonly onLongLine: (line: LongLine) => void
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

  /** Like `push`, but goes on only when it is asked to, after each line. Whoever begins goes on to the end. */
  *steps(chunk: Buffer): Generator<undefined, void> {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end))
      from = end + 1
      this.#finish()
      yield
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** Hands over what stands after the last line's end, if anything does. */
  end(): void {
    if (this.#bytes > 0) this.#finish()
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
    const joined = Buffer.concat(this.#parts)
    this.#head ??= Buffer.from(joined.subarray(0, EDGE))
    this.#parts = [Buffer.from(joined.subarray(-EDGE))]
  }

  #finish(): void {
    const [first] = this.#parts
    const line = (this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts)).toString('utf8')
    const bytes = this.#bytes
    const head = this.#head?.toString('utf8')
    this.#parts = []
    this.#bytes = 0
    this.#head = undefined
    if (head !== undefined) this.#options.onLongLine({ head, tail: line, bytes })
    else this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}

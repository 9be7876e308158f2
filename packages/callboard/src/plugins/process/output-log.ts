/** Writes what a process says to the host's log: by line, cut, no faster than a log can bear. */
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { findFlood, linesIn } from './flood.ts'
import { LineReader } from './line-reader.ts'
import { saysWhy } from './says-why.ts'

const MAX_LINE_BYTES = 4096
/** Lines that may come at once, and a second after that. */
const BURST = 200
const LINES_A_SECOND = 20
const LAST_LINES = 6
const LAST_LINE_LENGTH = 300

/** One stream of one process. Its last lines are kept, since they usually say why it ended. */
export class OutputLog {
  readonly #log: Log
  readonly #secrets: Secrets
  readonly #stream: string
  readonly #reader: LineReader
  readonly #takes: ((line: string) => boolean) | undefined
  /** Whether a line is yet to come that is for the host itself, so that none may go unread. */
  #isAwaiting: boolean
  #last: string[] = []
  #allowance = BURST
  #refilled = performance.now()
  #leftOut = 0

  /**
   * `log` names the plugin, `stream` what is read; `secrets` are replaced before anything is cut. What `takes` answers
   * true to is for the host itself and not logged.
   */
  constructor(log: Log, stream: string, secrets: Secrets, takes?: (line: string) => boolean) {
    this.#log = log
    this.#secrets = secrets
    this.#stream = stream
    this.#takes = takes
    this.#isAwaiting = takes !== undefined
    this.#reader = new LineReader({
      maxBytes: MAX_LINE_BYTES,
      onLine: (line) => {
        if (this.#takes?.(line) === true) this.#isAwaiting = false
        else this.write(line)
      },
      onLongLine: ({ head, bytes }) => this.write(`${secrets.redactPiece(head, { end: true })}… (${bytes} bytes)`),
    })
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    const steps = this.steps(chunk)
    while (steps.next().done !== true);
  }

  /**
   * Like `push`, line by line; a line costs nothing beyond its own time. Of many that may not be written only the last ones
   * are looked at.
   */
  *steps(chunk: Buffer): Generator<number, void> {
    this.#refill()
    const wanted = { first: Math.floor(this.#allowance), last: LAST_LINES }
    const flood = this.#isAwaiting ? undefined : findFlood(chunk, wanted)
    for (const _ of this.#reader.steps(chunk.subarray(0, flood?.from))) yield 0
    if (flood === undefined) return
    this.#leftOut += linesIn(chunk, flood)
    for (const _ of this.#reader.steps(chunk.subarray(flood.to))) yield 0
  }

  /** The stream has ended. */
  end(): void {
    this.#reader.end()
    this.#tellLeftOut()
  }

  /** The last lines, oldest first; empty when there were none. */
  get lastLines(): readonly string[] {
    return this.#last
  }

  /** Takes one line; of one that is longer than `maxLength`, its beginning. */
  write(line: string, maxLength: number = MAX_LINE_BYTES): void {
    const excerpt = this.#secrets.excerpt(line, maxLength)
    const words = line.length > maxLength ? `${excerpt}…` : excerpt.trimEnd()
    if (words === '') return
    if (saysWhy(words)) this.#last.push(words.slice(0, LAST_LINE_LENGTH))
    if (this.#last.length > LAST_LINES) this.#last.shift()
    if (!this.#mayWrite()) {
      this.#leftOut += 1
      return
    }
    this.#tellLeftOut()
    this.#log.info({ stream: this.#stream }, words)
  }

  #refill(): void {
    const now = performance.now()
    this.#allowance = Math.min(BURST, this.#allowance + ((now - this.#refilled) / 1000) * LINES_A_SECOND)
    this.#refilled = now
  }

  #mayWrite(): boolean {
    this.#refill()
    if (this.#allowance < 1) return false
    this.#allowance -= 1
    return true
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return
    this.#log.warn({ stream: this.#stream, lines: this.#leftOut }, 'lines were left out: it writes too much')
    this.#leftOut = 0
  }
}

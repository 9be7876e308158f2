/** Reads a stream with a bounded amount of work in each turn of the event loop, so that a flood stops nobody else. */
import type { Readable } from 'node:stream'

/** How long the work of one stream may hold everybody else up in one turn. */
const TURN_MS = 1
/** Work that goes on after its step, in promises, is not in that time; so many such steps are enough for a turn. */
const TURN_COST = 16

/** Cuts a chunk into steps, each of which answers what it costs beyond its own time. */
export type OutputSteps = (chunk: Buffer) => Iterator<number, void>

/** While work is left over the stream is paused, so a writer that is too fast finds its pipe full. */
export class PacedReader {
  readonly #stream: Readable
  #left: Iterator<number, void> | undefined
  #turn: NodeJS.Immediate | undefined
  #spentMs = 0
  #spentCost = 0

  /** Begins to read. */
  constructor(stream: Readable, steps: OutputSteps) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => {
      this.finish()
      this.#left = steps(chunk)
      this.#work()
    })
  }

  /** Does at once what is left of the last chunk: the stream has ended. */
  finish(): void {
    while (this.#left?.next().done === false);
    this.#left = undefined
  }

  #work(): void {
    this.#turn ??= setImmediate(() => this.#nextTurn())
    if (!this.#step()) this.#stream.pause()
  }

  #nextTurn(): void {
    this.#turn = undefined
    this.#spentMs = 0
    this.#spentCost = 0
    if (this.#left !== undefined) this.#work()
    if (this.#left === undefined && this.#stream.isPaused()) this.#stream.resume()
  }

  /** Works until nothing is left or the turn is used up; answers whether there is room for more. */
  #step(): boolean {
    const startedAt = performance.now() - this.#spentMs
    while (this.#left !== undefined && this.#spentCost < TURN_COST && this.#spentMs < TURN_MS) {
      const { done, value } = this.#left.next()
      if (done === true) this.#left = undefined
      else this.#spentCost += value
      this.#spentMs = performance.now() - startedAt
    }
    return this.#left === undefined && this.#spentCost < TURN_COST && this.#spentMs < TURN_MS
  }
}

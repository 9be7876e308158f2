/** The one clock of all open answers: lets each of them give a sign of life before something in between gives up. */

/** An answer that takes long. */
export interface Waiting {
  /** Called at each beat while it is registered. */
  beat(): void
}

export class Heartbeat {
  readonly #waiting = new Set<Waiting>()
  readonly #timer: NodeJS.Timeout

  /** `intervalMs` lies between two beats. The clock keeps no process alive. */
  constructor(intervalMs: number) {
    this.#timer = setInterval(() => {
      for (const answer of this.#waiting) answer.beat()
    }, intervalMs)
    this.#timer.unref()
  }

  add(answer: Waiting): void {
    this.#waiting.add(answer)
  }

  delete(answer: Waiting): void {
    this.#waiting.delete(answer)
  }

  /** Ends the clock for good. */
  stop(): void {
    clearInterval(this.#timer)
    this.#waiting.clear()
  }
}

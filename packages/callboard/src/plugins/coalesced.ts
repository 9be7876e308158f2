/** Runs a task after a short quiet, once for many requests, and never twice at a time. */

export class Coalesced {
  readonly #task: () => Promise<void>
  readonly #quietMs: number
  #timer: NodeJS.Timeout | undefined
  #running = false
  #againAfterMs: number | undefined

  /** `task` must not reject: nobody waits for it. */
  constructor(task: () => Promise<void>, quietMs: number) {
    this.#task = task
    this.#quietMs = quietMs
  }

  /** Asks for a run after the quiet time, or after `afterMs`. What is asked during a run leads to one more. */
  request(afterMs: number = this.#quietMs): void {
    if (this.#running) this.#againAfterMs = Math.min(afterMs, this.#againAfterMs ?? afterMs)
    else this.#timer ??= setTimeout(() => void this.#run(), afterMs)
  }

  /** Forgets what was asked for; a run that is under way comes to its end. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#againAfterMs = undefined
  }

  async #run(): Promise<void> {
    this.#timer = undefined
    this.#running = true
    try {
      await this.#task()
    } finally {
      this.#running = false
      const again = this.#againAfterMs
      this.#againAfterMs = undefined
      if (again !== undefined) this.request(again)
    }
  }
}

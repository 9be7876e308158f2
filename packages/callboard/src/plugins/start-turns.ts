/** Lets only a few starts begin at a time: twenty processes that load at once leave a host no processor to answer with. */
import { availableParallelism } from 'node:os'

/** Who takes longer keeps the others waiting no more: it may well wait for something other than a processor. */
const TURN_MS = 50

/** As many turns as there are processors. */
export class StartTurns {
  readonly #waiting = new Set<() => void>()
  #free = availableParallelism()

  /**
   * Runs `start` in its turn, which ends with the start or after a twentieth of a second. Does nothing where the signal is
   * aborted before.
   */
  async run(start: () => Promise<void>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    if (this.#free > 0) this.#free -= 1
    else if (!(await this.#turn(signal))) return
    const end = this.#once()
    const timer = setTimeout(end, TURN_MS)
    try {
      await start()
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  /** Resolves with whether it has a turn now, or was given up while it waited. */
  #turn(signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const take = (): void => resolve(true)
    const leave = (): void => {
      if (this.#waiting.delete(take)) resolve(false)
    }
    this.#waiting.add(take)
    signal.addEventListener('abort', leave, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  /** Ends a turn, when it is first called. */
  #once(): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const [next] = this.#waiting
      if (next === undefined) this.#free += 1
      else {
        this.#waiting.delete(next)
        next()
      }
    }
  }
}

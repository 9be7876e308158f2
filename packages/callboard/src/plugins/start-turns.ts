/** Lets only a few starts begin at a time: twenty processes that load at once leave a host no processor to answer with. */
import { availableParallelism } from 'node:os'

/** Who takes longer keeps the others waiting no more: it may well wait for something other than a processor. */
const TURN_MS = 50

/** As many turns as there are processors. */
export class StartTurns {
  readonly #waiting: (() => void)[] = []
  #free = availableParallelism()

  /** Runs `start` in its turn, and answers what it does. A turn ends with the start, or after a twentieth of a second. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const end = this.#once()
    const timer = setTimeout(end, TURN_MS)
    try {
      return await start()
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  /** Ends a turn, when it is first called. */
  #once(): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

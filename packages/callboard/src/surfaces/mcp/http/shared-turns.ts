/**
 * Shares the turns of the event loop among works of many steps, so that none of them, and no number of them, stops the
 * rest.
 */

/** How long the steps of one turn may take in all. */
const TURN_MS = 2
/** What a step sets off in promises is not in that time; so many steps are enough for a turn. */
const STEPS = 8

export class SharedTurns {
  #works: Iterator<unknown>[] = []
  #turn: NodeJS.Immediate | undefined

  /** Takes the work's steps from the next turn on, one after the other, alternating with those of the other works. */
  add(work: Iterator<unknown>): void {
    this.#works.push(work)
    this.#turn ??= setImmediate(() => this.#work())
  }

  #work(): void {
    const end = performance.now() + TURN_MS
    for (let step = 0; step < STEPS && performance.now() < end; step += 1) {
      const work = this.#works.shift()
      if (work === undefined) break
      if (work.next().done !== true) this.#works.push(work)
    }
    this.#turn = this.#works.length > 0 ? setImmediate(() => this.#work()) : undefined
  }
}

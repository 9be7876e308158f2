/** Does long work a little at a time, with turns for everybody else in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long the work may hold everybody else up in one turn. */
const TURN_MS = 2

/**
 * What the work returns. It may be gone on with where it yields, which should be after a few milliseconds at most. Rejects
 * with what it throws, or with the reason of the signal.
 */
export async function inTurns<Outcome>(work: Generator<undefined, Outcome>, signal?: AbortSignal): Promise<Outcome> {
  for (let end = performance.now() + TURN_MS; ; ) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() < end) continue
    await nextTurn()
    signal?.throwIfAborted()
    end = performance.now() + TURN_MS
  }
}

/** What belongs to one run of an external plugin, from its start to its end. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PluginProcess } from './plugin-process.ts'

/** How much later than its link a process may end for its last words to be the reason of both. */
const LAST_WORDS_MS = 500

export class RunParts {
  /** Where the host started one. */
  process: PluginProcess | undefined
  readonly #ends: ((reason: string) => unknown)[] = []

  /** Runs `end` when the run is over, before the process is ended; what was added last is ended first. */
  add(end: (reason: string) => unknown): void {
    this.#ends.push(end)
  }

  /** Whatever is asked of a process that has ended is over. */
  whileRunning(signal: AbortSignal): AbortSignal {
    return this.process === undefined ? signal : AbortSignal.any([signal, this.process.gone])
  }

  /** Where the link has ended its process may have too, and says more: the error with its last words. */
  async lastWords(): Promise<unknown> {
    const gone = this.process?.gone
    if (gone === undefined) return undefined
    await delay(LAST_WORDS_MS, undefined, { signal: gone }).catch(() => {})
    return gone.aborted ? gone.reason : undefined
  }

  /** Resolves when nothing of it is left. */
  async release(reason: string): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end(reason)
    await this.process?.end()
  }
}

/** Asks an external plugin from time to time how it is. */
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { ExternalPeer } from './external-peer.ts'

const EVERY_MS = 30_000
const PATIENCE_MS = 5_000

export interface HealthWatchOptions {
  readonly peer: Pick<ExternalPeer, 'health'>
  readonly log: Log
  /** Told after each answer why it is not well, with undefined when it is. */
  readonly onHealth: (trouble: string | undefined) => void
  readonly everyMs?: number | undefined
}

/** Asks at once and then again and again, until it is stopped. */
export class HealthWatch {
  readonly #options: HealthWatchOptions
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(options: HealthWatchOptions) {
    this.#options = options
    void this.#ask()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
  }

  async #ask(): Promise<void> {
    const { onHealth, everyMs = EVERY_MS } = this.#options
    const trouble = await this.#trouble()
    if (this.#stopped.signal.aborted) return
    onHealth(trouble)
    this.#timer = setTimeout(() => void this.#ask(), everyMs)
  }

  async #trouble(): Promise<string | undefined> {
    const late = AbortSignal.timeout(PATIENCE_MS)
    try {
      const health = await this.#options.peer.health(AbortSignal.any([late, this.#stopped.signal]))
      return health.isHealthy ? undefined : health.reason || 'it says that it is not healthy, and not why'
    } catch (error) {
      if (late.aborted) return `it did not say within ${PATIENCE_MS / 1000} s how it is`
      // Who can't be asked says nothing against itself; that a link is gone is told by the link.
      this.#options.log.debug({ reason: messageOf(error) }, 'the plugin does not say how it is')
      return undefined
    }
  }
}

/** Asks a provider more than once where that may help, and not at all for a while after it failed many times in a row. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel'
import { ProviderError, type ProviderFailure, providerErrorOf } from './provider-error.ts'

/** How often a request that failed is sent again. */
const RETRIES = 2
/** Where a provider does not say when to come back: about half a second, then about a second, with jitter. */
const WAITS = new ExponentialBackoff({ initialDelay: 500, maxDelay: 10_000 })

export interface BreakerOptions {
  /** After so many failures in a row a provider is not asked. */
  readonly failures?: number
  /** After so long it is asked by one call, and, if that goes well, by all. */
  readonly pauseMs?: number
}

/** What a request does, and whether it may be sent again after it failed: not when a part of an answer is with the caller. */
export interface Attempt<T> {
  readonly run: () => Promise<T>
  readonly mayRepeat: () => boolean
  readonly signal: AbortSignal
}

export class Attempts {
  readonly #breaker: CircuitBreakerPolicy
  readonly #pauseMs: number
  #last: ProviderFailure | undefined
  #openedAt = 0

  /** @param onChange told when the provider is given a rest, and when that is over */
  constructor(onChange: () => void, { failures = 5, pauseMs = 10_000 }: BreakerOptions = {}) {
    this.#pauseMs = pauseMs
    this.#breaker = circuitBreaker(
      handleWhen((error) => error instanceof ProviderError && error.failure.kind === 'unavailable'),
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: pauseMs },
    )
    this.#breaker.onStateChange((state) => {
      if (state === CircuitState.Open) this.#openedAt = Date.now()
      onChange()
    })
  }

  /** Why the provider is not asked at present, or was not until a call that runs now; undefined while it is. */
  get trouble(): string | undefined {
    if (this.#breaker.state === CircuitState.Closed) return undefined
    const again = new Date(this.#openedAt + this.#pauseMs).toISOString()
    return `unavailable again and again, the last time: ${this.#last?.reason ?? 'it gave no reason'}; it is asked again after ${again}`
  }

  /** What the attempt, or a later one, gives. Throws `ProviderError`, and the reason of the signal. */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    const { signal, mayRepeat } = attempt
    let backoff = WAITS.next()
    for (let left = RETRIES; ; left -= 1) {
      try {
        return await this.#once(attempt)
      } catch (thrown) {
        signal.throwIfAborted()
        if (!(thrown instanceof ProviderError) || !thrown.failure.isPassing || left === 0 || !mayRepeat()) throw thrown
        await delay(thrown.failure.retryAfterMs ?? backoff.duration, undefined, { signal })
        backoff = backoff.next(undefined)
      }
    }
  }

  async #once<T>({ run, signal }: Attempt<T>): Promise<T> {
    try {
      return await this.#breaker.execute(async () => {
        try {
          return await run()
        } catch (thrown) {
          // The end of a call says nothing of the provider.
          if (signal.aborted) throw thrown
          const error = providerErrorOf(thrown)
          if (error.failure.kind === 'unavailable') this.#last = error.failure
          throw error
        }
      })
    } catch (thrown) {
      if (!(thrown instanceof BrokenCircuitError)) throw thrown
      throw new ProviderError({ kind: 'unavailable', reason: this.trouble ?? 'it is unavailable', isPassing: false })
    }
  }
}

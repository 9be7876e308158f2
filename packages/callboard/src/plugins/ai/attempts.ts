/**
 * Asks a provider more than once where that may help, and not at all for a while after it failed many times in a row.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  halfJitterGenerator,
  handleWhen,
} from 'cockatiel'
import { CallboardError } from '../../errors.ts'
import { ProviderError, providerErrorOf } from './provider-error.ts'

/** How often a request that failed is sent again. */
const RETRIES = 2
/**
 * All waits of a call together: a call has a minute, unless the config gives it more. A longer wait is left to the
 * caller.
 */
const PATIENCE_MS = 30_000
/**
 * Where a provider does not say when to come back: 350 to 700 ms, then twice that. Other kinds of jitter may not wait
 * at all.
 */
const WAITS = new ExponentialBackoff({ initialDelay: 700, maxDelay: 10_000, generator: halfJitterGenerator })

export interface BreakerOptions {
  /** After so many failures in a row a provider is not asked. */
  readonly failures?: number
  /** After so long it is asked by one call, and, if that goes well, by all. */
  readonly pauseMs?: number
}

/**
 * What a request does, and whether it may be sent again after it failed: not when a part of an answer is with the
 * caller.
 */
export interface Attempt<T> {
  readonly run: () => Promise<T>
  readonly mayRepeat: () => boolean
  readonly signal: AbortSignal
}

export interface AttemptsOptions extends BreakerOptions {
  /** Told when the provider is given a rest, and when that is over. */
  readonly onChange: () => void
  /** As much of what a provider says as may be shown, without a secret. */
  readonly excerpt: (reason: string) => string
}

export class Attempts {
  readonly #breaker: CircuitBreakerPolicy
  readonly #pauseMs: number
  readonly #excerpt: (reason: string) => string
  /** Why it was unavailable the last time. */
  #last: string | undefined
  #openedAt = 0

  constructor({ onChange, excerpt, failures = 5, pauseMs = 10_000 }: AttemptsOptions) {
    this.#pauseMs = pauseMs
    this.#excerpt = excerpt
    this.#breaker = circuitBreaker(
      handleWhen((error) => this.#isFailure(error)),
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
    return `unavailable again and again, the last time: ${this.#last ?? 'it gave no reason'}; it is asked again after ${again}`
  }

  /** What the attempt, or a later one, gives. Throws `ProviderError`, and the reason of the signal. */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    const { signal, mayRepeat } = attempt
    let backoff = WAITS.next()
    let patienceMs = PATIENCE_MS
    for (let left = RETRIES; ; left -= 1) {
      try {
        return await this.#once(attempt)
      } catch (thrown) {
        signal.throwIfAborted()
        if (!(thrown instanceof ProviderError) || !thrown.failure.isPassing || left === 0 || !mayRepeat()) throw thrown
        const waitMs = thrown.failure.retryAfterMs ?? backoff.duration
        patienceMs -= waitMs
        if (patienceMs < 0) throw thrown
        await delay(waitMs, undefined, { signal })
        backoff = backoff.next(undefined)
      }
    }
  }

  async #once<T>({ run, signal }: Attempt<T>): Promise<T> {
    // The breaker would have it wait for the call that tries the provider, which may take as long as any.
    if (this.#breaker.state === CircuitState.HalfOpen) throw this.#resting()
    try {
      return await this.#breaker.execute(async () => {
        try {
          return await untilAborted(run(), signal)
        } catch (thrown) {
          const error: unknown = signal.aborted ? signal.reason : providerErrorOf(thrown)
          const reason = unavailability(error)
          if (reason !== undefined) this.#last = this.#excerpt(reason)
          throw error
        }
      })
    } catch (thrown) {
      if (!(thrown instanceof BrokenCircuitError)) throw thrown
      throw this.#resting()
    }
  }

  /** A call that was cancelled says nothing of the provider, and ends no rest. */
  #isFailure(error: unknown): boolean {
    if (unavailability(error) !== undefined) return true
    return !(error instanceof ProviderError) && this.#breaker.state === CircuitState.HalfOpen
  }

  #resting(): ProviderError {
    return new ProviderError({ kind: 'unavailable', reason: this.trouble ?? 'it is unavailable', isPassing: false })
  }
}

/** What the error says against the provider as a whole; undefined when that is nothing. */
function unavailability(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.failure.kind === 'unavailable' ? error.failure.reason : undefined
  return error instanceof CallboardError && error.code === 'timeout' ? 'it gave no answer in time' : undefined
}

/** What is asked may wait for something that knows no signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

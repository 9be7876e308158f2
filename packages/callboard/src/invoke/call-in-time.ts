/** One call of a plugin that ends when its time is up or its caller cancels, whatever the plugin does. */
import { CallboardError } from '../errors.ts'
import type { Progress, ToolResult } from '../plugins/plugin.ts'

/** What `setTimeout` can take. */
const LONGEST_MS = 2 ** 31 - 1

export interface CallTime {
  /** Without progress for so long, a call is over. */
  readonly timeoutMs: number
  /** After so long a call is over whatever its progress. */
  readonly maxTimeoutMs: number
  /** The caller's own way to cancel. */
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: Progress) => void) | undefined
}

/** What a running call is given. */
export interface TimedRun {
  /** Aborted, with the error that the caller gets, when the call is over before `run` is. */
  readonly signal: AbortSignal
  /** Passes progress on and starts the time anew. */
  readonly onProgress: (progress: Progress) => void
  /** Lets the time stand still, because something with a time of its own goes on. Returns the way to start it anew. */
  readonly pause: () => () => void
}

/**
 * Settles as `run` does, or throws `timeout` or `cancelled` as soon as that is so, and then aborts the signal that
 * `run` was given. What `run` reports or answers after that is dropped. `name` stands in the messages.
 */
export function callInTime(
  name: string,
  time: CallTime,
  run: (timed: TimedRun) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { signal, onProgress } = time
  if (signal?.aborted) return Promise.reject(cancelled(name))
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>()
  const controller = new AbortController()
  const clock = new CallClock(time, (afterMs) => giveUp(timedOut(name, time, afterMs)))
  let isOver = false

  function end(): boolean {
    if (isOver) return false
    isOver = true
    clock.stop()
    signal?.removeEventListener('abort', cancel)
    return true
  }
  function giveUp(error: CallboardError): void {
    if (!end()) return
    reject(error)
    controller.abort(error)
  }
  const cancel = (): void => giveUp(cancelled(name))
  function report(progress: Progress): void {
    if (isOver) return
    clock.restart()
    onProgress?.(progress)
  }

  signal?.addEventListener('abort', cancel, { once: true })
  run({ signal: controller.signal, onProgress: report, pause: () => clock.pause() }).then(
    (result) => end() && resolve(result),
    (error: unknown) => end() && reject(error),
  )
  return promise
}

/**
 * A single timer. Progress may come a thousand times a second, so it only moves the deadline; the timer looks at it
 * when it goes off.
 */
class CallClock {
  readonly #time: CallTime
  readonly #expire: (afterMs: number) => void
  #start = 0
  #deadline = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(time: CallTime, expire: (afterMs: number) => void) {
    this.#time = time
    this.#expire = expire
    this.#begin()
  }

  restart(): void {
    const { timeoutMs, maxTimeoutMs } = this.#time
    this.#deadline = Math.min(performance.now() + timeoutMs, this.#start + maxTimeoutMs)
  }

  pause(): () => void {
    clearTimeout(this.#timer)
    return () => {
      if (!this.#isStopped) this.#begin()
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #begin(): void {
    const { timeoutMs, maxTimeoutMs } = this.#time
    this.#start = performance.now()
    this.#deadline = this.#start + Math.min(timeoutMs, maxTimeoutMs)
    this.#arm(this.#start)
  }

  #arm(now: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), Math.min(this.#deadline - now, LONGEST_MS))
  }

  /** Timers may go off a fraction of a millisecond early. */
  #look(): void {
    const now = performance.now()
    if (this.#deadline - now > 1) this.#arm(now)
    else this.#expire(now - this.#start)
  }
}

function cancelled(name: string): CallboardError {
  return new CallboardError('cancelled', `the call of ${JSON.stringify(name)} was cancelled`)
}

function timedOut(name: string, time: CallTime, afterMs: number): CallboardError {
  const isMax = afterMs >= time.maxTimeoutMs - 1
  return new CallboardError(
    'timeout',
    isMax
      ? `${JSON.stringify(name)} was not done after ${time.maxTimeoutMs / 1000} s, the longest a call may take`
      : `${JSON.stringify(name)} gave no answer and no progress for ${time.timeoutMs / 1000} s`,
  )
}

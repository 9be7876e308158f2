/** Waits for an application's gate, which may never answer, for no longer than a call may take. */
import { CallboardError } from '../errors.ts'

/** What `setTimeout` can take. */
const LONGEST_MS = 2 ** 31 - 1

/** How long its answer is waited for. */
export interface GateTime {
  readonly timeoutMs: number
  /** The caller's own way to cancel. */
  readonly signal: AbortSignal | undefined
}

/**
 * What `ask` gives. Throws `timeout` or `cancelled` as soon as that is so; what the gate answers after that is dropped.
 * `method` is the gate's, for the message, which says nothing of what was asked: the user may not know that it is
 * there.
 */
export async function gateAnswer<Answer>(
  method: 'allows' | 'admits',
  { timeoutMs, signal }: GateTime,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  if (signal?.aborted) throw cancelled()
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = (): void => reject(cancelled())
  const expire = (): void => reject(timedOut(method, timeoutMs))
  const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_MS))
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([ask(), promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

function cancelled(): CallboardError {
  return new CallboardError('cancelled', 'the call was cancelled before the gate answered')
}

function timedOut(method: string, timeoutMs: number): CallboardError {
  return new CallboardError(
    'timeout',
    `the gate did not answer for ${timeoutMs / 1000} s; see to it that its ${method}() settles, or raise limits.timeout`,
  )
}

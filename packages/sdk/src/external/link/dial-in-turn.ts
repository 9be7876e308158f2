/** Tries several addresses of one peer, the next beside the one before when that says nothing for a while. */
import { setTimeout as delay } from 'node:timers/promises'
import type { NumericAddress } from './address.ts'
import type { Link } from './link.ts'
import { LinkError } from './link-error.ts'

/** What RFC 8305 proposes. A packet to where nobody listens is often answered by nothing. */
const HEAD_START_MS = 250

/**
 * The first link that comes up; others that come up beside it are closed. An address where nobody is hands on to the
 * next at once; any other failure is the answer. `dial` gives up when its signal is aborted. Rejects with the reason of
 * `signal`.
 */
export async function dialInTurn(
  addresses: readonly NumericAddress[],
  dial: (address: NumericAddress, signal: AbortSignal) => Promise<Link>,
  signal: AbortSignal | undefined,
): Promise<Link> {
  const settled = new AbortController()
  const stop = signal === undefined ? settled.signal : AbortSignal.any([signal, settled.signal])
  let before: Promise<unknown> = Promise.resolve()
  const attempts = addresses.map((address, index) => {
    const turn =
      index === 0 ? before : Promise.race([before, delay(index * HEAD_START_MS, undefined, { signal: stop })])
    const attempt = turn.then(() => dial(address, stop))
    attempt.catch((error: unknown) => {
      if (!isElsewhere(error)) settled.abort(error)
    })
    before = attempt.catch(() => {})
    return attempt
  })
  try {
    const link = await Promise.any(attempts)
    for (const attempt of attempts) attempt.then((other) => other === link || other.close()).catch(() => {})
    return link
  } catch (thrown) {
    signal?.throwIfAborted()
    const errors: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown]
    throw settled.signal.aborted ? settled.signal.reason : errors.at(-1)
  } finally {
    settled.abort()
  }
}

/** Whether the peer may be found at another address all the same. */
function isElsewhere(error: unknown): boolean {
  return error instanceof LinkError && (error.kind === 'unreachable' || error.kind === 'timeout')
}

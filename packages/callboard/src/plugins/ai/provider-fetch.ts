/** A `fetch` for model providers: it follows no redirect, and what it reads for one answer is bounded. */
import { patientFetch } from '../patient-fetch.ts'
import { ProviderError } from './provider-error.ts'

/** Far more than a model writes. For all bodies of an answer together, as they are after decoding. */
const ANSWER_MAX_MIB = 16
/** The SDK asks Google again for as long as that says that there is more. */
const REQUESTS_MAX = 16
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * One for each answer. The SDK gives it nothing but an address and what goes there. It throws `ProviderError` for a
 * redirect, since the prompt would go to an address that is not in the config, and for a request too many; the body of
 * an answer that is too large throws one too, and its request is cut.
 */
export function createProviderFetch(): typeof fetch {
  const bound: Bound = { bytesLeft: ANSWER_MAX_MIB * 1024 ** 2 }
  let requestsLeft = REQUESTS_MAX
  return async (input, init) => {
    requestsLeft -= 1
    if (requestsLeft < 0) throw unreadable(`it wants to be asked more than ${REQUESTS_MAX} times for one answer`)
    const url = input instanceof Request ? input.url : input
    const response = await patientFetch(url, { ...init, redirect: 'manual' })
    const { body, status, statusText, headers } = response
    if (REDIRECTS.includes(status)) {
      await body?.cancel()
      throw redirected(status, headers.get('location'), url)
    }
    return body === null ? response : new Response(bounded(body, bound), { status, statusText, headers })
  }
}

interface Bound {
  bytesLeft: number
}

function bounded(body: ReadableStream<Uint8Array>, bound: Bound): ReadableStream<Uint8Array> {
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bound.bytesLeft -= chunk.byteLength
      if (bound.bytesLeft < 0)
        throw unreadable(`it sent more than the ${ANSWER_MAX_MIB} MiB that are read of an answer`)
      controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(count)
}

function unreadable(reason: string): ProviderError {
  return new ProviderError({ kind: 'unreadable', reason, isPassing: false })
}

function redirected(status: number, location: string | null, from: string | URL): ProviderError {
  const to = location === null ? null : URL.parse(location, from)
  // What follows the path may be a secret of the provider's.
  const where = to !== null && /^https?:$/.test(to.protocol) ? `${to.origin}${to.pathname}` : 'another address'
  const reason = `status ${status}: it redirects to ${where}, which is not followed`
  return new ProviderError({ kind: 'unreadable', reason, status, isPassing: false })
}

/** A `fetch` for model providers: it follows no redirect, and an answer beyond a bound ends with an error. */
import { patientFetch } from '../patient-fetch.ts'
import { ProviderError } from './provider-error.ts'

/** Far more than a model writes. For a body as it is after decoding, and for a stream as a whole. */
const ANSWER_MAX_MIB = 16

/**
 * The SDK sends nothing but an address and what goes there. Throws `ProviderError` for a redirect: the prompt would go to an
 * address that is not in the config. The body of an answer that is too large throws one too, and its request is cut.
 */
export const providerFetch: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : input
  const response = await patientFetch(url, { ...init, redirect: 'manual' })
  const { body, status, statusText, headers } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    throw redirected(status, headers.get('location'), url)
  }
  return body === null ? response : new Response(bounded(body), { status, statusText, headers })
}

function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let left = ANSWER_MAX_MIB * 1024 ** 2
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) throw tooLarge()
      controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(count)
}

function tooLarge(): ProviderError {
  const reason = `it sent more than the ${ANSWER_MAX_MIB} MiB that are read of an answer`
  return new ProviderError({ kind: 'unreadable', reason, isPassing: false })
}

function redirected(status: number, location: string | null, from: string | URL): ProviderError {
  const to = location === null ? null : URL.parse(location, from)
  // What follows the path may be a secret of the provider's.
  const where = to === null ? 'another address' : `${to.origin}${to.pathname}`
  const reason = `status ${status}: it redirects to ${where}, which is not followed`
  return new ProviderError({ kind: 'unreadable', reason, status, isPassing: false })
}

/** A `fetch` that waits for as long as its caller does. */
import type { Dispatcher } from 'undici'

/** Read when the first request goes out: a command that makes none need not wait for it. */
let client: Promise<{ readonly fetch: typeof import('undici').fetch; readonly dispatcher: Dispatcher }> | undefined

/** Like the global one, but for its limit on silence: five minutes, where the config may allow a call more. */
export async function patientFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  client ??= openClient()
  const { fetch, dispatcher } = await client
  const { body, status, statusText, headers } = await fetch(url, { ...init, dispatcher })
  return new Response(body, { status, statusText, headers })
}

/** What the process sends its requests with stays in place, a proxy for one. */
async function openClient(): Promise<Awaited<NonNullable<typeof client>>> {
  const { fetch, getGlobalDispatcher } = await import('undici')
  const dispatcher = getGlobalDispatcher().compose(
    (dispatch) => (options, handler) => dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  )
  return { fetch, dispatcher }
}

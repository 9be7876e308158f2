/** Offers a host's tools over HTTP at an address of their own, to whom the config lets in. */
import { messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { hostEndpoint } from './host-endpoint.ts'
import type { Caller } from './http/caller.ts'
import { serveHttp } from './http/serve-http.ts'
import { authenticateFor } from './token-callers.ts'

/** An HTTP endpoint that is open. */
export interface HttpOffer {
  /** Where clients connect. */
  readonly url: string
  /** Refuses what is new, ends what is running, and resolves when no socket is left. */
  close(): Promise<void>
}

/**
 * How often it is looked whether those who have something open would still be let in: tokens expire, and other
 * processes revoke them.
 */
const LOOK_MS = 1_000

/** Listens where the config says. Rejects when the address can't be listened on. */
export async function offerOverHttp(host: Host, options: { readonly only?: string }): Promise<HttpOffer> {
  const endpoint = hostEndpoint(host, { ...options, authenticate: authenticateFor(host), usualExpose: 'catalog' })
  const surface = await serveHttp({ ...endpoint, listen: host.config.http })
  const look = (): void => {
    surface
      .shutOut(noLongerGood())
      .catch((error: unknown) => host.log.error({ reason: messageOf(error) }, 'who is no longer let in was not ended'))
  }
  const looking = setInterval(look, LOOK_MS)
  looking.unref()
  const leave = [
    host.onCatalogChange(() => surface.notifyToolsChanged()),
    host.onPeopleChange(look),
    host.onReconfigure(() => {
      surface.accept(host.config.http)
      look()
    }),
  ]
  return {
    url: surface.url,
    close: async () => {
      clearInterval(looking)
      for (const stop of leave) stop()
      await surface.close()
    },
  }
}

/** Asks once about each caller, however much each has open. */
function noLongerGood(): (caller: Caller) => boolean {
  const answers = new Map<string, boolean>()
  return ({ id, isGood }) => {
    const isGone = answers.get(id) ?? isGood?.() === false
    answers.set(id, isGone)
    return isGone
  }
}

/**
 * The place where one plugin of the existing protocol calls the host back: on this machine, and with certificates of
 * its CA alone.
 */
import { type Credentials, type Link, listenForLinks, type Serve, serveLink } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { CALL_BACK_LIMITS } from '../call-backs.ts'

/** The name of the protocol in the handshake. */
export const PROTOCOL = 'orchestra-plugin'

/** Links of one plugin at a time, which needs one. */
const MAX_LINKS = 8

export interface CallBackOptions {
  readonly credentials: Credentials
  readonly answer: Serve
  /** Names the plugin. */
  readonly log: Log
}

/** Whoever opens one closes it. */
export interface CallBackListener {
  /** Where it listens, as HOST:PORT. */
  readonly address: string
  /** Ends every link that was accepted here. */
  close(): Promise<void>
}

/** Throws `unavailable` where it can't listen. */
export async function listenForCallBacks({ credentials, answer, log }: CallBackOptions): Promise<CallBackListener> {
  const links = new Set<Link>()
  const onLink = (link: Link): void => {
    if (links.size >= MAX_LINKS) {
      link.close(`${MAX_LINKS} links are as many as there may be`)
      return
    }
    links.add(link)
    serveLink(link, answer, CALL_BACK_LIMITS)
      .then(({ message }) => log.info({ reason: message }, 'a link for call-backs has ended'))
      .catch((error: unknown) => log.error({ err: error }, 'a link for call-backs failed in the host'))
      .finally(() => links.delete(link))
  }
  try {
    const listener = await listenForLinks('quic', {
      address: { host: '127.0.0.1', port: 0 },
      credentials,
      protocols: [PROTOCOL],
      onLink,
      onRefused: (from, error) =>
        log.warn({ from, kind: error.kind, reason: error.message }, 'a link for call-backs was refused'),
    })
    const { host, port } = listener.address
    return { address: `${host}:${port}`, close: () => listener.close() }
  } catch (error) {
    throw new CallboardError('unavailable', `the host can't listen for its call-backs: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

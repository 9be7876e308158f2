/** Opens the link to an external plugin: over QUIC, or over TLS where QUIC can't be used at one of both ends. */
import {
  type Address,
  type Credentials,
  dialLink,
  type Link,
  LinkError,
  pluginUri,
  type Transport,
  whyNoQuic,
} from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'

const PROTOCOL = 'callboard/1'

/** What to try, the first one first. */
export async function transportsFor(asked: Transport | undefined): Promise<readonly [Transport, ...Transport[]]> {
  if (asked !== undefined) return [asked]
  return (await whyNoQuic()) === undefined ? ['quic', 'tls'] : ['tls']
}

export interface OpenLinkOptions {
  readonly pluginId: string
  readonly address: Address
  /** As {@link transportsFor} gave them. */
  readonly transports: readonly [Transport, ...Transport[]]
  readonly credentials: Credentials
  readonly log: Log
}

/** Rejects with `CallboardError`, or with the reason of the signal. */
export async function openLink(options: OpenLinkOptions, signal: AbortSignal): Promise<Link> {
  const { pluginId, address, transports, credentials, log } = options
  const [first, second] = transports
  const dial = (transport: Transport): Promise<Link> =>
    dialLink(transport, { address, credentials, protocols: [PROTOCOL], expects: pluginUri(pluginId), signal })
  try {
    return await dial(first).catch((error: unknown) => {
      // Nobody is there who speaks it; whoever answers and refuses would do that over the other one too.
      const isSilent = error instanceof LinkError && (error.kind === 'unreachable' || error.kind === 'timeout')
      if (second === undefined || !isSilent) throw error
      log.info({ reason: error.message }, `the plugin is not there over ${first}; ${second} is tried`)
      return dial(second)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new CallboardError('unavailable', `no link to it: ${messageOf(error)}`, { cause: error })
  }
}

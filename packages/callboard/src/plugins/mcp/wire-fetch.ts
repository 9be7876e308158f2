/** The `fetch` of a wire over HTTP: bounded, and large and too long messages go to the wire. */
import type { FetchLike } from '@modelcontextprotocol/client'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { OutputLog } from '../process/output-log.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { MAX_MESSAGE_BYTES } from './messages.ts'
import type { Wire } from './wire.ts'

/** Whoever takes the wire's messages may be set later. */
export function wireFetch(
  wire: Pick<Wire, 'onLongMessage' | 'onLargeAnswer'>,
  { log, secrets }: { readonly log: Log; readonly secrets: Secrets },
): FetchLike {
  const leftOut = new OutputLog(log, 'HTTP, left out', secrets)
  return boundedFetch({
    maxBytes: MAX_MESSAGE_BYTES,
    onLongEvent: (edges, reason) => {
      log.warn(reason)
      wire.onLongMessage?.(edges, reason)
    },
    onLargeAnswer: (answer) => wire.onLargeAnswer?.(answer) ?? false,
    onLeftOut: (reason, edges) => {
      leftOut.write(reason)
      if (edges !== undefined) wire.onLongMessage?.(edges, reason)
    },
  })
}

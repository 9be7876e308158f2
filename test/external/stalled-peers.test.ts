/** A peer that lets nobody open a stream, or takes no bytes: whoever asks it is free when the signal says so. */
import { Asker, type LinkStream, type Transport } from '@callboard/sdk/external'
import { describe, expect, test } from 'vitest'
import { PluginPeer } from '../../packages/callboard/src/plugins/external/plugin-peer.ts'
import { type LinkPair, openPair } from '../link/link-pair.ts'

/** As many as a peer may have open. */
const MAX_STREAMS = 256
/** More than a stream takes that nobody reads. */
const LONG = 'x'.repeat(2 * 1024 * 1024)

type Asking = (pair: LinkPair, software: string, signal: AbortSignal) => Promise<unknown>

const ask =
  (isShared: boolean): Asking =>
  ({ dialled }, software, signal) =>
    new Asker(dialled).ask({ case: 'hello', value: { version: 1, software } }, { isShared, signal })

const ASKINGS: [string, Asking][] = [
  ['a request on a stream of its own', ask(false)],
  ['a request on the shared stream', ask(true)],
  [
    'the greeting',
    ({ dialled: link }, software, signal) => PluginPeer.greet(link, { pluginId: 'a/b', software, signal }),
  ],
]

/** Fails as a start does whose time is up, once the asking has come to its stop. */
async function givenUp(asking: Asking, pair: LinkPair, software: string): Promise<void> {
  const enough = new AbortController()
  const asked = asking(pair, software, enough.signal)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  enough.abort(new Error('not started in time'))
  await expect(asked).rejects.toThrow('not started in time')
}

describe.each<Transport>(['quic', 'tls'])('over %s', (transport) => {
  test.each(ASKINGS)('%s does not wait for a stream longer than its signal says', async (_what, asking) => {
    await using pair = await openPair(transport)
    const streams: LinkStream[] = []
    while (streams.length < MAX_STREAMS) streams.push(await pair.dialled.openStream())
    await givenUp(asking, pair, 'test')
  })

  test.each(ASKINGS)('%s does not wait for room in its stream longer than its signal says', async (_what, asking) => {
    await using pair = await openPair(transport)
    await givenUp(asking, pair, LONG)
  })
})

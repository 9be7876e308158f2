/** Links over bad networks: loss, another order, cuts, and silence. */
import type { Address, Link, Transport } from '@callboard/sdk/external'
import { afterEach, describe, expect, test } from 'vitest'
import { type Faults, type FaultyProxy, startProxy } from './faulty-proxy.ts'
import { echoStreams, type LinkPair, openPair, openStreamPair, readAll, type TestTerms } from './link-pair.ts'

/** Outlived by no cut of these tests. */
const IDLE_MS = 400

const open: AsyncDisposable[] = []

afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing[Symbol.asyncDispose]()
})

async function openThrough(
  transport: Transport,
  terms: TestTerms,
  faults: Faults = {},
): Promise<LinkPair & { readonly proxy: FaultyProxy }> {
  let proxy: FaultyProxy | undefined
  const pair = await openPair(transport, terms, async (address: Address) => {
    proxy = await startProxy(transport, address, faults)
    open.push(proxy)
    return proxy.address
  })
  open.push(pair)
  if (proxy === undefined) throw new Error('the pair was opened without its proxy')
  return { ...pair, proxy }
}

async function echoOf(link: Link, bytes: Buffer): Promise<Buffer> {
  const stream = await link.openStream()
  const [read] = await Promise.all([readAll(stream), stream.write(bytes).then(() => stream.end())])
  return read
}

test('with one packet in eight lost and one in eight late, every byte of every stream arrives once', async () => {
  const { dialled, accepted } = await openThrough('quic', {}, { loss: 0.125, swaps: 0.125 })
  void echoStreams(accepted)
  const sent = Array.from({ length: 20 }, (_, index) => Buffer.alloc(30_000, index + 1))
  const echoed = await Promise.all(sent.map((bytes) => echoOf(dialled, bytes)))
  expect(echoed.map((bytes, index) => bytes.equals(sent[index] ?? Buffer.of()))).toEqual(sent.map(() => true))
})

describe.each<Transport>(['quic', 'tls'])('over a bad network, %s', (transport) => {
  test('a link lives through a cut of five seconds', { timeout: 40_000 }, async () => {
    const { dialled, accepted, proxy } = await openThrough(transport, {})
    void echoStreams(accepted)
    proxy.cut()
    const mended = new Promise<void>((resolve) => {
      setTimeout(() => {
        proxy.mend()
        resolve()
      }, 5_000)
    })
    const bytes = Buffer.alloc(100_000, 3)
    const echoed = echoOf(dialled, bytes)
    await mended
    expect((await echoed).equals(bytes)).toBe(true)
  })

  test('a link without a sign of life ends at both ends, and everything on it', async () => {
    const { dialled, accepted, proxy } = await openThrough(transport, { idleMs: IDLE_MS })
    const [opened] = await openStreamPair(dialled, accepted)
    const reading = expect(opened.read()).rejects.toMatchObject({ kind: 'idle' })
    proxy.cut()
    expect(await dialled.ended).toMatchObject({ kind: 'idle', message: expect.stringContaining('for too long') })
    expect(await accepted.ended).toMatchObject({ kind: 'idle' })
    await reading
  })

  test('a link on which nobody says anything is kept alive', async () => {
    const { dialled, accepted, proxy } = await openThrough(transport, { idleMs: IDLE_MS, keepAliveMs: IDLE_MS / 4 })
    const began = performance.now()
    while (performance.now() - began < 3 * IDLE_MS) await proxy.passed(1)
    void echoStreams(accepted)
    expect((await echoOf(dialled, Buffer.from('awake'))).toString()).toBe('awake')
  })
})

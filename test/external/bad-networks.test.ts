/** Calls of a plugin that runs elsewhere, behind a network that loses, swaps and swallows what is sent. */
import { formatAddress, type Transport } from '@callboard/sdk/external'
import { describe, expect, test } from 'vitest'
import { Supervisor } from '../../packages/callboard/src/plugins/supervisor.ts'
import { callPlugin, emptyHost, keptLog, startPlugin, stateReached, textOf } from '../fixtures/plugin-calls.ts'
import { type Faults, startProxy } from '../link/faulty-proxy.ts'
import { startElsewhere } from './elsewhere.ts'
import { externalPlugin } from './external-under-test.ts'

/** The plugin, running behind a proxy, and the host's side of it, which is not started. */
async function behindProxy(transport: Transport, faults: Faults = {}, args: readonly string[] = []) {
  const ends = new AsyncDisposableStack()
  const elsewhere = ends.use(await startElsewhere(transport, ...args))
  const proxy = ends.use(await startProxy(transport, elsewhere.address, faults))
  const target = { kind: 'address', address: formatAddress(proxy.address), transport } as const
  const { plugin } = ends.use(externalPlugin(target, { home: elsewhere.home }))
  return { plugin, proxy, [Symbol.asyncDispose]: () => ends.disposeAsync() }
}

test('with one packet in eight lost and one in eight late, every call has its own answer, and pieces their order', async () => {
  await using network = await behindProxy('quic', { loss: 0.125, swaps: 0.125 })
  const { plugin } = network
  await startPlugin(plugin)
  const asked = Array.from({ length: 40 }, (_, nth) => ({ nth, text: 'x'.repeat(nth * 500) }))
  const answers = await Promise.all(asked.map((args) => callPlugin(plugin, 'echo', args)))
  expect(answers.map((answer) => JSON.parse(textOf(answer)).arguments)).toEqual(asked)
  const pieces: unknown[] = []
  await callPlugin(plugin, 'tell', {}, { onProgress: ({ message }) => pieces.push(message) })
  expect(pieces).toEqual(['Once ', 'upon ', 'a time'])
})

describe.each<Transport>(['quic', 'tls'])('over %s', (transport) => {
  test('calls live through a cut of five seconds, and nobody takes the plugin for dead', {
    timeout: 60_000,
  }, async () => {
    await using network = await behindProxy(transport)
    const { plugin, proxy } = network
    await startPlugin(plugin)
    const states: string[] = []
    plugin.onChange(() => states.push(plugin.health().state))
    proxy.cut()
    setTimeout(() => proxy.mend(), 5_000)
    const answers = await Promise.all([1, 2, 3].map((nth) => callPlugin(plugin, 'echo', { nth })))
    expect(answers.map((answer) => JSON.parse(textOf(answer)).arguments)).toEqual([{ nth: 1 }, { nth: 2 }, { nth: 3 }])
    expect(states).not.toContain('down')
  })

  test('a cut that lasts too long fails the calls with their own code, and then the plugin is dialled again', {
    timeout: 60_000,
  }, async () => {
    await using network = await behindProxy(transport, {}, ['--idle', '1500'])
    const { plugin, proxy } = network
    await using supervisor = new Supervisor({ hostOf: emptyHost, log: keptLog().log, initialDelayMs: 1 })
    supervisor.add(plugin, 30_000)
    await supervisor.start()
    const waiting = callPlugin(plugin, 'wait')
    proxy.cut()
    // Over TLS it is the plugin that has had enough by then, and this is when the host hears of it.
    setTimeout(() => proxy.mend(), 6_000)
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
    await stateReached(plugin, 'up')
    expect(JSON.parse(textOf(await callPlugin(plugin, 'echo', { nth: 4 }))).arguments).toEqual({ nth: 4 })
  })
})

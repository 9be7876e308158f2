/** How much of what is published waits for one plugin. */
import { expect, test } from 'vitest'
import { EventBus, type PluginEvent } from '../../packages/callboard/src/plugins/external/orchestra/event-bus.ts'
import { Subscriptions } from '../../packages/callboard/src/plugins/external/orchestra/subscriptions.ts'
import { keptLog } from '../fixtures/plugin-calls.ts'

test('what waits for a plugin is bound by its bytes as by its number, and there is room again when it took some', async () => {
  const bus = new EventBus()
  const { log, lines } = keptLog()
  const subscriptions = new Subscriptions(bus, log)
  const told: PromiseWithResolvers<void>[] = []
  subscriptions.open(() => {
    const taken = Promise.withResolvers<void>()
    told.push(taken)
    return taken.promise
  })
  for (let index = 0; index < 256; index++) subscriptions.add(`s${index}`, { topic: 't', filters: {} })
  const publish = (bytes: number): void => {
    const event: PluginEvent = { topic: 't', eventType: 'e', payload: undefined, bytes, sourcePlugin: 'acme/other' }
    bus.publish(event)
  }
  publish(64 * 1024)
  expect(told).toHaveLength(8)
  expect(lines).toEqual([expect.objectContaining({ msg: expect.stringContaining('some are dropped') })])
  for (const { resolve } of told) resolve()
  await new Promise((resolve) => setImmediate(resolve))
  publish(2)
  expect(told).toHaveLength(8 + 64)
  subscriptions.end()
})

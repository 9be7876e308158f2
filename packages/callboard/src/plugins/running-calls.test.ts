import { expect, test } from 'vitest'
import type { Plugin, ToolCall, ToolResult } from './plugin.ts'
import { RunningCalls } from './running-calls.ts'
import { ListedPlugin } from './testing/listed-plugin.ts'

const call = {} as ToolCall
const never = new AbortController().signal

/** A plugin whose calls end when the test says so. */
function heldPlugin() {
  const calls: PromiseWithResolvers<ToolResult>[] = []
  const plugin: Plugin = Object.assign(new ListedPlugin('held', ['hold']), {
    call: () => {
      const held = Promise.withResolvers<ToolResult>()
      calls.push(held)
      return held.promise
    },
  })
  return { plugin, calls }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  // A turn of the event loop is more than every step that is due.
  const late = new Promise((resolve) => setImmediate(() => resolve(open)))
  return (await Promise.race([promise, late])) !== open
}

test('a plugin is idle when its last call has ended, well or badly', async () => {
  const running = new RunningCalls()
  const { plugin, calls } = heldPlugin()
  const callee = running.counted(plugin)
  const [first, second] = [callee.call(call), callee.call(call)]
  const idle = running.idle(plugin, never)
  expect(running.on(plugin)).toBe(2)
  calls[0]?.resolve({ content: [] })
  await first
  expect(await isSettled(idle)).toBe(false)
  calls[1]?.reject(new Error('broken'))
  await expect(second).rejects.toThrow('broken')
  await idle
  expect(running.on(plugin)).toBe(0)
})

test('a plugin without calls is idle at once', async () => {
  await new RunningCalls().idle(heldPlugin().plugin, never)
})

test('nobody waits for its calls after the signal', async () => {
  const running = new RunningCalls()
  const { plugin, calls } = heldPlugin()
  const answer = running.counted(plugin).call(call)
  const stop = new AbortController()
  const idle = running.idle(plugin, stop.signal)
  stop.abort()
  await idle
  await running.idle(plugin, stop.signal)
  calls[0]?.resolve({ content: [] })
  await answer
})

test('two plugins of one id are counted apart', async () => {
  const running = new RunningCalls()
  const [old, next] = [heldPlugin(), heldPlugin()]
  void running.counted(next.plugin).call(call)
  await running.idle(old.plugin, never)
  expect([running.on(old.plugin), running.on(next.plugin)]).toEqual([0, 1])
  expect(running.counted(old.plugin)).toBe(running.counted(old.plugin))
})

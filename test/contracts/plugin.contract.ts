/** What every kind of plugin promises by the port `Plugin`; each kind runs this suite. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plugin } from '../../packages/callboard/src/plugins/plugin.ts'
import { callPlugin, changed, startPlugin, textOf } from '../fixtures/plugin-calls.ts'

/**
 * A plugin that gives these tools: `echo` answers JSON with its `arguments` and `meta` in a text; `progress {steps}` sends so
 * many steps and then answers; `wait` sends one step of progress and then waits for its cancellation; `odd {kind}` answers
 * `content` of several kinds with fields that nobody knows, or `error`, a result with `isError`.
 */
export interface PluginUnderTest extends AsyncDisposable {
  readonly plugin: Plugin
}

/** Declares the suite; `make` gives a plugin that was never started. */
export function pluginContract(name: string, make: () => Promise<PluginUnderTest>): void {
  describe(`the port Plugin, kept by ${name}`, () => {
    let subject: PluginUnderTest
    let plugin: Plugin

    beforeEach(async () => {
      subject = await make()
      plugin = subject.plugin
    })
    afterEach(async () => {
      await plugin.stop()
      await subject[Symbol.asyncDispose]()
    })

    test('before its start it is stopped and refuses calls', async () => {
      expect(plugin.health().state).toBe('stopped')
      await expect(callPlugin(plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
    })

    test('once started it is up and its tools carry its id', async () => {
      await startPlugin(plugin)
      expect(plugin.health().state).toBe('up')
      expect(plugin.tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['echo', 'progress', 'wait', 'odd']))
      expect(new Set(plugin.tools.map((tool) => tool.package))).toEqual(new Set([plugin.id]))
    })

    test('it cannot be started twice at a time', async () => {
      await startPlugin(plugin)
      await expect(startPlugin(plugin)).rejects.toThrow(plugin.id)
      expect(plugin.health().state).toBe('up')
    })

    test('arguments and _meta reach the tool as they were given', async () => {
      await startPlugin(plugin)
      const args = { text: 'ä🎭', nested: { list: [1, null, true] }, empty: '' }
      const result = await callPlugin(plugin, 'echo', args, { meta: { 'acme.example/trace': 'abc' } })
      const seen = JSON.parse(textOf(result))
      expect(seen.arguments).toEqual(args)
      expect(seen.meta).toMatchObject({ 'acme.example/trace': 'abc' })
    })

    test('content of every kind and unknown fields come back untouched', async () => {
      await startPlugin(plugin)
      const result = await callPlugin(plugin, 'odd', { kind: 'content' })
      expect(result.content.map((block) => block.type)).toContain('hologram')
      expect(result.future).toEqual({ field: true })
      expect(result._meta).toMatchObject({ 'acme.example/trace': { a: [1, null] } })
    })

    test('a result that is an error comes back as one', async () => {
      await startPlugin(plugin)
      expect(await callPlugin(plugin, 'odd', { kind: 'error' })).toMatchObject({ isError: true })
    })

    test('all progress arrives in order before the result', async () => {
      await startPlugin(plugin)
      const seen: unknown[] = []
      await callPlugin(plugin, 'progress', { steps: 5 }, { onProgress: (step) => seen.push(step) })
      expect(seen).toEqual([1, 2, 3, 4, 5].map((step) => ({ progress: step, total: 5, message: `step ${step}` })))
    })

    test('calls run side by side', async () => {
      await startPlugin(plugin)
      const numbers = Array.from({ length: 50 }, (_, number) => number)
      const results = await Promise.all(numbers.map((number) => callPlugin(plugin, 'echo', { number })))
      expect(results.map((result) => JSON.parse(textOf(result)).arguments.number)).toEqual(numbers)
    })

    test('a cancelled call settles at once and leaves the plugin up', async () => {
      await startPlugin(plugin)
      const caller = new AbortController()
      const waiting = callPlugin(plugin, 'wait', {}, { signal: caller.signal, onProgress: () => caller.abort() })
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
      expect(textOf(await callPlugin(plugin, 'progress'))).toBe('done')
    })

    test('a call whose signal is aborted already does not run', async () => {
      await startPlugin(plugin)
      const call = callPlugin(plugin, 'echo', {}, { signal: AbortSignal.abort() })
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    })

    test('listeners hear of every state until they are taken back', async () => {
      const heard: string[] = []
      const unsubscribe = plugin.onChange(() => heard.push(plugin.health().state))
      await startPlugin(plugin)
      await plugin.stop()
      unsubscribe()
      await startPlugin(plugin)
      expect(heard.filter((state, index) => state !== heard[index - 1])).toEqual(['starting', 'up', 'stopped'])
    })

    test('stopped, it refuses calls, fails those that run, and keeps its tools', async () => {
      await startPlugin(plugin)
      const running = Promise.withResolvers<void>()
      const waiting = callPlugin(plugin, 'wait', {}, { onProgress: () => running.resolve() })
      const failed = expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
      await running.promise
      await plugin.stop()
      await failed
      expect(plugin.health().state).toBe('stopped')
      await expect(callPlugin(plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
      expect(plugin.tools.map((tool) => tool.name)).toContain('echo')
    })

    test('to stop it is harmless when it does not run, also twice', async () => {
      await plugin.stop()
      await Promise.all([plugin.stop(), plugin.stop()])
      expect(plugin.health().state).toBe('stopped')
    })

    test('it starts again after every stop', async () => {
      for (let round = 0; round < 3; round++) {
        await startPlugin(plugin)
        expect(textOf(await callPlugin(plugin, 'progress'))).toBe('done')
        await plugin.stop()
      }
    })

    test('a start that is aborted rejects, and a later one works', async () => {
      await expect(startPlugin(plugin, AbortSignal.abort(new Error('no time left')))).rejects.toThrow('no time left')
      expect(plugin.health()).toMatchObject({ state: 'down', reason: expect.stringContaining('no time left') })
      await startPlugin(plugin)
      expect(plugin.health().state).toBe('up')
    })

    test('a stop during the start ends it', async () => {
      const starting = startPlugin(plugin)
      const failed = expect(starting).rejects.toMatchObject({ code: 'unavailable' })
      await changed(plugin, () => plugin.health().state === 'starting')
      await plugin.stop()
      await failed
      expect(plugin.health().state).toBe('stopped')
    })
  })
}

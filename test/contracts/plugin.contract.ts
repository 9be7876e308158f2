/** What every kind of plugin promises by the port `Plugin`; each kind runs this suite. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Plugin, PluginHost } from '../../packages/callboard/src/plugins/plugin.ts'
import { callPlugin, changed, emptyHost, startPlugin, textOf } from '../fixtures/plugin-calls.ts'

/**
 * A plugin that gives these tools: `echo` answers JSON with its `arguments` and `meta` in a text; `progress {steps}` sends so
 * many steps and then answers; `wait` sends one step of progress and then waits for its cancellation; `odd {kind}` answers
 * `content` of several kinds with fields that nobody knows, or `error`, a result with `isError`.
 */
export interface PluginUnderTest extends AsyncDisposable {
  readonly plugin: Plugin
  /** The host to start it on; by default one on which nothing can be called. */
  readonly host?: PluginHost
  /** Calls one of these tools, where the plugin itself has other ones. */
  readonly call?: typeof callPlugin
}

/** What a plugin of a special nature may have no occasion for. */
type SpecialClause =
  | 'a stop during the start ends it'
  | 'stopped, it fails the calls that run'
  | 'arguments and _meta reach the tool as they were given'
  | 'content of every kind and unknown fields come back untouched'
  | 'all progress arrives in order before the result'

/** Declares the suite; `make` gives a plugin that was never started, `without` says why a clause can't apply to it. */
export function pluginContract(
  name: string,
  make: () => Promise<PluginUnderTest>,
  without: Readonly<Partial<Record<SpecialClause, string>>> = {},
): void {
  const clause = (sentence: SpecialClause, body: () => Promise<void>): void => {
    const reason = without[sentence]
    if (reason === undefined) test(sentence, body)
    else test.skip(`${sentence} (can't apply: ${reason})`, body)
  }

  describe(`the port Plugin, kept by ${name}`, () => {
    let subject: PluginUnderTest
    let plugin: Plugin
    let call: typeof callPlugin

    const start = (signal?: AbortSignal): Promise<void> => startPlugin(plugin, signal, subject.host ?? emptyHost())

    beforeEach(async () => {
      subject = await make()
      plugin = subject.plugin
      call = subject.call ?? callPlugin
    })
    afterEach(async () => {
      await plugin.stop()
      await subject[Symbol.asyncDispose]()
    })

    test('before its start it is stopped and refuses calls', async () => {
      expect(plugin.health().state).toBe('stopped')
      await expect(call(plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
    })

    test('once started it is up and its tools carry its id', async () => {
      await start()
      expect(plugin.health().state).toBe('up')
      expect(plugin.tools).not.toEqual([])
      expect(new Set(plugin.tools.map((tool) => tool.package))).toEqual(new Set([plugin.id]))
    })

    test('it cannot be started twice at a time', async () => {
      await start()
      await expect(start()).rejects.toThrow(plugin.id)
      expect(plugin.health().state).toBe('up')
    })

    clause('arguments and _meta reach the tool as they were given', async () => {
      await start()
      const args = { text: 'ä🎭', nested: { list: [1, null, true] }, empty: '' }
      const result = await call(plugin, 'echo', args, { meta: { 'acme.example/trace': 'abc' } })
      const seen = JSON.parse(textOf(result))
      expect(seen.arguments).toEqual(args)
      expect(seen.meta).toMatchObject({ 'acme.example/trace': 'abc' })
    })

    clause('content of every kind and unknown fields come back untouched', async () => {
      await start()
      const result = await call(plugin, 'odd', { kind: 'content' })
      expect(result.content.map((block) => block.type)).toContain('hologram')
      expect(result.future).toEqual({ field: true })
      expect(result._meta).toMatchObject({ 'acme.example/trace': { a: [1, null] } })
    })

    test('a result that is an error comes back as one', async () => {
      await start()
      expect(await call(plugin, 'odd', { kind: 'error' })).toMatchObject({ isError: true })
    })

    clause('all progress arrives in order before the result', async () => {
      await start()
      const seen: unknown[] = []
      await call(plugin, 'progress', { steps: 5 }, { onProgress: (step) => seen.push(step) })
      expect(seen).toEqual([1, 2, 3, 4, 5].map((step) => ({ progress: step, total: 5, message: `step ${step}` })))
    })

    test('calls run side by side', async () => {
      await start()
      const numbers = Array.from({ length: 50 }, (_, number) => number)
      const results = await Promise.all(numbers.map((number) => call(plugin, 'echo', { number })))
      expect(results.map((result) => JSON.parse(textOf(result)).arguments.number)).toEqual(numbers)
    })

    test('a cancelled call settles at once and leaves the plugin up', async () => {
      await start()
      const caller = new AbortController()
      const waiting = call(plugin, 'wait', {}, { signal: caller.signal, onProgress: () => caller.abort() })
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
      expect(textOf(await call(plugin, 'progress'))).toBe('done')
    })

    test('a call whose signal is aborted already does not run', async () => {
      await start()
      const aborted = call(plugin, 'echo', {}, { signal: AbortSignal.abort() })
      await expect(aborted).rejects.toMatchObject({ code: 'cancelled' })
    })

    test('listeners hear of every state until they are taken back', async () => {
      const heard: string[] = []
      const unsubscribe = plugin.onChange(() => heard.push(plugin.health().state))
      await start()
      await plugin.stop()
      unsubscribe()
      await start()
      expect(heard.filter((state, index) => state !== heard[index - 1])).toEqual(['starting', 'up', 'stopped'])
    })

    test('stopped, it refuses calls and keeps its tools', async () => {
      await start()
      const { tools } = plugin
      await plugin.stop()
      expect(plugin.health().state).toBe('stopped')
      await expect(call(plugin, 'echo')).rejects.toMatchObject({ code: 'unavailable' })
      expect(plugin.tools).toEqual(tools)
    })

    clause('stopped, it fails the calls that run', async () => {
      await start()
      const running = Promise.withResolvers<void>()
      const waiting = call(plugin, 'wait', {}, { onProgress: () => running.resolve() })
      const failed = expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
      await running.promise
      await plugin.stop()
      await failed
    })

    test('to stop it is harmless when it does not run, also twice', async () => {
      await plugin.stop()
      await Promise.all([plugin.stop(), plugin.stop()])
      expect(plugin.health().state).toBe('stopped')
    })

    test('it starts again after every stop', async () => {
      for (let round = 0; round < 3; round++) {
        await start()
        expect(textOf(await call(plugin, 'progress'))).toBe('done')
        await plugin.stop()
      }
    })

    test('a start that is aborted rejects, and a later one works', async () => {
      await expect(start(AbortSignal.abort(new Error('no time left')))).rejects.toThrow('no time left')
      expect(plugin.health()).toMatchObject({ state: 'down', reason: expect.stringContaining('no time left') })
      await start()
      expect(plugin.health().state).toBe('up')
    })

    clause('a stop during the start ends it', async () => {
      const starting = start()
      const failed = expect(starting).rejects.toMatchObject({ code: 'unavailable' })
      await changed(plugin, () => plugin.health().state === 'starting')
      await plugin.stop()
      await failed
      expect(plugin.health().state).toBe('stopped')
    })
  })
}

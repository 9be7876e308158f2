/** A server that crashed is back at once, one that hangs is found and started again, and a slow one is left alone. */
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import type { Plugin, PluginHost, PluginState } from '../../packages/callboard/src/plugins/plugin.ts'
import { Supervisor, type SupervisorOptions } from '../../packages/callboard/src/plugins/supervisor.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { callPlugin, eventually, isAlive, startPlugin, stateReached, textOf } from '../fixtures/plugin-calls.ts'
import { httpPlugin, mcpPlugin, stdioPlugin } from './mcp-under-test.ts'

const log = createLog(new Secrets(), 'silent')
/** A hang is found quickly, so that the tests are. */
const hasty = { timeouts: { pingMs: 200, silenceMs: 400 } }

let supervisor: Supervisor | undefined
afterEach(() => supervisor?.[Symbol.asyncDispose]())

/** The plugin in the hands of a supervisor, and started. */
async function supervise(plugin: Plugin, options: Partial<SupervisorOptions> = {}): Promise<void> {
  const hostOf = (): PluginHost => ({
    log,
    view: () => Promise.reject(new Error('not here')),
    call: () => Promise.reject(new Error('not here')),
    healthOf: () => undefined,
    storage: { get: () => undefined, set: () => {} },
  })
  supervisor = new Supervisor({ hostOf, log, ...options })
  supervisor.add(plugin, 20_000)
  await supervisor.start()
}

/** The states of the plugin from now on, and when each began. */
function statesOf(plugin: Plugin): { readonly state: PluginState; readonly at: number }[] {
  const states: { readonly state: PluginState; readonly at: number }[] = []
  plugin.onChange(() => {
    const { state } = plugin.health()
    if (states.at(-1)?.state !== state) states.push({ state, at: performance.now() })
  })
  return states
}

const pidOf = async (plugin: Plugin): Promise<number> => Number(textOf(await callPlugin(plugin, 'pid')))
/** A call that its caller gives up after `ms`. */
const givenUp = (plugin: Plugin, name: string, args: { readonly ms?: number }, ms: number): Promise<unknown> =>
  expect(callPlugin(plugin, name, args, { signal: AbortSignal.timeout(ms) })).rejects.toMatchObject({
    code: 'cancelled',
  })

describe('a server that crashes', () => {
  it('is started again well within a second, and calls until then say since when it is down and why', async () => {
    await using under = stdioPlugin('crash-server')
    const { plugin } = under
    await supervise(plugin)
    const states = statesOf(plugin)
    await callPlugin(plugin, 'hello')
    await stateReached(plugin, 'down')
    const why = /^plugin "acme" is down since 2\S+Z: it exited with code 7; its last words: the crash server ends here/
    await expect(callPlugin(plugin, 'hello')).rejects.toThrow(why)
    await stateReached(plugin, 'starting')
    await expect(callPlugin(plugin, 'hello')).rejects.toThrow(/the crash server ends here; it is being started again$/)
    expect(plugin.health().reason).toContain('the crash server ends here')
    await stateReached(plugin, 'up')
    expect(plugin.health().reason).toBeUndefined()
    expect(states.map(({ state }) => state)).toEqual(['down', 'starting', 'up'])
    expect((states[1]?.at ?? 0) - (states[0]?.at ?? 0)).toBeLessThan(1_000)
    expect(textOf(await callPlugin(plugin, 'hello'))).toBe('hello')
  })

  it('is started, and its time to start begins, when what it started itself has ended', async () => {
    await using under = stdioPlugin('grandchild-server')
    const { plugin } = under
    await supervise(plugin)
    const { grandchild } = JSON.parse(textOf(await callPlugin(plugin, 'pids')))
    await expect(callPlugin(plugin, 'die')).rejects.toMatchObject({ code: 'interrupted' })
    await stateReached(plugin, 'starting')
    expect(isAlive(grandchild)).toBe(false)
    await stateReached(plugin, 'up')
  })

  it('over and over is given up with its last words, and calls say how it is started again', async () => {
    const script = 'console.error("no licence"); process.exit(3)'
    await using under = mcpPlugin({
      transport: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      env: {},
      cwd: process.cwd(),
    })
    const { plugin } = under
    await supervise(plugin, { initialDelayMs: 1, maxDelayMs: 2, giveUpAfter: 3 })
    await stateReached(plugin, 'failed')
    await expect(callPlugin(plugin, 'hello')).rejects.toThrow(
      /^plugin "acme" is failed since 2\S+Z: given up after 3 failures in a row, the last: it exited with code 3; its last words: no licence; when it is mended, start it with `callboard plugins restart acme`$/,
    )
  })
})

describe.each(['legacy', 'modern'])('a server of the %s era', (era) => {
  it('that hangs is ended, with what it said last, and started again', async () => {
    await using under = stdioPlugin('stuck-server', ['--era', era], hasty)
    const { plugin } = under
    await supervise(plugin)
    const pid = await pidOf(plugin)
    const other = expect(callPlugin(plugin, 'slow', { ms: 60_000 })).rejects.toThrow(
      /^plugin "acme" broke off the call, which may have been done or not: it hangs: a request was not answered, nor a ping within 0\.\d+ s; its last words: waiting for a lock$/,
    )
    await givenUp(plugin, 'hang', {}, 100)
    await stateReached(plugin, 'down')
    await other
    await stateReached(plugin, 'up')
    expect(await pidOf(plugin)).not.toBe(pid)
    await eventually(() => !isAlive(pid), 'the end of the one that hung')
  })

  it('that hangs behind HTTP is found down', async () => {
    await using under = await httpPlugin('stuck-server', ['--era', era], {}, hasty)
    await startPlugin(under.plugin)
    await givenUp(under.plugin, 'hang', {}, 100)
    await stateReached(under.plugin, 'down')
    expect(under.plugin.health().reason).toMatch(/^it hangs: a request was not answered, nor a ping within 0\.\d+ s$/)
    expect(under.plugin.giveUp).toBeUndefined()
  })

  it('that is slow but answers is left alone', async () => {
    await using under = stdioPlugin('stuck-server', ['--era', era], hasty)
    const { plugin } = under
    await startPlugin(plugin)
    const pid = await pidOf(plugin)
    const states = statesOf(plugin)
    const slow = callPlugin(plugin, 'slow', { ms: 1_500 })
    await givenUp(plugin, 'slow', { ms: 60_000 }, 50)
    expect(textOf(await slow)).toBe('done')
    expect(states).toEqual([])
    expect(await pidOf(plugin)).toBe(pid)
  })

  it('that is too busy for pings for a while is left alone', async () => {
    await using under = stdioPlugin('stuck-server', ['--era', era], { timeouts: { pingMs: 50, silenceMs: 5_000 } })
    const { plugin } = under
    await startPlugin(plugin)
    const states = statesOf(plugin)
    const pid = await pidOf(plugin)
    await givenUp(plugin, 'busy', { ms: 500 }, 50)
    expect(await pidOf(plugin)).toBe(pid)
    expect(states).toEqual([])
  })
})

import { availableParallelism } from 'node:os'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import type { Plugin, PluginHealth, PluginHost } from './plugin.ts'
import { Supervisor } from './supervisor.ts'

const log = createLog(new Secrets(), 'silent')
const noHost = {} as PluginHost
let supervisor: Supervisor

/** A plugin whose every start is decided by the test, and which the test can let crash. */
function scripted(
  id: string,
  begin: (attempt: number, signal: AbortSignal) => Promise<void>,
  { isGivenUp = false }: { readonly isGivenUp?: boolean } = {},
) {
  let health: PluginHealth = { state: 'stopped', since: 0 }
  const listeners = new Set<() => void>()
  let attempts = 0
  const set = (state: PluginHealth['state'], reason = ''): void => {
    health = { state, since: Date.now(), reason }
    for (const listener of listeners) listener()
  }
  const plugin: Plugin = {
    id,
    kind: 'mcp',
    isProcess: true,
    tools: [],
    async start(_host, signal) {
      attempts += 1
      set('starting')
      try {
        await begin(attempts, signal)
      } catch (error) {
        set('down', String(error))
        throw error
      }
      set('up')
    },
    call: () => Promise.reject(new Error('not called here')),
    health: () => health,
    async stop() {
      set('stopped')
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  if (isGivenUp) plugin.giveUp = (reason) => set('failed', reason)
  return { plugin, crash: () => set('down', 'crashed'), attempts: () => attempts, listeners: () => listeners.size }
}

/** Resolves as soon as the plugin is in this state. */
function reaches(plugin: Plugin, state: PluginHealth['state']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = plugin.onChange(() => {
    if (plugin.health().state === state) resolve()
  })
  if (plugin.health().state === state) resolve()
  return promise.finally(stop)
}

const never = (_attempt: number, signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

afterEach(() => supervisor[Symbol.asyncDispose]())

test('plugins start side by side, and a hanging one holds up only the answer about itself', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const good = scripted('good', () => Promise.resolve())
  const hung = scripted('hung', never)
  supervisor.add(good.plugin, 1_000)
  supervisor.add(hung.plugin, 50)
  const all = supervisor.start()
  await reaches(good.plugin, 'up')
  expect(hung.plugin.health().state).toBe('starting')
  await all
  expect(hung.plugin.health()).toMatchObject({
    state: 'down',
    reason: expect.stringContaining('not started within 50 ms'),
  })
})

test('of many that start, as many as there are processors begin at once, and none that hangs keeps the others from it', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const atOnce = availableParallelism()
  const all = Array.from({ length: 3 * atOnce }, (_, i) => scripted(`hung${i}`, never))
  for (const { plugin } of all) supervisor.add(plugin, 60_000)
  const begun = (): number => all.filter(({ plugin }) => plugin.health().state === 'starting').length
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  void supervisor.start()
  const counts = [await vi.advanceTimersByTimeAsync(40).then(begun)]
  for (let turn = 0; turn < 2; turn += 1) counts.push(await vi.advanceTimersByTimeAsync(50).then(begun))
  expect(counts).toEqual([atOnce, 2 * atOnce, 3 * atOnce])
})

test('a start that is done makes room for the next', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const all = Array.from({ length: 100 }, (_, i) => scripted(`good${i}`, () => Promise.resolve()))
  for (const { plugin } of all) supervisor.add(plugin, 60_000)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const start = supervisor.start()
  await vi.advanceTimersByTimeAsync(0)
  await start
  expect(all.map(({ attempts }) => attempts())).toEqual(all.map(() => 1))
})

test('a plugin that is removed or restarted before its turn is not started in it', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  for (let i = 0; i < availableParallelism(); i += 1) supervisor.add(scripted(`hung${i}`, never).plugin, 60_000)
  const [gone, late] = [scripted('gone', () => Promise.resolve()), scripted('late', () => Promise.resolve())]
  for (const { plugin } of [gone, late]) supervisor.add(plugin, 60_000)
  void supervisor.start()
  await Promise.all([supervisor.remove('gone'), supervisor.restart('late')])
  expect([gone.attempts(), late.attempts(), late.plugin.health().state]).toEqual([0, 1, 'up'])
})

/** As many plugins that hang as fill the turns of a while. */
function hang(times: number): void {
  for (let i = 0; i < times * availableParallelism(); i += 1) supervisor.add(scripted(`hung${i}`, never).plugin, 60_000)
}

test('who waits for a start that has no turn yet waits for the restart that takes its place', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  hang(3)
  const late = scripted('late', () => Promise.resolve())
  supervisor.add(late.plugin, 60_000)
  void supervisor.start()
  const stateAfter = async (wait: Promise<unknown> | undefined) => {
    await wait
    return late.plugin.health().state
  }
  const waits = [supervisor.firstStartOf('late'), supervisor.start(['late'])].map(stateAfter)
  void supervisor.restart('late')
  waits.push(...[supervisor.firstStartOf('late'), supervisor.start(['late'])].map(stateAfter))
  expect(await Promise.all(waits)).toEqual(['up', 'up', 'up', 'up'])
  expect(late.attempts()).toBe(1)
})

test('a plugin that is removed leaves the line of those that start', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  hang(3)
  const late = scripted('late', () => Promise.resolve())
  supervisor.add(late.plugin, 60_000)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  void supervisor.start()
  expect(supervisor.isToStart('late')).toBe(true)
  await supervisor.remove('late')
  expect(late.attempts()).toBe(0)
})

test('a plugin that runs no process waits for no turn', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  hang(3)
  const here = scripted('here', () => Promise.resolve())
  supervisor.add({ ...here.plugin, isProcess: false }, 60_000)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  void supervisor.start()
  await supervisor.firstStartOf('here')
  expect(here.attempts()).toBe(1)
})

test('the time in which a start usually is over counts from its turn', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  hang(240)
  const late = scripted('late', never)
  supervisor.add(late.plugin, 60_000)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  void supervisor.start()
  await vi.advanceTimersByTimeAsync(11_900)
  expect([late.attempts(), supervisor.isToStart('late')]).toEqual([0, true])
  expect(supervisor.unknownStarts()).toBeDefined()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(late.attempts()).toBe(1)
})

test('a plugin that went down is started again', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 1 })
  const flaky = scripted('flaky', () => Promise.resolve())
  supervisor.add(flaky.plugin, 1_000)
  await supervisor.start()
  flaky.crash()
  await reaches(flaky.plugin, 'up')
  expect(flaky.attempts()).toBe(2)
})

test('a start begins, and its time with it, when nothing is left of the run before', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 1 })
  const lasting = scripted('lasting', () => Promise.resolve())
  const end = Promise.withResolvers<void>()
  supervisor.add(Object.assign(lasting.plugin, { released: end.promise }), 1_000)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const started = supervisor.start()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lasting.attempts()).toBe(0)
  end.resolve()
  await started
  expect([lasting.attempts(), lasting.plugin.health().state]).toEqual([1, 'up'])
})

test('a plugin that does not start is tried until it does', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 1, maxDelayMs: 2 })
  const late = scripted('late', (attempt) => (attempt < 4 ? Promise.reject(new Error('no')) : Promise.resolve()))
  supervisor.add(late.plugin, 1_000)
  await supervisor.start()
  await reaches(late.plugin, 'up')
  expect(late.attempts()).toBe(4)
})

test('the waits before restarts grow, are bounded, and are not the same for every plugin', async () => {
  const waits = async (random: number): Promise<number[]> => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const lines: string[] = []
    const kept = createLog(new Secrets(), 'info', { write: (line) => lines.push(line) })
    supervisor = new Supervisor({ hostOf: () => noHost, log: kept, initialDelayMs: 1, maxDelayMs: 8 })
    const broken = scripted('broken', (attempt) => (attempt < 8 ? Promise.reject(new Error('no')) : Promise.resolve()))
    supervisor.add(broken.plugin, 1_000)
    await supervisor.start()
    await reaches(broken.plugin, 'up')
    await supervisor[Symbol.asyncDispose]()
    return lines.flatMap((line) => JSON.parse(line).restartInMs ?? [])
  }
  onTestFinished(() => void vi.restoreAllMocks())
  const [some, others] = [await waits(0.2), await waits(0.8)]
  for (const delays of [some, others]) {
    expect(delays).toHaveLength(7)
    expect(delays.at(-1)).toBeGreaterThan(delays[0] ?? 0)
    expect(Math.max(...delays)).toBeLessThanOrEqual(8)
  }
  expect(others).not.toEqual(some)
})

test('a removed plugin is stopped, even while it starts, and never started again', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 1 })
  const hung = scripted('hung', never)
  supervisor.add(hung.plugin, 60_000)
  const start = supervisor.start()
  await reaches(hung.plugin, 'starting')
  await supervisor.remove('hung')
  await start
  expect(hung.plugin.health().state).toBe('stopped')
  hung.crash()
  expect(hung.attempts()).toBe(1)
  expect(hung.listeners()).toBe(0)
})

test('starting twice is one start', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const good = scripted('good', () => Promise.resolve())
  supervisor.add(good.plugin, 1_000)
  await Promise.all([supervisor.start(), supervisor.start(['good'])])
  await supervisor.start()
  expect(good.attempts()).toBe(1)
})

test('a restart ends the plugin and starts it anew, and those who come meanwhile wait for it', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const seen: string[] = []
  const good = scripted('good', () => Promise.resolve())
  supervisor.add(good.plugin, 1_000)
  await supervisor.start()
  good.plugin.onChange(() => seen.push(good.plugin.health().state))
  const restart = supervisor.restart('good')
  const second = supervisor.restart('good')
  const waiting = supervisor.firstStartOf('good')
  expect(waiting).toBeDefined()
  await waiting
  expect(good.plugin.health().state).toBe('up')
  await Promise.all([restart, second])
  expect(seen).toEqual(['stopped', 'starting', 'up'])
  expect(good.attempts()).toBe(2)
  expect(supervisor.firstStartOf('good')).toBeUndefined()
})

test('a restart gives up an attempt that hangs', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const late = scripted('late', (attempt, signal) => (attempt === 1 ? never(attempt, signal) : Promise.resolve()))
  supervisor.add(late.plugin, 60_000)
  const start = supervisor.start()
  await reaches(late.plugin, 'starting')
  await supervisor.restart('late')
  await start
  expect(late.plugin.health().state).toBe('up')
  expect(late.attempts()).toBe(2)
})

test('a restart does not wait for the next try, and one that fails is tried again', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 60_000, maxDelayMs: 60_000 })
  const late = scripted('late', (attempt) => (attempt < 3 ? Promise.reject(new Error('no')) : Promise.resolve()))
  supervisor.add(late.plugin, 1_000)
  await supervisor.start()
  await supervisor.restart('late')
  expect(late.plugin.health().state).toBe('down')
  await supervisor.restart('late')
  expect(late.plugin.health().state).toBe('up')
  late.crash()
  expect(late.listeners()).toBe(1)
})

test('a plugin that is removed while it is restarted stays stopped', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const good = scripted('good', () => Promise.resolve())
  supervisor.add(good.plugin, 1_000)
  await supervisor.start()
  const restart = supervisor.restart('good')
  await Promise.all([restart, supervisor.remove('good')])
  expect(good.plugin.health().state).toBe('stopped')
  await expect(supervisor.restart('good')).rejects.toThrow('no plugin "good" to restart')
})

const givenUp = { isGivenUp: true }
const quick = { hostOf: () => noHost, log, initialDelayMs: 1, maxDelayMs: 2 }

test('a plugin that never starts is given up in the end, and is started again when somebody asks', async () => {
  supervisor = new Supervisor(quick)
  const broken = scripted('broken', (attempt) => (attempt === 14 ? Promise.resolve() : Promise.reject('no')), givenUp)
  supervisor.add(broken.plugin, 1_000)
  await supervisor.start()
  await reaches(broken.plugin, 'failed')
  expect(broken.attempts()).toBe(10)
  expect(broken.plugin.health().reason).toBe(
    'given up after 10 failures in a row, the last: no; when it is mended, start it with `callboard plugins restart broken`',
  )
  await supervisor.restart('broken')
  await reaches(broken.plugin, 'up')
  expect(broken.attempts()).toBe(14)
})

test('a plugin that starts and goes down over and over is given up, too', async () => {
  supervisor = new Supervisor({ ...quick, giveUpAfter: 3 })
  const flapping = scripted('flapping', () => Promise.resolve(), givenUp)
  supervisor.add(flapping.plugin, 1_000)
  await supervisor.start()
  for (let round = 0; round < 3; round += 1) {
    await reaches(flapping.plugin, 'up')
    flapping.crash()
  }
  await reaches(flapping.plugin, 'failed')
  expect(flapping.plugin.health().reason).toContain('crashed')
})

test('a plugin that was up for long between its failures is never given up', async () => {
  supervisor = new Supervisor({ ...quick, giveUpAfter: 2, steadyMs: 0 })
  const good = scripted('good', () => Promise.resolve(), givenUp)
  supervisor.add(good.plugin, 1_000)
  await supervisor.start()
  for (let round = 0; round < 6; round += 1) {
    good.crash()
    await reaches(good.plugin, 'up')
  }
})

test('a plugin that costs nothing to try is tried for ever', async () => {
  supervisor = new Supervisor({ ...quick, giveUpAfter: 2 })
  const late = scripted('late', (attempt) => (attempt < 12 ? Promise.reject(new Error('no')) : Promise.resolve()))
  supervisor.add(late.plugin, 1_000)
  await supervisor.start()
  await reaches(late.plugin, 'up')
})

test('a removed plugin that has calls to answer is stopped when it has, and is not started meanwhile', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log, initialDelayMs: 1 })
  const busy = scripted('busy', () => Promise.resolve())
  supervisor.add(busy.plugin, 1_000)
  await supervisor.start()
  const idle = Promise.withResolvers<void>()
  const removed = supervisor.remove('busy', idle.promise)
  expect(busy.plugin.health().state).toBe('up')
  busy.crash()
  await expect(supervisor.start(['busy'])).rejects.toThrow('no plugin "busy"')
  idle.resolve()
  await removed
  expect([busy.plugin.health().state, busy.attempts()]).toEqual(['stopped', 1])
})

test('a successor starts after the end of the one before, and calls wait for it', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const old = scripted('same', () => Promise.resolve())
  supervisor.add(old.plugin, 1_000)
  await supervisor.start()
  const end = Promise.withResolvers<void>()
  const ended = supervisor.remove('same', end.promise)
  const next = scripted('same', () => Promise.resolve())
  supervisor.add(next.plugin, 1_000, ended)
  const started = supervisor.start(['same'])
  const awaited = supervisor.firstStartOf('same')
  expect([next.attempts(), awaited === undefined]).toEqual([0, false])
  end.resolve()
  await started
  await awaited
  expect([old.plugin.health().state, next.plugin.health().state]).toEqual(['stopped', 'up'])
})

test('a successor that is removed before its turn is never started', async () => {
  supervisor = new Supervisor({ hostOf: () => noHost, log })
  const next = scripted('same', () => Promise.resolve())
  const end = Promise.withResolvers<void>()
  supervisor.add(next.plugin, 1_000, end.promise)
  const started = supervisor.start(['same'])
  const removed = supervisor.remove('same')
  end.resolve()
  await Promise.all([started, removed])
  expect(next.attempts()).toBe(0)
})

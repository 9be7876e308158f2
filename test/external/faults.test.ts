/** What external plugins do wrong, and what comes of it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CallboardError } from '../../packages/callboard/src/errors.ts'
import type { ExternalPluginOptions } from '../../packages/callboard/src/plugins/external/external-plugin.ts'
import { Supervisor } from '../../packages/callboard/src/plugins/supervisor.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { memoryToolLists } from '../fixtures/memory-tool-lists.ts'
import {
  callPlugin,
  changed,
  emptyHost,
  eventually,
  isAlive,
  keptLog,
  startPlugin,
  stateReached,
  textOf,
} from '../fixtures/plugin-calls.ts'
import { externalPlugin, fixtureTarget } from './external-under-test.ts'

const make = (args: readonly string[] = [], more: Partial<ExternalPluginOptions> = {}) =>
  externalPlugin(fixtureTarget(args), more)

/** The reason of a start that fails. */
async function failure(args: readonly string[], signal?: AbortSignal): Promise<string> {
  await using under = make(args)
  const failed: unknown = await startPlugin(under.plugin, signal).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'unavailable' })
  expect(under.plugin.health().state).toBe('down')
  return under.plugin.health().reason ?? ''
}

describe('a start fails in words', () => {
  test('when the process ends before it is ready, with its last words', async () => {
    expect(await failure(['--exit', '7'])).toBe('it exited with code 7; its last words: no licence found')
  })

  test.each(['start', 'hello', 'listTools'])('when it is killed before it has got ready, at its %s', async (moment) => {
    expect(await failure(['--dies-at', moment])).toBe('it was ended by SIGKILL')
  })

  test('when there is no such command', async () => {
    await using under = externalPlugin({ ...fixtureTarget(), command: '/nowhere/plugin', args: [] })
    await expect(startPlugin(under.plugin)).rejects.toThrow('the command "/nowhere/plugin" does not exist')
  })

  test('when it never gets ready', async () => {
    const deadline = new AbortController()
    const failing = failure(['--never-ready'], deadline.signal)
    setTimeout(() => deadline.abort(new CallboardError('timeout', 'not started within 500 ms')), 500)
    expect(await failing).toBe('not started within 500 ms: it did not say `READY ADDRESS` on stderr')
  })

  test('when it says READY without an address', async () => {
    expect(await failure(['--bad-ready'])).toContain('it said READY: "here" is no address; expected host:port')
  })

  test('when it claims another id', async () => {
    expect(await failure(['--claim', 'acme/other'])).toBe('plugin "acme/ext": it says it is "acme/other"')
  })

  test('when it answers with what is no frame', async () => {
    expect(await failure(['--garbage'])).toContain('it reads "HTTP", which is no head of a frame')
  })

  test('when it never answers the greeting', async () => {
    const deadline = new AbortController()
    const failing = failure(['--forgets-hello'], deadline.signal)
    setTimeout(() => deadline.abort(new CallboardError('timeout', 'not started within 2000 ms')), 2_000)
    expect(await failing).toContain('not started within 2000 ms')
  })
})

test.each(['quic', 'tls'] as const)(
  'over %s, one that is killed in mid-call fails the call at once with a code of its own, and comes back',
  async (transport) => {
    const { log } = keptLog()
    await using under = externalPlugin(fixtureTarget([], transport))
    const { plugin } = under
    await using supervisor = new Supervisor({ hostOf: emptyHost, log, initialDelayMs: 1 })
    supervisor.add(plugin, 15_000)
    await supervisor.start()
    const pid = textOf(await callPlugin(plugin, 'pid'))
    const waiting = callPlugin(plugin, 'wait')
    const dying = callPlugin(plugin, 'die')
    await expect(dying).rejects.toMatchObject({ code: 'interrupted' })
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
    await stateReached(plugin, 'down')
    expect(plugin.health().reason).toContain('was ended by SIGKILL; its last words: something terrible happened')
    expect(plugin.tools).not.toEqual([])
    await stateReached(plugin, 'up')
    expect(textOf(await callPlugin(plugin, 'pid'))).not.toBe(pid)
  },
)

test('one that can never start is given up with the reason', async () => {
  const { log } = keptLog()
  await using under = make(['--exit', '3'])
  await using supervisor = new Supervisor({ hostOf: emptyHost, log, initialDelayMs: 1, maxDelayMs: 5, giveUpAfter: 2 })
  supervisor.add(under.plugin, 15_000)
  await supervisor.start()
  await stateReached(under.plugin, 'failed')
  expect(under.plugin.health().reason).toContain('given up after 2 failures in a row, the last: it exited with code 3')
})

test('one that stops reading loses its link and its process', async () => {
  await using under = make(['--idle', '1500'])
  const { plugin } = under
  await startPlugin(plugin)
  const pid = Number(textOf(await callPlugin(plugin, 'pid')))
  await expect(callPlugin(plugin, 'freeze')).rejects.toMatchObject({ code: 'interrupted' })
  await stateReached(plugin, 'down')
  await plugin.stop()
  expect(isAlive(pid)).toBe(false)
})

test('one that talks nonsense on a stream of its own loses its link and the calls on it, and comes back', async () => {
  const { log } = keptLog()
  await using under = make()
  await using supervisor = new Supervisor({ hostOf: emptyHost, log, initialDelayMs: 1 })
  supervisor.add(under.plugin, 15_000)
  await supervisor.start()
  await expect(callPlugin(under.plugin, 'babble')).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('which may have been done or not'),
  })
  await stateReached(under.plugin, 'down')
  expect(under.plugin.health().reason).toContain('"HTTP"')
  await stateReached(under.plugin, 'up')
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
})

test('a result that makes no sense fails its call alone, and not as if it had never run', async () => {
  await using under = make()
  await startPlugin(under.plugin)
  await expect(callPlugin(under.plugin, 'mumble')).rejects.toMatchObject({
    code: 'tool_failed',
    message: 'plugin "acme/ext": the result is no JSON',
  })
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
})

test('an answer after the deadline is nobody’s, and the next call has its own', async () => {
  await using under = make()
  await startPlugin(under.plugin)
  const deadline = new AbortController()
  const late = new CallboardError('timeout', 'no answer for 1 s')
  const waiting = callPlugin(under.plugin, 'late', {}, { signal: deadline.signal })
  setTimeout(() => deadline.abort(late), 50)
  await expect(waiting).rejects.toBe(late)
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
})

test('ten thousand tools are listed and kept', async () => {
  const store = memoryToolLists()
  await using under = make(['--many', '10000'], { store })
  await startPlugin(under.plugin)
  expect(under.plugin.tools.length).toBeGreaterThan(10_000)
  await under.plugin.stop()
  await using again = make(['--many', '10000'], { store })
  expect(again.plugin.tools).toEqual(under.plugin.tools)
})

test('a changed list of tools is read again', async () => {
  await using under = make()
  await startPlugin(under.plugin)
  await callPlugin(under.plugin, 'grow', { name: 'fresh' })
  await changed(under.plugin, () => under.plugin.tools.some(({ name }) => name === 'fresh'))
})

test('a flood on stderr is cut and does not keep it from serving', async () => {
  await using under = make(['--flood'])
  await startPlugin(under.plugin)
  expect(textOf(await callPlugin(under.plugin, 'progress'))).toBe('done')
  const flooded = under.lines.filter(({ msg }) => String(msg).startsWith('flood'))
  expect(flooded.length).toBeLessThan(1_000)
  // A gap is told before the next line that there is room for, or at the end.
  await under.plugin.stop()
  await eventually(() => under.lines.some(({ msg }) => String(msg).startsWith('lines were left out')), 'the gap')
})

test('what it says of its health is its state, while it serves', async () => {
  await using under = make([], { healthMs: 50 })
  const { plugin } = under
  await startPlugin(plugin)
  await callPlugin(plugin, 'sicken', { reason: 'the disk is nearly full' })
  await stateReached(plugin, 'degraded')
  expect(plugin.health().reason).toBe('the disk is nearly full')
  await callPlugin(plugin, 'sicken', { reason: '' })
  await stateReached(plugin, 'up')
})

test('of a long reason for which it is not well the beginning is kept, without a secret that is cut through', async () => {
  const secrets = new Secrets()
  secrets.add('swordfish')
  await using under = make([], { healthMs: 20, secrets })
  await startPlugin(under.plugin)
  const reason = `${'x'.repeat(995)} swordfish ${'y'.repeat(1_000_000)}`
  await callPlugin(under.plugin, 'sicken', { reason })
  await stateReached(under.plugin, 'degraded')
  expect(under.plugin.health().reason).toBe(`${'x'.repeat(995)} [sec`)
})

test('pieces of an answer are steps with their text, and the whole is the result', async () => {
  await using under = make()
  await startPlugin(under.plugin)
  const steps: unknown[] = []
  const result = await callPlugin(under.plugin, 'tell', {}, { onProgress: (step) => steps.push(step) })
  expect(textOf(result)).toBe('Once upon a time')
  expect(steps).toEqual(
    ['Once ', 'upon ', 'a time'].map((message, index) => ({ progress: index + 1, message, isPiece: true })),
  )
})

test('its words in errors and in the log are without secrets', async () => {
  const secrets = new Secrets()
  secrets.add('licence')
  await using under = make(['--exit', '7'], { secrets })
  await expect(startPlugin(under.plugin)).rejects.toThrow('its last words: no [secret] found')
  expect(JSON.stringify(under.lines)).not.toContain('licence')
})

test.each(['quic', 'tls'] as const)(
  'over %s, of what it sends and does not end a few of the longest requests are held',
  { timeout: 60_000 },
  async (transport) => {
    await using under = externalPlugin(fixtureTarget([], transport))
    await startPlugin(under.plugin)
    const ends = textOf(await callPlugin(under.plugin, 'hoard', { streams: 12 })).split(', ')
    const taken = ends.filter((end) => end === 'taken')
    expect(taken.length).toBeLessThanOrEqual(4)
    expect(ends).toEqual([...Array(12 - taken.length).fill('code 3'), ...taken])
    expect(textOf(await callPlugin(under.plugin, 'ask', { name: 'other' }))).toContain('fault')
  },
)

test.skipIf(process.platform === 'win32')('its certificates are for its owner alone', async () => {
  await using under = make()
  await startPlugin(under.plugin)
  const certs = join(under.folder, 'plugins', 'acme+ext.plugin', 'certs')
  expect(statSync(join(certs, 'plugin.pem')).mode & 0o777).toBe(0o600)
})

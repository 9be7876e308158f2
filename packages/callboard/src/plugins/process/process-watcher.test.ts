import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { ProcessWatcher } from './process-watcher.ts'

const sleeper = (): ChildProcess => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
const silent = createLog(new Secrets(), 'silent')

test.skipIf(process.platform === 'win32')(
  'what is still registered at the end is ended, what was removed is left alone',
  async () => {
    const watcher = new ProcessWatcher(silent)
    const [first, second, third] = [watcher.watch(sleeper), watcher.watch(sleeper), watcher.watch(sleeper)]
    watcher.remove(second.pid ?? 0)
    const ended = Promise.all([once(first, 'exit'), once(third, 'exit')])
    await watcher[Symbol.asyncDispose]()
    expect(await ended).toEqual([
      [null, 'SIGTERM'],
      [null, 'SIGTERM'],
    ])
    expect(second.exitCode ?? second.signalCode).toBeNull()
    second.kill('SIGKILL')
  },
)

test.skipIf(process.platform === 'win32')(
  'a watcher that was killed is replaced and knows all groups again',
  async () => {
    const watcher = new ProcessWatcher(silent)
    const child = watcher.watch(sleeper)
    const before = watcher.pid
    process.kill(before ?? 0, 'SIGKILL')
    await expect.poll(() => watcher.pid).toBeUndefined()
    const other = watcher.watch(sleeper)
    expect(watcher.pid).not.toBe(before)
    const ended = Promise.all([once(child, 'exit'), once(other, 'exit')])
    await watcher[Symbol.asyncDispose]()
    await ended
  },
)

test.skipIf(process.platform !== 'linux')('signals of the terminal do not end it before its work', async () => {
  const watcher = new ProcessWatcher(silent)
  const child = watcher.watch(sleeper)
  const ignored = (): number =>
    Number.parseInt(/SigIgn:\s*(\w+)/.exec(readFileSync(`/proc/${watcher.pid}/status`, 'utf8'))?.[1] ?? '', 16)
  const terminal = ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const
  const mask = terminal.reduce((bits, signal) => bits | (1 << (constants.signals[signal] - 1)), 0)
  await expect.poll(() => ignored() & mask).toBe(mask)
  for (const signal of terminal) process.kill(watcher.pid ?? 0, signal)
  const ended = once(child, 'exit')
  await watcher[Symbol.asyncDispose]()
  await ended
})

test.skipIf(process.platform !== 'linux')(
  'a child whose number never came is ended by its mark, also when it becomes its program later',
  async () => {
    const watcher = new ProcessWatcher(silent)
    const known = watcher.watch(sleeper)
    let ending: Promise<void> | undefined
    const child = watcher.watch((environment) => {
      ending = watcher[Symbol.asyncDispose]()
      const marks = Object.entries(environment).map((entry) => entry.join('='))
      // Deaf to SIGTERM, since a busy machine may look for marks late.
      const script = `trap '' TERM; sleep 0.3; exec env "$@" sleep 600`
      return spawn('sh', ['-c', script, 'sh', ...marks], { detached: true })
    })
    const ended = Promise.all([once(known, 'exit'), once(child, 'exit')])
    await ending
    expect(await ended).toEqual([
      [null, 'SIGTERM'],
      [null, 'SIGKILL'],
    ])
  },
)

test.skipIf(process.platform !== 'linux')('the mark of a start that failed is forgotten', async () => {
  const watcher = new ProcessWatcher(silent)
  const marked: ChildProcess[] = []
  const fail = (environment: Readonly<Record<string, string>>): never => {
    marked.push(spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { ...process.env, ...environment } }))
    throw new Error('no such program')
  }
  expect(() => watcher.watch(fail)).toThrow('no such program')
  const ended = once(watcher.watch(sleeper), 'exit')
  await watcher[Symbol.asyncDispose]()
  await ended
  expect(marked.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null])
  for (const child of marked) child.kill('SIGKILL')
})

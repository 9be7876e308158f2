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
    const [first, second, third] = [sleeper(), sleeper(), sleeper()]
    const watcher = new ProcessWatcher(silent)
    for (const { pid } of [first, second, third]) watcher.add(pid ?? 0)
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
    const child = sleeper()
    const other = sleeper()
    const watcher = new ProcessWatcher(silent)
    watcher.add(child.pid ?? 0)
    const before = watcher.pid
    process.kill(before ?? 0, 'SIGKILL')
    await expect.poll(() => watcher.pid).toBeUndefined()
    watcher.add(other.pid ?? 0)
    expect(watcher.pid).not.toBe(before)
    const ended = Promise.all([once(child, 'exit'), once(other, 'exit')])
    await watcher[Symbol.asyncDispose]()
    await ended
  },
)

test.skipIf(process.platform !== 'linux')('signals of the terminal do not end it before its work', async () => {
  const child = sleeper()
  const watcher = new ProcessWatcher(silent)
  watcher.add(child.pid ?? 0)
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

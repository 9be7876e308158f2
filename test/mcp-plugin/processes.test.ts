/** No process of an MCP server outlives its plugin, and none its host. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { Plugin } from '../../packages/callboard/src/plugins/plugin.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { callPlugin, eventually, isAlive, startPlugin, stateReached, textOf } from '../fixtures/plugin-calls.ts'
import { stdioPlugin } from './mcp-under-test.ts'

interface Pids {
  readonly server: number
  readonly grandchild: number
  readonly watcher?: number
}

const pidsOf = async (plugin: Plugin): Promise<Pids> => JSON.parse(textOf(await callPlugin(plugin, 'pids')))
const allGone = ({ server, grandchild }: Pids) =>
  eventually(() => !isAlive(server) && !isAlive(grandchild), 'their end')

test('a stop ends the server and what it started, even what ignores SIGTERM', async () => {
  await using under = stdioPlugin('grandchild-server')
  await startPlugin(under.plugin)
  const pids = await pidsOf(under.plugin)
  expect(isAlive(pids.server) && isAlive(pids.grandchild)).toBe(true)
  await under.plugin.stop()
  expect([isAlive(pids.server), isAlive(pids.grandchild)]).toEqual([false, false])
})

test('a server that crashed leaves no grandchildren', async () => {
  await using under = stdioPlugin('grandchild-server')
  await startPlugin(under.plugin)
  const pids = await pidsOf(under.plugin)
  await expect(callPlugin(under.plugin, 'die')).rejects.toMatchObject({ code: 'interrupted' })
  await allGone(pids)
})

test('a server that crashed fails its calls at once, is down with the reason, and starts again', async () => {
  await using under = stdioPlugin('crash-server')
  const { plugin } = under
  for (let round = 0; round < 3; round++) {
    await startPlugin(plugin)
    expect(textOf(await callPlugin(plugin, 'hello'))).toBe('hello')
    await stateReached(plugin, 'down')
    expect(plugin.health().reason).toBe('it exited with code 7; its last words: the crash server ends here')
    await expect(callPlugin(plugin, 'hello')).rejects.toThrow(
      /^plugin "acme" is down since 2\S+Z: it exited with code 7;/,
    )
  }
})

test('a call that runs when the server dies says so', async () => {
  await using under = stdioPlugin('crash-server')
  await startPlugin(under.plugin)
  const call = callPlugin(under.plugin, 'die')
  await expect(call).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringMatching(
      /^plugin "acme" broke off the call, which may have been done or not: it exited with code 7; its last words: the crash/,
    ),
  })
})

test('the last words of a server that flooded its stderr are the last lines of the flood', async () => {
  await using under = stdioPlugin('echo-server')
  await startPlugin(under.plugin)
  await expect(callPlugin(under.plugin, 'exit', { lines: 5_000 })).rejects.toMatchObject({ code: 'interrupted' })
  const last = [4_995, 4_996, 4_997, 4_998, 4_999, 5_000].map((line) => `noise ${line}`).join(' / ')
  expect(under.plugin.health().reason).toBe(`it exited with code 1; its last words: ${last}`)
})

test('many starts leave no listeners and no processes', async () => {
  await using under = stdioPlugin('echo-server')
  const pids: number[] = []
  const signal = AbortSignal.timeout(60_000)
  for (let round = 0; round < 5; round++) {
    await startPlugin(under.plugin, signal)
    pids.push(Number(textOf(await callPlugin(under.plugin, 'pid'))))
    await under.plugin.stop()
  }
  expect(new Set(pids).size).toBe(5)
  expect(pids.filter(isAlive)).toEqual([])
})

test.skipIf(process.platform === 'win32')('a host that is killed takes its servers along', async () => {
  const { command, args } = fixtureCommand('host-of-plugin', 'grandchild-server')
  const host = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: host.stdout }), 'line')
  const pids: Pids = JSON.parse(String(line))
  expect(isAlive(pids.server) && isAlive(pids.grandchild) && isAlive(pids.watcher ?? 0)).toBe(true)
  host.kill('SIGKILL')
  await allGone(pids)
  await eventually(() => !isAlive(pids.watcher ?? 0), 'the end of the watcher')
})

/** Hears neither the end of its input nor SIGTERM. */
const DEAF = `trap '' TERM; exec sleep 600`

test.skipIf(process.platform !== 'linux')('a host that is killed in the midst of a start leaves nothing', async () => {
  const { command, args } = fixtureCommand('host-killed-in-start', 'sh', '-c', DEAF)
  const host = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [[line], end] = await Promise.all([once(createInterface({ input: host.stdout }), 'line'), once(host, 'exit')])
  expect(end).toEqual([null, 'SIGKILL'])
  await eventually(() => !isAlive(Number(line)), 'the end of the process')
})

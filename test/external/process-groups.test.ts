/** What an external plugin started itself ends with it, and with the host. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Supervisor } from '../../packages/callboard/src/plugins/supervisor.ts'
import { createStage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { callPlugin, emptyHost, eventually, isAlive, keptLog, stateReached } from '../fixtures/plugin-calls.ts'
import { externalPlugin, fixtureTarget } from './external-under-test.ts'

const ID = 'tools.notes'

/** Starts what does not listen to SIGTERM, says in `$0` which process that is, and is the plugin then. */
const SCRIPT = `sh -c 'trap "" TERM; while :; do sleep 1; done' >/dev/null 2>&1 & echo $! >"$0"; exec "$@"`

describe.skipIf(process.platform === 'win32').each(['callboard', 'orchestra'] as const)(
  'what a plugin of the protocol %s started',
  (protocol) => {
    test.each(['SIGTERM', 'SIGKILL'] as const)('ends with a host that gets %s', { timeout: 60_000 }, async (signal) => {
      await using stage = await createStage({})
      const file = join(stage.folder, 'pid')
      const fixture = protocol === 'orchestra' ? 'orchestra-plugin' : 'external-plugin'
      const { command, args } = fixtureCommand(fixture, '--id', ID)
      const started = { command: 'sh', args: ['-c', SCRIPT, file, command, ...args] }
      const external = protocol === 'orchestra' ? { ...started, protocol } : started
      await using own = await createStage({ http: { listen: '127.0.0.1:0' }, plugins: { [ID]: { external } } })
      const { child, until, done } = own.start(['serve', '--http'])
      await until(/tools\.notes +up/)
      expect(existsSync(file)).toBe(true)
      const pid = Number(readFileSync(file, 'utf8'))
      expect(isAlive(pid)).toBe(true)
      child.kill(signal)
      await done
      await eventually(() => !isAlive(pid), 'the end of what the plugin started')
    })
  },
)

test.skipIf(process.platform === 'win32')('what a plugin started has ended when it is started again', async () => {
  await using stage = await createStage({})
  const file = join(stage.folder, 'pid')
  const { command, args, ...rest } = fixtureTarget()
  await using under = externalPlugin({ ...rest, command: 'sh', args: ['-c', SCRIPT, file, command, ...args] })
  const { plugin } = under
  await using supervisor = new Supervisor({ hostOf: emptyHost, log: keptLog().log, initialDelayMs: 1 })
  supervisor.add(plugin, 15_000)
  await supervisor.start()
  const pid = Number(readFileSync(file, 'utf8'))
  await expect(callPlugin(plugin, 'die')).rejects.toMatchObject({ code: 'interrupted' })
  await stateReached(plugin, 'starting')
  expect(isAlive(pid)).toBe(false)
  await stateReached(plugin, 'up')
})

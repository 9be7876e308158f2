/** The command line in front of a host that serves already: one set of processes, whatever is asked. */
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CommandResult, createStage, type RunningCommand, type Stage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

let stage: Stage
beforeEach(async () => {
  stage = await createStage({
    dataDir: 'data',
    http: { listen: '127.0.0.1:0' },
    plugins: {
      counted: { mcp: withStarts(fixtureCommand('counted-server')) },
      waiting: { mcp: fixtureCommand('waiting-server') },
      off: { mcp: { command: 'no-such-command' }, enabled: false },
    },
    roles: { viewer: ['cli.access', 'counted.echo'] },
    users: { ana: { roles: ['viewer'] }, bob: { roles: [] } },
  })
})
afterEach(() => stage[Symbol.asyncDispose]())

/** Relative to the folder of the config, in which servers start. */
function withStarts({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  return { command, args: [...args, '--starts', 'starts'] }
}

function starts(): number {
  return readFileSync(join(stage.folder, 'starts'), 'utf8').trim().split('\n').length
}

async function serve(...words: readonly string[]): Promise<RunningCommand> {
  const serving = stage.start(['serve', ...words])
  await serving.until(/counted +up/)
  await serving.until(/waiting +up/)
  return serving
}

async function stop({ child, done }: RunningCommand): Promise<void> {
  child.kill('SIGTERM')
  await done
}

test('no command starts a second process of a server, and each says what it says without a host', async () => {
  await serve()
  expect(starts()).toBe(1)
  const [list, search, show, call, plugins] = await Promise.all([
    stage.run(['list', '--plugin', 'counted']),
    stage.run(['search', 'echo', '--limit', '1']),
    stage.run(['show', 'counted_echo']),
    stage.run(['call', 'counted_pid']),
    stage.run(['plugins', '--json']),
  ])
  expect(list.stdout).toContain('plugin:counted:echo\texternal\t')
  expect(search.stdout).toMatch(/^plugin:counted:echo\t/)
  expect(show.stdout).toContain('public name\tcounted_echo\n')
  expect(call.stdout).toBe(readFileSync(join(stage.folder, 'starts'), 'utf8'))
  expect(JSON.parse(plugins.stdout).plugins).toMatchObject([
    { id: 'counted', state: 'up', since: expect.stringMatching(/^\d{4}-/) },
    { id: 'off', state: 'disabled', reason: 'switched off in the config' },
    { id: 'waiting', state: 'up' },
  ])
  for (const { code, stderr } of [list, search, show, call, plugins]) expect([code, stderr]).toEqual([0, ''])
  expect(starts()).toBe(1)
})

test('a host of another config that has the socket is named by doctor, and by the restart that it prevents', async () => {
  const { child } = await serve()
  const other = join(stage.folder, 'other.yaml')
  writeFileSync(other, JSON.stringify({ dataDir: 'data', http: { listen: '127.0.0.1:0' } }))
  const second = stage.start(['serve', '--config', other])
  await second.until(/http:/)
  const named = `process ${child.pid}, which serves ${join(stage.folder, 'callboard.yaml')}, answers the commands of`
  const { code, stderr } = await stage.run(['plugins', 'restart', 'counted', '--config', other])
  expect(stderr).toContain(named)
  expect(code).toBe(69)
  const { stdout } = await stage.run(['doctor', '--config', other])
  expect(stdout).toContain(`running host\tprocess ${child.pid}, since`)
  expect(stdout).toContain(`note: ${named}`)
})

test('doctor names the running host, its address and its version, and how long each start took', async () => {
  const serving = await serve()
  const { code, stdout } = await stage.run(['doctor', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    well: true,
    host: {
      pid: serving.child.pid,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    },
    plugins: [
      { id: 'counted', startMs: expect.any(Number) },
      { id: 'off' },
      { id: 'waiting', startMs: expect.any(Number) },
    ],
  })
  expect([code, starts()]).toEqual([0, 1])
})

test('exit codes, errors and who may are those of a command by itself', async () => {
  await serve()
  const [unknown, odd, refused, denied, flag] = await Promise.all([
    stage.run(['call', 'counted_nope', '--user', 'ana', '--json']),
    stage.run(['call', 'counted_odd', '--arg', 'kind=error']),
    stage.run(['list', '--user', 'bob']),
    stage.run(['call', 'counted_pid', '--user', 'ana', '--json']),
    stage.run(['call', 'counted_echo', '--nope', '1']),
  ])
  expect([unknown, odd, refused, denied, flag].map(({ code }) => code)).toEqual([66, 1, 77, 66, 64])
  expect(odd.stderr).toBe('the disk is full\n')
  expect(refused.stderr).toContain('user "bob" may not use the command line')
  expect(denied.stderr.replaceAll('counted_pid', 'counted_nope')).toBe(unknown.stderr)
  const seen = await stage.run(['list', '--user', 'ana'])
  expect(seen.stdout).toBe('plugin:counted:echo\texternal\tthe tool echo\n')
})

test('serve --user is for its clients: the command line acts as the user of the config', async () => {
  const serving = await serve('--user', 'ana')
  const { code, stdout } = await stage.run(['call', 'counted_pid'])
  expect([code, stdout]).toEqual([0, readFileSync(join(stage.folder, 'starts'), 'utf8')])
  await serving.until(/owner {2}cli {2}plugin:counted:pid {2}ok/)
})

test('arguments come from standard input', async () => {
  await serve()
  const text = 'ä'.repeat(200_000)
  const { code, stdout } = await stage.run(
    ['call', 'counted_echo', '--args', '-', '--arg', 'b=2'],
    JSON.stringify({ text }),
  )
  expect(JSON.parse(stdout).arguments).toEqual({ text, b: 2 })
  expect(code).toBe(0)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s cancels the call in the host, of which the server is told',
  async (signal) => {
    const serving = await serve('--log-level', 'info')
    const { child, done } = stage.start(['call', 'waiting_wait'])
    await serving.until('the call has come')
    child.kill(signal)
    const { code, stdout, stderr } = await done
    expect([code, stdout, stderr]).toEqual([130, '', 'callboard: the call of "waiting_wait" was cancelled\n'])
    await serving.until('the call is cancelled')
  },
)

test('a command that is killed is cancelled too', async () => {
  const serving = await serve('--log-level', 'info')
  const { child } = stage.start(['call', 'waiting_wait'])
  await serving.until('the call has come')
  child.kill('SIGKILL')
  await serving.until('the call is cancelled')
  await serving.until(/owner {2}cli {2}plugin:waiting:wait {2}cancelled/)
})

test('a big answer reaches a slow reader whole, and one that leaves early ends the command quietly', async () => {
  await serve()
  const slow = stage.start(['call', 'counted_big', '--arg', 'bytes=3000000'])
  await once(slow.child.stdout, 'readable')
  slow.child.stdout.pause()
  expect((await stage.run(['call', 'counted_pid'])).code).toBe(0)
  slow.child.stdout.resume()
  expect((await slow.done).stdout.length).toBe(3_000_001)
  const leaving = stage.start(['call', 'counted_big', '--arg', 'bytes=3000000'])
  await once(leaving.child.stdout, 'readable')
  leaving.child.stdout.destroy()
  const { code, stderr } = await leaving.done
  expect([code, stderr]).toEqual([0, ''])
})

test.each(['content', 'error', 'empty'])('a large answer (%s) is written as it is without a host', async (kind) => {
  const words = ['call', 'counted_large', '--args', JSON.stringify({ kind, times: 20_000 })]
  const alone = [await stage.run(words), await stage.run([...words, '--json'])]
  await serve()
  const through = [await stage.run(words), await stage.run([...words, '--json'])]
  // A difference of megabytes is nothing to print.
  expect(isDeepStrictEqual(through.map(read), alone.map(read))).toBe(true)
  expect(starts()).toBe(alone.length + 1)
  for (const { code, stdout, stderr } of through) {
    expect(code).toBe(kind === 'error' ? 1 : 0)
    expect(stdout.length + stderr.length).toBeGreaterThan(400_000)
  }
})

/** The members of an object may come in another order. */
function read({ stdout, ...rest }: CommandResult) {
  return { ...rest, stdout: stdout.startsWith('{"') ? JSON.parse(stdout) : stdout }
}

test('a host that is killed in the middle of a command ends it with 75, and the next command sees to itself', async () => {
  const serving = await serve('--log-level', 'info')
  const running = stage.start(['call', 'waiting_wait'])
  await serving.until('the call has come')
  serving.child.kill('SIGKILL')
  const { code, stderr } = await running.done
  expect(stderr).toContain(
    `the running host (process ${serving.child.pid}) has ended, or has cut it off, in the middle of the command`,
  )
  expect(stderr).toContain('look whether it was done before you call again')
  expect(code).toBe(75)
  expect(lstatSync(join(stage.folder, 'data/control.sock')).isSocket()).toBe(true)
  expect((await stage.run(['call', 'counted_echo'])).code).toBe(0)
  expect(starts()).toBe(2)
})

test('a host that is stopped in the middle of a command says so', async () => {
  const serving = await serve('--log-level', 'info')
  const running = stage.start(['call', 'waiting_wait'])
  await serving.until('the call has come')
  await stop(serving)
  const { code, stderr } = await running.done
  expect([code, stderr]).toEqual([75, expect.stringContaining('callboard: the host is being stopped\n')])
  expect(readdirSync(join(stage.folder, 'data'))).not.toContain('control.sock')
})

test('a socket that a killed host left behind is replaced by the next one', async () => {
  const killed = await serve()
  killed.child.kill('SIGKILL')
  await killed.done
  const serving = await serve()
  const { stdout } = await stage.run(['doctor', '--json'])
  expect(JSON.parse(stdout).host.pid).toBe(serving.child.pid)
})

test('of two hosts the first answers, and the second takes over when it ends', async () => {
  const first = await serve()
  const second = await serve()
  const pid = async () => JSON.parse((await stage.run(['doctor', '--json'])).stdout).host?.pid
  expect(await pid()).toBe(first.child.pid)
  await stop(first)
  await expect.poll(pid, { timeout: 10_000 }).toBe(second.child.pid)
})

test('a host that hangs is said to hang, and the command runs without it', async () => {
  const serving = await serve()
  serving.child.kill('SIGSTOP')
  const { code, stderr } = await stage.run(['call', 'counted_echo'])
  serving.child.kill('SIGCONT')
  expect(stderr).toMatch(
    /^warning: the host that has .*data does not answer within 3 s, so the command runs without it/,
  )
  expect(code).toBe(0)
})

test('a host over stdio is worked through too, and nothing of it gets between the client and the protocol', async () => {
  const serving = stage.start(['serve', '--stdio'])
  await serving.until(/counted +up/)
  expect((await stage.run(['call', 'counted_echo'])).code).toBe(0)
  expect(JSON.parse((await stage.run(['doctor', '--json'])).stdout).host).toMatchObject({ address: 'stdio' })
  serving.child.stdin.end()
  const { code, stdout } = await serving.done
  expect([code, stdout, starts()]).toEqual([0, '', 1])
})

test('serve --only leaves the command line to itself', async () => {
  const serving = stage.start(['serve', '--only', 'counted'])
  await serving.until(/counted +up/)
  expect(readdirSync(join(stage.folder, 'data'))).not.toContain('control.sock')
})

test('plugins restart starts one server anew; its calls in flight fail, and those that come meanwhile wait', async () => {
  const serving = await serve('--log-level', 'info')
  const running = stage.start(['call', 'waiting_wait'])
  await serving.until('the call has come')
  const { code, stdout } = await stage.run(['plugins', 'restart', 'waiting'])
  expect(stdout).toMatch(/^waiting\tmcp\tup\t1\t/)
  expect(code).toBe(0)
  const failed = await running.done
  expect(failed.stderr).toContain('"waiting"')
  expect([failed.code, starts()]).toEqual([75, 1])

  const restart = stage.start(['plugins', 'restart', 'counted'])
  await serving.until(/counted +starting, \d+ tools known/)
  const call = await stage.run(['call', 'counted_pid'])
  await restart.done
  expect([call.code, call.stderr, starts()]).toEqual([0, '', 2])
})

test('plugins restart is the owner’s, and of a plugin that can be', async () => {
  await serve()
  const [user, off, unknown] = await Promise.all([
    stage.run(['plugins', 'restart', 'counted', '--user', 'ana']),
    stage.run(['plugins', 'restart', 'off']),
    stage.run(['plugins', 'restart', 'conted']),
  ])
  expect([user.code, off.code, unknown.code]).toEqual([77, 64, 64])
  expect(off.stderr).toContain('plugin "off" can\'t be restarted: switched off in the config')
  expect(unknown.stderr).toContain('no plugin "conted"; did you mean "counted"?')
  expect(starts()).toBe(1)
})

test('a call of a server that is down fails at once and says since when and why', async () => {
  const serving = await serve()
  await stage.run(['call', 'counted_exit'])
  await serving.until(/counted +down/)
  const said = async (): Promise<string> => {
    const { code, stderr } = await stage.run(['call', 'counted_exit'])
    return `${code} ${stderr}`
  }
  await expect.poll(said, { timeout: 10_000 }).toMatch(/^69 .*"counted" is down since \d{4}-.*: /)
})

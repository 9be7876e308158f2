/** `callboard audit` as a person uses it: beside a host that serves, after it, and without one. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connect, createSite } from '../gateway/callboard.ts'

// Each starts some processes, and is not to fail where they are slow to come up.
vi.setConfig({ testTimeout: 120_000 })

const CONFIG = {
  dataDir: 'kept',
  http: { listen: '127.0.0.1:0' },
  plugins: { echo: { mcp: fixtureCommand('echo-server') } },
  roles: { some: ['cli.access', 'echo.echo'], none: ['echo.echo'] },
  users: { ana: { roles: ['some'] }, ben: { roles: ['none'] }, off: { roles: ['some'], disabled: true } },
}

async function stageOf(): Promise<Stage> {
  const stage = await createStage(CONFIG)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  return stage
}

/** The outcomes and tools that `audit` shows. */
async function shown(stage: Stage, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, code } = await stage.run(['audit', ...words])
  expect([stderr, code]).toEqual(['', 0])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split('\t')
      return [cells[1], cells[3], cells[7]].join(' ')
    })
}

test('calls of the command line are recorded without a host, and shown', async () => {
  const stage = await stageOf()
  expect(await shown(stage)).toEqual([])
  await stage.run(['call', 'echo_echo', '--arg', 'a=1'])
  await stage.run(['call', 'echo_pid', '--user', 'ana'])
  await stage.run(['call', 'echo_nothing'])
  expect(await shown(stage)).toEqual([
    'owner ok plugin:echo:echo',
    'ana denied plugin:echo:pid',
    'owner unknown echo_nothing',
  ])
  expect(await shown(stage, '--by', 'ana', '--since', '1h')).toEqual(['ana denied plugin:echo:pid'])
  expect(await shown(stage, '--tool', 'echo_echo')).toEqual(['owner ok plugin:echo:echo'])
  expect(await shown(stage, '--limit', '1')).toEqual(['owner unknown echo_nothing'])
  expect((await stage.run(['audit', '--user', 'ana'])).code).toBe(77)
})

test('calls of a tool are found by its public name, though it is on another surface, or switched off by now', async () => {
  const tools = { overrides: { pid: { surfaces: ['mcp'] } } }
  const stage = await createStage({ ...CONFIG, plugins: { echo: { mcp: fixtureCommand('echo-server'), tools } } })
  onTestFinished(() => stage[Symbol.asyncDispose]())
  for (const name of ['echo_pid', 'echo_echo']) await stage.run(['call', name])
  await stage.run(['tools', 'disable', 'echo_echo'])
  expect(await shown(stage, '--tool', 'echo_pid')).toEqual(['owner denied plugin:echo:pid'])
  expect(await shown(stage, '--tool', 'echo_echo')).toEqual(['owner ok plugin:echo:echo'])
})

test('calls through a running host are followed as they come, until Ctrl-C', async () => {
  const stage = await stageOf()
  const serving = stage.start(['serve'])
  await serving.until(/^echo +up/m)
  await stage.run(['call', 'echo_echo'])
  const following = stage.start(['audit', '--follow', '--json'])
  await following.until('"tool":"plugin:echo:echo"')
  await stage.run(['call', 'echo_pid'])
  await following.until(/"tool":"plugin:echo:pid".*"outcome":"ok"/)
  following.child.kill('SIGINT')
  const { stdout, code } = await following.done
  const outcomes = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).outcome)
  expect([outcomes, code]).toEqual([['ok', 'started', 'ok'], 0])
  serving.child.kill('SIGINT')
  await serving.done
  expect(await shown(stage)).toHaveLength(3)
})

test('a call that a host of one plugin refuses is recorded like any other', async () => {
  await using site = createSite(CONFIG.plugins)
  const serving = await site.serve('--only', 'echo')
  await serving.prints(/^echo +up/m)
  const client = await connect('modern', serving)
  onTestFinished(() => client.close())
  await client.callTool({ name: 'echo', arguments: {} })
  const refusal = await client.callTool({ name: 'echo_echo', arguments: {} }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({
    code: -32602,
    message: expect.stringContaining('"echo" has no tool named "echo_echo"'),
  })
  await serving.prints(/unknown/)
  expect(serving.printed()).toMatch(/plugin:echo:echo +ok.*plugin:echo:echo_echo +unknown/s)
})

test.each(['through a running host', 'without one'])(
  'what the command line refuses of a call is recorded, %s',
  async (way) => {
    const stage = await stageOf()
    if (way === 'through a running host') await stage.start(['serve']).until(/^echo +up/m)
    const codes: unknown[] = []
    for (const words of [
      ['echo_echo', '--user', 'ben'],
      ['echo_nothing', '--user', 'nobody'],
      ['plugin:echo:echo', '--user', 'off'],
      ['echo_echo', '--user', 'ben', '--help'],
      ['echo_pid', '--no-such-flag', '1'],
      ['echo_pid', '--args', '{'],
    ])
      codes.push((await stage.run(['call', ...words])).code)
    expect((await stage.run(['list', '--user', 'ben'])).code).toBe(77)
    expect(codes).toEqual([77, 77, 77, 77, 64, 65])
    expect(await shown(stage)).toEqual([
      'ben denied echo_echo',
      'nobody denied echo_nothing',
      'off denied plugin:echo:echo',
      'owner invalid plugin:echo:pid',
      'owner invalid plugin:echo:pid',
    ])
    const { stdout } = await stage.run(['audit', '--json', '--limit', '1'])
    expect(stdout).toContain('"surface":"cli"')
  },
  60_000,
)

test.each(['through a running host', 'without one'])(
  'a call of a plugin that is down and told no tools yet is unavailable, and unknown to whom it says nothing, %s',
  async (way) => {
    const stage = await createStage({
      ...CONFIG,
      plugins: { ...CONFIG.plugins, broken: { mcp: { command: 'no-such-command-anywhere' } } },
      roles: { ...CONFIG.roles, mending: ['cli.access', 'broken.x'] },
      users: { ...CONFIG.users, eve: { roles: ['mending'] } },
    })
    onTestFinished(() => stage[Symbol.asyncDispose]())
    if (way === 'through a running host') await stage.start(['serve']).until(/^broken +down/m)
    const codes: unknown[] = []
    for (const user of ['owner', 'ana', 'eve']) codes.push((await stage.run(['call', 'broken_x', '--user', user])).code)
    expect(codes).toEqual([69, 66, 69])
    expect(await shown(stage)).toEqual([
      'owner unavailable broken_x',
      'ana unknown broken_x',
      'eve unavailable broken_x',
    ])
  },
)

import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { createStage, type Stage } from './run-command.ts'

const CONFIG = {
  plugins: {
    echo: { mcp: fixtureCommand('echo-server') },
    broken: { mcp: { command: 'no-such-command-anywhere' } },
  },
  roles: { viewer: ['cli.access', 'echo.echo'] },
  users: { ana: { roles: ['viewer'] }, bob: { roles: [] } },
}

let stage: Stage
beforeAll(async () => {
  stage = await createStage(CONFIG)
})
afterAll(() => stage[Symbol.asyncDispose]())

const lines = (text: string) => text.trimEnd().split('\n')

test('list names every tool, and a plugin that cannot be started is a warning', async () => {
  const { code, stdout, stderr } = await stage.run(['list'])
  expect(lines(stdout).map((line) => line.split('\t')[0])).toContain('plugin:echo:echo')
  expect(lines(stderr)).toEqual([expect.stringContaining('warning: plugin "broken" is down: the command "no-such')])
  expect(code).toBe(0)
})

test('call passes arguments and answers on standard output', async () => {
  const words = ['call', 'plugin:echo:echo', '--arg', 'text=3 is a number', '--arg', 'count=3', '--arg', 'list=["a"]']
  const { code, stdout, stderr } = await stage.run(words)
  expect(JSON.parse(stdout).arguments).toEqual({ text: '3 is a number', count: 3, list: ['a'] })
  expect([code, stderr]).toEqual([0, ''])
})

test('call reads arguments from standard input', async () => {
  const { stdout } = await stage.run(['call', 'echo_echo', '--args', '-', '--arg', 'b=2'], '{"a":1,"b":1}')
  expect(JSON.parse(stdout).arguments).toEqual({ a: 1, b: 2 })
})

test.each([
  ['ok', 0, ['call', 'echo_echo']],
  ['a result with isError', 1, ['call', 'echo_odd', '--arg', 'kind=error']],
  ["the server's own error", 1, ['call', 'echo_odd', '--arg', 'kind=fault']],
  ['an unknown command', 64, ['lits']],
  ['an unknown flag', 64, ['call', 'echo_echo', '--nope', '1']],
  ['arguments that are no JSON', 65, ['call', 'echo_echo', '--args', '{']],
  ['an unknown tool', 66, ['call', 'echo_nope']],
  ['a user without access', 77, ['list', '--user', 'bob']],
  ['a config that is not there', 78, ['list', '--config', 'no-such-file.yaml']],
] as const)('%s ends with %i', async (_what, code, words) => {
  expect((await stage.run(words)).code).toBe(code)
})

test('a server that dies during the call ends with 75, since it may have done what it was asked', async () => {
  await using crashing = await createStage({ plugins: { crash: { mcp: fixtureCommand('crash-server') } } })
  const { code, stderr } = await crashing.run(['call', 'crash_die'])
  expect(stderr).toContain('callboard: plugin "crash" broke off the call, which may have been done or not: ')
  expect(code).toBe(75)
})

test('a tool of a plugin that never ran and cannot be started is unavailable, with the reason', async () => {
  const { code, stderr } = await stage.run(['call', 'plugin:broken:x'])
  expect(stderr).toMatch(/^callboard: plugin "broken" is down: .*\n.*\n$/)
  expect(code).toBe(69)
})

test.each([
  ['plugin.ts', "import * as path from 'node:path'\nexport default path.sep"],
  ['plugin.js', 'export default {}'],
  ['plugin.ts', 'console.log(import.meta.url)'],
])('a module in a package of CommonJS is told how that becomes one of modules (%s: %s)', async (name, text) => {
  await using odd = await createStage({ plugins: { odd: `./${name}` } })
  const manifest = join(odd.folder, 'package.json')
  await writeFile(join(odd.folder, name), text)
  await writeFile(manifest, '{ "type": "commonjs" }')
  const { stderr } = await odd.run(['call', 'plugin:odd:x'])
  expect(stderr).toContain(`; ${manifest} says "type": "commonjs", so write "type": "module" there\n`)
  expect(stderr.split(manifest)).toHaveLength(2)
})

test("a server's own error keeps its code and data", async () => {
  const { code, stderr } = await stage.run(['call', 'echo_odd', '--arg', 'kind=fault', '--json'])
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'tool_failed', message: 'quota exceeded', rpcCode: -32_050, data: { retryAfter: 30 } },
  })
  expect(code).toBe(1)
})

test.each([
  ['of one that the message does not say', ['call', 'echo_nope'], 'find the name with `callboard list`'],
  ['which is empty where the message says it', ['list', '--config', 'nowhere.yaml'], ''],
])('an error as JSON has a mend, %s', async (_, words, mend) => {
  const { stderr } = await stage.run([...words, '--json'])
  // A warning may stand before it.
  expect(JSON.parse(lines(stderr).at(-1) ?? '')).toEqual({
    error: { code: expect.any(String), message: expect.any(String), exitCode: expect.any(Number), mend },
  })
})

test('a user sees and calls what the roles permit and nothing else', async () => {
  const { stdout } = await stage.run(['list', '--user', 'ana'])
  expect(lines(stdout).map((line) => line.split('\t')[0])).toEqual(['plugin:echo:echo'])
  const [denied, unknown] = await Promise.all([
    stage.run(['call', 'echo_big', '--user', 'ana']),
    stage.run(['call', 'echo_bog', '--user', 'ana']),
  ])
  expect(denied).toEqual({ ...unknown, stderr: unknown.stderr.replaceAll('echo_bog', 'echo_big') })
  expect(denied.code).toBe(66)
})

test('a reader that leaves early ends the command quietly', async () => {
  const { child, done } = stage.start(['call', 'echo_big', '--arg', 'bytes=3000000'])
  await once(child.stdout, 'readable')
  child.stdout.destroy()
  const { code, stderr } = await done
  expect([code, stderr]).toEqual([0, ''])
})

test('a long answer reaches a slow reader whole', async () => {
  const { stdout } = await stage.run(['call', 'echo_big', '--arg', 'bytes=3000000'])
  expect(stdout.length).toBe(3_000_001)
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s cancels the call, of which the server is told, and ends with 130',
  async (signal) => {
    await using waiting = await createStage({ plugins: { waiting: { mcp: fixtureCommand('waiting-server') } } })
    const { child, until, done } = waiting.start(['call', 'waiting_wait', '--log-level', 'info'])
    await until('the call has come')
    child.kill(signal)
    const { code, stdout, stderr } = await done
    expect(stderr).toContain('the call is cancelled')
    expect(stderr).toContain('callboard: ')
    expect([code, stdout]).toEqual([130, ''])
  },
)

test('the log tells a user no hidden tool from one that is not there, nor of other plugins', async () => {
  const ofAna = ['--user', 'ana', '--log-level', 'debug']
  const [hidden, absent] = await Promise.all([
    stage.run(['call', 'echo_odd', ...ofAna]),
    stage.run(['call', 'echo_odx', ...ofAna]),
  ])
  expect([hidden.code, absent.code]).toEqual([66, 66])
  const said = (text: string) => text.replaceAll(/ {4}at .*\n/g, '').replaceAll('echo_odx', 'echo_odd')
  expect(said(hidden.stderr)).toBe(said(absent.stderr))
  expect(hidden.stderr).not.toMatch(/denied|broken/)
  const owners = await stage.run(['call', 'echo_nothing', '--log-level', 'info'])
  expect(owners.stderr).toContain('"outcome":"unknown"')
})

test('doctor ends with 1 and names the plugin that is not up', async () => {
  const { code, stdout } = await stage.run(['doctor', '--json'])
  const { well, plugins } = JSON.parse(stdout)
  expect(well).toBe(false)
  expect(plugins).toMatchObject([
    { id: 'broken', state: 'down', reason: expect.stringContaining('no-such-command-anywhere') },
    { id: 'echo', state: 'up', tools: expect.any(Number) },
  ])
  expect(code).toBe(1)
})

test('show tells the public name that a tool has beside one of the same name, of whose plugin nothing is known', async () => {
  const same = { mcp: fixtureCommand('echo-server'), prefix: 'same_' }
  await using twins = await createStage({ plugins: { one: same, two: same } })
  const { stdout } = await twins.run(['show', 'plugin:one:echo'])
  expect(stdout).toMatch(/^public name\tsame_echo-[0-9a-f]{8}$/m)
  expect((await twins.run(['show', 'same_echo'])).code).toBe(66)
})

test('a secret of the config is shown by no error', async () => {
  const file = join(stage.folder, 'secret.yaml')
  await writeFile(file, 'plugins: { x: { mcp: { command: "/no/such/$' + '{SECRET}" } } }\n')
  const { stdout, stderr } = await stage.start(['doctor', '--config', file], { env: { SECRET: 'hunter22' } }).done
  expect(stdout + stderr).not.toContain('hunter22')
  expect(stdout).toContain('/no/such/')
})

test('an older Node gets one clear line', async () => {
  const preload = join(stage.folder, 'old-node.cjs')
  const faked = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } })"
  await writeFile(preload, faked)
  const { code, stdout, stderr } = await stage.start(['list'], { nodeArgs: ['--require', preload] }).done
  expect(stderr).toBe('callboard needs Node 22.18 or later, but this is Node 18.20.0\n')
  expect([code, stdout]).toEqual([70, ''])
})

test('the start file is read by a Node that knows nothing newer than ES5', async () => {
  const source = await readFile(new URL('../../packages/callboard/bin/callboard.js', import.meta.url), 'utf8')
  const code = source.replace(/^#!.*/, '').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  expect(code).not.toMatch(/\b(let|const|class|import|async|await)\b|=>|`|\.\.\.|\?\./)
})

/** Users, roles and tokens on the command line: straight on the store, and through a host that serves. */
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { initialize, raw } from '../http/surface.ts'
import { bearing, callModern } from '../http/token-scene.ts'
import { createStage, type RunningCommand, type Stage } from './run-command.ts'

// Each starts some processes, and is not to fail where they are slow to come up.
vi.setConfig({ testTimeout: 120_000 })

let stage: Stage
beforeEach(async () => {
  stage = await createStage({
    http: { listen: '127.0.0.1:0', auth: 'tokens' },
    plugins: { echo: { mcp: fixtureCommand('echo-server') } },
    roles: { talk: ['echo.echo', 'cli.access'] },
    users: { ana: { roles: ['talk'] } },
  })
})
afterEach(() => stage[Symbol.asyncDispose]())

const TOKEN = /^callboard_[0-9a-f]{8}_[0-9a-f]{64}\n$/

async function run(line: string) {
  const { code, stdout, stderr } = await stage.run(line.split(' '))
  return { code, stdout, stderr }
}

async function json(line: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(`${line} --json`)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function serve(): Promise<{ readonly serving: RunningCommand; readonly url: string }> {
  const serving = stage.start(['serve', '--log-level', 'debug'])
  await serving.until(/echo +up/)
  return { serving, url: /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(serving.written())?.[0] ?? '' }
}

describe.each(['straight on the store', 'through a running host'])('%s', { timeout: 60_000 }, (way) => {
  beforeEach(async () => {
    if (way !== 'straight on the store') await serve()
  })

  test('users come, get other roles, go out and in again, and leave', async () => {
    expect(await run('users add ben --role talk')).toEqual({
      code: 0,
      stdout: 'ben\tenabled\tstore\ttalk\n',
      stderr: '',
    })
    expect((await run('users list')).stdout).toBe(
      'ana\tenabled\tconfig\ttalk\nben\tenabled\tstore\ttalk\nowner\tenabled\tbuilt in\t\n',
    )
    expect((await run('list --user ben')).stdout).toBe('plugin:echo:echo\texternal\tthe tool echo\n')
    expect((await run('users disable ben')).stdout).toBe('ben\tdisabled\tstore\ttalk\n')
    expect(await run('list --user ben')).toMatchObject({
      code: 77,
      stderr: expect.stringContaining(
        'this user is disabled; the owner may let the user in again: callboard users enable ben',
      ),
    })
    expect((await run('users enable ben')).stdout).toBe('ben\tenabled\tstore\ttalk\n')
    expect((await run('roles add ops echo.* cli.access')).stdout).toBe('ops\tstore\techo.* cli.access\n')
    expect(await json('users set ben --role talk --role ops')).toEqual({
      users: [{ name: 'ben', roles: ['talk', 'ops'], disabled: false, source: 'store' }],
    })
    expect((await run('list --user ben')).stdout.split('\n').length).toBeGreaterThan(5)
    expect(await run('users remove ben')).toEqual({ code: 0, stdout: 'ben is removed\n', stderr: '' })
    expect((await run('list --user ben')).stderr).toContain('no such user; the users are: ana, owner')
  })

  test('roles are added, changed, listed and removed', async () => {
    await run('roles add ops echo.pid')
    expect((await run('roles set ops echo.* docs.*')).stdout).toBe('ops\tstore\techo.* docs.*\n')
    expect(await json('roles list')).toEqual({
      roles: [
        { name: 'ops', permissions: ['echo.*', 'docs.*'], source: 'store' },
        { name: 'talk', permissions: ['echo.echo', 'cli.access'], source: 'config' },
      ],
    })
    expect(await json('roles remove ops')).toEqual({ removed: 'ops' })
    expect((await run('roles list')).stdout).toBe('talk\tconfig\techo.echo cli.access\n')
  })

  test('tokens are shown once, listed without what is secret, and revoked', async () => {
    const made = await run('tokens create laptop --for ana --expires 30d --permission echo.e* --permission echo.pid')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(TOKEN) })
    expect(made.stderr).toBe('This is the only time that the token is shown:\n')
    const id = made.stdout.slice('callboard_'.length, 'callboard_'.length + 8)
    const { tokens } = await json('tokens list')
    expect(tokens).toEqual([
      {
        id,
        name: 'laptop',
        user: 'ana',
        state: 'good',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        permissions: ['echo.e*', 'echo.pid'],
      },
    ])
    const [{ createdAt, expiresAt }] = tokens as [{ createdAt: string; expiresAt: string }]
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)).toBe(30)
    const other = await json('tokens create build --for owner')
    expect(other).toMatchObject({ token: expect.any(String), name: 'build', expiresAt: null, permissions: null })
    expect((await run('tokens list')).stdout).toMatch(
      new RegExp(
        `^build\t${other.id}\towner\tgood\tnever\tall of the user\nlaptop\t${id}\tana\tgood\t.+\techo.e\\* echo.pid\n$`,
      ),
    )
    expect(await run('tokens revoke laptop')).toEqual({ code: 0, stdout: 'laptop is removed\n', stderr: '' })
    expect(await json(`tokens revoke ${other.id}`)).toEqual({ removed: 'build' })
    expect((await run('tokens list')).stdout).toBe('')
  })
})

test.each([
  ['users add ana', 64, 'there is a user "ana" already; it is in the config, so change it there (users.ana)'],
  ['users add ben --role tallk', 64, 'no role "tallk"; did you mean "talk"?'],
  ['users remove ana', 64, 'the user "ana" can\'t be changed here; it is in the config'],
  ['users disable nobody', 64, 'no user "nobody"; there are ana, owner'],
  ['roles add talk x', 64, 'there is a role "talk" already; it is in the config'],
  ['roles add empty', 64, "missing required argument 'patterns'"],
  ['tokens create x', 64, "required option '--for <user>' not specified"],
  ['tokens create x --for anna', 64, 'no user "anna"; did you mean "ana"?'],
  ['tokens create x --for ana --expires soon', 64, 'it must be a duration'],
  ['tokens create x --for ana --expires 0s', 64, 'a token has to expire in the future'],
  ['tokens revoke x', 64, 'no token "x"; there are none'],
  ['users', 64, 'Usage: callboard users'],
  ['users list --user ana', 77, 'only the owner may do this'],
])('%s ends with %i and says why', async (line, code, message) => {
  const failed = await run(line)
  expect(failed).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})

test('what goes wrong is JSON where that is asked for', async () => {
  const { code, stdout, stderr } = await run('tokens revoke x --json')
  expect([code, stdout]).toEqual([64, ''])
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', message: 'no token "x"; there are none' } })
})

test('a running host lets in with a token of the command line at once, and out again', async () => {
  const { serving, url } = await serve()
  expect(serving.written()).toContain('no token lets anybody in over HTTP')
  expect(serving.written()).toContain(`--transport http callboard ${url} --header "Authorization: Bearer TOKEN"`)
  await run('users add ben --role talk')
  const token = (await run('tokens create bens --for ben')).stdout.trim()
  const ask = async () => (await raw(url, { headers: bearing(token), body: initialize })).status
  expect(await ask()).toBe(200)
  expect((await callModern(url, token, 'echo_echo', { message: 'hi' })).text).toContain('hi')
  await run('users disable ben')
  expect(await ask()).toBe(401)
  await run('users enable ben')
  expect(await ask()).toBe(200)
  await run('tokens revoke bens')
  expect(await ask()).toBe(401)
  expect(serving.written()).not.toContain(token.slice(-64))
})

test('a host that is not worked through follows the store all the same', async () => {
  const { url } = await serve()
  // Another config of the same data folder: its commands have no host of their own.
  const file = `${stage.folder}/other.yaml`
  const dataDir = JSON.parse((await run('doctor --json')).stdout).dataDir
  await writeFile(file, JSON.stringify({ dataDir }))
  const token = (await run(`tokens create mine --for owner --config ${file}`)).stdout.trim()
  const ask = async () => (await raw(url, { headers: bearing(token), body: initialize })).status
  expect(await ask()).toBe(200)
  await run(`tokens revoke mine --config ${file}`)
  expect(await ask()).toBe(401)
})

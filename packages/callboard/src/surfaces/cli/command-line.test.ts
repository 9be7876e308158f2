import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CallboardError, type ErrorCode, UpstreamError } from '../../errors.ts'
import { HostDouble } from './testing/host-double.ts'
import { PLUGINS, run } from './testing/plugins.ts'
import { runDouble } from './testing/run-double.ts'

describe('what goes wrong', () => {
  const EXITS: readonly (readonly [ErrorCode, number])[] = [
    ['usage', 64],
    ['invalid_arguments', 65],
    ['not_found', 66],
    ['tool_failed', 1],
    ['unavailable', 69],
    ['interrupted', 75],
    ['timeout', 69],
    ['cancelled', 130],
    ['denied', 77],
    ['config', 78],
    ['internal', 70],
  ]
  test.each(EXITS)('an error %s ends with %i, in words or as JSON', async (code, exit) => {
    const answer = () => Promise.reject(new CallboardError(code, 'the message'))
    const { stderr, code: exitCode } = await run('call github_close_issue', { answer })
    expect(stderr).toMatch(/^callboard: the message\n/)
    expect(exitCode).toBe(exit)
    const json = await run('call github_close_issue --json', { answer })
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code, message: 'the message', exitCode: exit } })
    expect(json.stdout).toBe('')
  })

  test("a server's own error ends with 1 and keeps its code and data", async () => {
    const answer = () => Promise.reject(new UpstreamError(-32_000, 'broken', { why: 1 }))
    const { code, stderr } = await run('call github_close_issue --json', { answer })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'tool_failed', rpcCode: -32_000, data: { why: 1 } } })
    expect(code).toBe(1)
  })

  test('anything else is internal', async () => {
    const { code, stderr } = await run('list', { openHost: () => Promise.reject(new TypeError('oops')) })
    expect(stderr).toContain('callboard: oops')
    expect(code).toBe(70)
  })

  test('secrets are replaced in errors', async () => {
    const openHost = async () => {
      const host = new HostDouble({ plugins: PLUGINS, answer: () => Promise.reject(new Error('key hunter22 refused')) })
      host.secrets.add('hunter22')
      return host
    }
    const { stderr } = await run('call github_close_issue', { openHost })
    expect(stderr).toContain('key [secret] refused')
  })

  test.each([
    ['lst', "unknown command 'lst' (did you mean list?); see --help"],
    ['list --bogus', "unknown option '--bogus'"],
    ['list --limt 3', "unknown option '--limt' (did you mean --limit?); see --help"],
    ['list --limit', "option '--limit <n>' argument missing; see --help"],
    ['list --limit x', "option '--limit <n>' argument 'x' is invalid: it must be a whole number, 0 or more"],
    ['list --limit -1', 'it must be a whole number, 0 or more'],
    ['list --category x', 'is invalid: allowed choices are tool, ai, stream, external; see --help'],
    ['audit extra', "too many arguments for 'audit' (expected 0 arguments but got 1: extra); see --help"],
    ['show a b', "too many arguments for 'show' (expected 1 argument but got 2: a, b); see --help"],
    ['list what. now.', "too many arguments for 'list' (expected 0 arguments but got 2: what., now.); see --help"],
    ['plugins frob x', "unknown command 'plugins frob'"],
    ['tools frob', "unknown command 'tools frob'"],
    ['search', "missing required argument 'query'"],
    ['call', "missing required argument 'tool'"],
    ['serve --http nonsense:x', 'it must be HOST:PORT, such as 127.0.0.1:2255'],
    ['call x --log-level loud', 'no log level "loud"'],
    ['call x --config', '--config needs a value'],
  ])('%s is refused with 64', async (line, message) => {
    const { code, stderr, stdout } = await run(line)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([64, ''])
  })

  test('a usage error is JSON where JSON was asked for', async () => {
    expect(JSON.parse((await run('list --json --bogus')).stderr)).toMatchObject({ error: { code: 'usage' } })
  })

  test('no command at all is answered with the help and 64', async () => {
    const { code, stderr } = await runDouble([])
    expect(stderr).toContain('Usage: callboard')
    expect(code).toBe(64)
  })
})

describe('who may', () => {
  const OWNERS = [
    'plugins restart github',
    'doctor',
    'users list',
    'users add x',
    'users set x',
    'users enable x',
    'users disable x',
    'users remove x',
    'roles list',
    'roles add x y',
    'roles set x y',
    'roles remove x',
    'tokens list',
    'tokens create x --for y',
    'tokens revoke x',
  ]

  test.each(['list', 'search x', 'show x', 'call x', 'call x --help', 'plugins', 'serve', ...OWNERS])(
    '%s needs cli.access',
    async (line) => {
      const { code, stderr, stdout, host } = await run(`${line} --user ana`, { permissions: [], users: ['ana'] })
      expect(stderr).toContain(
        'callboard: user "ana" may not use the command line: it needs the permission "cli.access"',
      )
      expect([code, stdout, host.started]).toEqual([77, '', []])
    },
  )

  test.each(OWNERS)('%s is the owner’s alone, whatever is granted', async (line) => {
    const { code, stderr, stdout } = await run(`${line} --user ana`, { users: ['ana'] })
    expect(stderr).toContain('only the owner may do this, and user "ana" is not')
    expect([code, stdout]).toEqual([77, ''])
  })

  test('an unknown user is told the users of the config, which whoever runs a command can read', async () => {
    const { code, stderr } = await run('list --user zoe', { permissions: [], users: ['ana', 'bob'] })
    expect(stderr).toContain('user "zoe" may not use the command line: no such user; the users are: owner, ana, bob\n')
    expect(code).toBe(77)
  })

  test('help and version need nothing', async () => {
    const openHost = () => Promise.reject(new Error('a host was opened'))
    for (const line of ['--help', 'help', 'list --help', 'call --help', 'help call'])
      expect((await run(line, { openHost })).code).toBe(0)
    expect(await run('--version', { openHost })).toMatchObject({ code: 0, stdout: '1.2.3\n' })
  })

  test('trust and plugin know no users, since they work before any config is read', async () => {
    const openHost = () => Promise.reject(new Error('a host was opened'))
    const folder = mkdtempSync(join(tmpdir(), 'callboard-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const place = { cwd: folder, env: {}, home: folder }
    for (const line of ['trust --list', 'trust --revoke', 'plugin new acme/hello', 'plugin check hello'])
      expect(await run(`${line} --user nobody`, { openHost, place })).toMatchObject({ code: 0, stderr: '' })
  })
})

import { describe, expect, test } from 'vitest'
import { HostDouble } from '../testing/host-double.ts'
import { BROKEN, GITHUB, OFF, run } from '../testing/plugins.ts'

const PLUGINS = [GITHUB, BROKEN, OFF]
const RUNNING = { pid: 42, since: 0, version: '1.2.3', address: 'http://127.0.0.1:2255/mcp' }

function through(line: string, user = 'owner') {
  const host = new HostDouble({ plugins: PLUGINS })
  return { host, result: run(line, { lent: { host, user, running: RUNNING } }) }
}

describe('plugins restart', () => {
  test('restarts the plugin of the running host and tells how it is then', async () => {
    const { host, result } = through('plugins restart github')
    const { code, stdout } = await result
    expect(stdout).toMatch(/^github\tmcp\tup\t2\t[-\d]+ [:\d]+\t\n$/)
    expect([code, host.restarted]).toEqual([0, ['github']])
  })

  test('one that does not come up ends with 69 and the reason', async () => {
    const { code, stdout } = await through('plugins restart broken --json').result
    expect(JSON.parse(stdout).plugins).toMatchObject([{ id: 'broken', reason: 'command "nope" was not found' }])
    expect(code).toBe(69)
  })

  test('is the owner’s alone', async () => {
    const { host, result } = through('plugins restart github', 'ana')
    const { code, stderr } = await result
    expect(stderr).toContain('only the owner may do this, and user "ana" is not; act as the owner with --user owner')
    expect([code, host.restarted]).toEqual([77, []])
    const asOwner = through('plugins restart github --user owner', 'ana')
    expect([(await asOwner.result).code, asOwner.host.restarted]).toEqual([0, ['github']])
  })

  test('without a running host it says so', async () => {
    const { code, stderr, host } = await run('plugins restart github', { plugins: PLUGINS })
    expect(stderr).toContain('no host serves this config, so there is no plugin "github" to restart')
    expect([code, host.restarted, host.started]).toEqual([69, [], []])
  })
})

describe('where a host of another config has the socket', () => {
  const OTHER = { ...RUNNING, config: '/etc/other.yaml' }
  const throughHost = async () => OTHER

  test('restart names it and says that one of this config can not be reached', async () => {
    const { code, stderr, host } = await run('plugins restart github', { plugins: PLUGINS, throughHost })
    expect(stderr).toContain(
      'plugin "github" is not restarted: process 42, which serves /etc/other.yaml, answers the commands of /var/callboard, so a host of this config can\'t be reached, if one runs; restart that host as a whole, or give this config a dataDir of its own',
    )
    expect([code, host.restarted, host.started]).toEqual([69, [], []])
  })

  test('doctor names it and what follows, and starts everything', async () => {
    const { code, stdout, host } = await run('doctor', { plugins: [GITHUB], throughHost })
    expect(stdout).toMatch(/running host\tprocess 42, since .*, of another config: \/etc\/other\.yaml\n/)
    expect(stdout).toContain(
      "note: process 42, which serves /etc/other.yaml, answers the commands of /var/callboard; a host of this config can't be reached, if one runs, and its commands start plugins of their own: give this config a dataDir of its own\n",
    )
    expect([code, host.started]).toEqual([0, ['github']])
    const json = JSON.parse((await run('doctor --json', { plugins: [GITHUB], throughHost })).stdout)
    expect(json).toMatchObject({ host: null, otherHost: { ...OTHER, since: new Date(OTHER.since).toISOString() } })
  })
})

describe('through a running host', () => {
  test('plugins starts nothing', async () => {
    const { host, result } = through('plugins')
    expect((await result).stdout).toContain('github\tmcp\tstopped')
    expect(host.started).toEqual([])
  })

  test('doctor names it and leaves alone what is down or failed', async () => {
    const { host, result } = through('doctor --json')
    await host.start()
    host.started.length = 0
    const { code, stdout } = await result
    expect(JSON.parse(stdout)).toMatchObject({
      host: { ...RUNNING, since: new Date(RUNNING.since).toISOString() },
      well: false,
    })
    expect([code, host.started]).toEqual([1, []])
    expect((await through('doctor').result).stdout).toMatch(
      /running host\tprocess 42, since [-\d]+ [:\d]+, version 1\.2\.3, at http:\/\/127\.0\.0\.1:2255\/mcp\n/,
    )
  })

  test('what has come up once is not started again by list, and is a warning when it failed', async () => {
    const { host, result } = through('list')
    await host.start()
    host.started.length = 0
    const { stderr, code } = await result
    expect(stderr).toBe('warning: plugin "broken" could not be started: command "nope" was not found\n')
    expect([code, host.started]).toEqual([0, []])
  })

  test('the host stays when the command has ended, and the words decide who acts', async () => {
    const { host, result } = through('call github_close_issue --user ana')
    expect((await result).code).toBe(0)
    expect(host.requests).toMatchObject([{ user: 'ana' }])
    expect(host.disposed).toBe(false)
  })

  test('serve does not', async () => {
    const refuse = () => Promise.reject(new Error('opened a host of its own'))
    const host = new HostDouble({ plugins: PLUGINS })
    const { stderr } = await run('serve', { lent: { host, user: 'owner', running: RUNNING }, openHost: refuse })
    expect(stderr).toContain('opened a host of its own')
  })
})

describe('a host that runs elsewhere', () => {
  test('takes the words, and its exit code is the command’s', async () => {
    const asked: unknown[] = []
    const { code, host } = await run('call x --user ana', {
      throughHost: async (words, { user }) => {
        asked.push(words, user)
        return 66
      },
    })
    expect([code, asked, host.requests]).toEqual([66, [['call', 'x', '--user', 'ana'], 'ana'], []])
  })

  test('is not asked by serve, by help or for what the parser refuses', async () => {
    const throughHost = () => Promise.reject(new Error('asked'))
    expect((await run('list --help', { throughHost })).code).toBe(0)
    expect((await run('list --bogus', { throughHost })).code).toBe(64)
    const refused = await run('serve --only nobody', { throughHost })
    expect(refused.stderr).toContain('no plugin "nobody"')
  })

  test('without one the command sees to itself', async () => {
    const { code, host } = await run('call github_close_issue', { throughHost: async () => undefined })
    expect([code, host.requests.length]).toEqual([0, 1])
  })
})

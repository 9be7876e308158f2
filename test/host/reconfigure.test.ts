/** A host that is given other configs while it runs, as an application does it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest'
import type { Config } from '../../packages/callboard/src/config/config.ts'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost, type Host, type Reconfiguration } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { fixtureCommand, startHttpFixture } from '../fixtures/fixture.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'callboard-host-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
})

function load(data: object): Config {
  return loadConfig({ data: { dataDir, ...data }, cwd: dataDir, env: {}, home: dataDir })
}

async function hostOf(data: object): Promise<Host> {
  const config = load(data)
  const host = await createHost({ config, log: createLog(config.secrets, 'silent') })
  onTestFinished(() => host[Symbol.asyncDispose]())
  await host.start()
  return host
}

async function toolNames(host: Host, user = 'owner'): Promise<string[]> {
  const view = await host.view(user, 'mcp')
  return [...view.tools].filter(({ entry }) => entry.pluginId !== 'callboard').map(({ entry }) => entry.name)
}

async function run(host: Host, name: string): Promise<string> {
  const { content } = await host.invoker.run({ name, arguments: {}, user: 'owner' })
  return String(content[0]?.text)
}

const held = { mcp: fixtureCommand('held-server') }

describe('a host that is given another config', () => {
  it('has taken it over when it answers, and starts what is new', async () => {
    const host = await hostOf({ plugins: { a: held } })
    const pid = await run(host, 'a_pid')
    const told: Reconfiguration[] = []
    onTestFinished(host.onReconfigure((reconfiguration) => told.push(reconfiguration)))
    const change = host.reconfigure(load({ plugins: { a: held, b: held }, limits: { timeout: '7s' } }))
    expect(change).toMatchObject({ added: ['b'], removed: [], restarted: [], adjusted: [], settings: ['limits'] })
    expect(told).toEqual([{ outcome: 'applied', change, reports: [] }])
    expect(host.config.limits.timeoutMs).toBe(7_000)
    expect(host.plugins().map(({ id }) => id)).toEqual(['a', 'b'])
    await host.start()
    expect(host.plugins().map(({ state }) => state)).toEqual(['up', 'up'])
    expect(await run(host, 'a_pid')).toBe(pid)
  })

  it('shows the tools of a plugin that restarts all the while, and lets calls wait for it', async () => {
    const host = await hostOf({ plugins: { a: held } })
    const pid = await run(host, 'a_pid')
    const before = await toolNames(host)
    const seen: string[][] = []
    onTestFinished(host.onCatalogChange(() => void toolNames(host).then((names) => seen.push(names))))
    host.reconfigure(load({ plugins: { a: { mcp: { ...held.mcp, env: { VERSION: '2' } } } } }))
    expect(await toolNames(host)).toEqual(before)
    expect(await run(host, 'a_pid')).not.toBe(pid)
    expect(seen.every((names) => names.length === before.length)).toBe(true)
  })

  it('starts nothing that nobody asked for', async () => {
    const config = load({ plugins: { a: held, b: held } })
    const host = await createHost({ config, log: createLog(config.secrets, 'silent') })
    onTestFinished(() => host[Symbol.asyncDispose]())
    await host.start(['a'])
    const other = (version: string) => ({ mcp: { ...held.mcp, env: { VERSION: version } } })
    host.reconfigure(load({ plugins: { a: other('2'), b: other('2'), c: held } }))
    await host.start(['a'])
    expect(host.plugins().map(({ id, state }) => `${id} ${state}`)).toEqual(['a up', 'b stopped', 'c stopped'])
  })

  it('names tools anew in one step', async () => {
    const long = `${'long'.repeat(8)}_`
    const host = await hostOf({ plugins: { a: { ...held, prefix: long } } })
    expect(await toolNames(host)).toEqual([`${long}hold`, `${long}pid`])
    let changes = 0
    onTestFinished(host.onCatalogChange(() => changes++))
    host.reconfigure(load({ plugins: { a: { ...held, prefix: long } }, names: { maxLength: 32 } }))
    const names = await toolNames(host)
    expect(names.map((name) => name.length)).toEqual([32, 32])
    expect(await run(host, 'plugin:a:pid')).toMatch(/^\d+$/)
    expect(changes).toBeLessThanOrEqual(2)
  })

  it('decides by its roles at once', async () => {
    const people = (patterns: readonly string[]) => ({ roles: { r: patterns }, users: { ana: { roles: ['r'] } } })
    const host = await hostOf({ plugins: { a: held }, ...people(['a.*']) })
    expect(await toolNames(host, 'ana')).toEqual(['a_hold', 'a_pid'])
    host.reconfigure(load({ plugins: { a: held }, ...people(['a.pid']) }))
    expect(await toolNames(host, 'ana')).toEqual(['a_pid'])
    host.reconfigure(load({ plugins: { a: held } }))
    expect(await toolNames(host, 'ana')).toEqual([])
  })

  it('keeps secrets of the new one out of its texts, and those of the old one', async () => {
    const secretive = (key: string) => ({ a: { mcp: { ...held.mcp, env: { API_KEY: key } } } })
    const host = await hostOf({ plugins: secretive('old-value') })
    host.reconfigure(load({ plugins: secretive('new-value') }))
    expect(host.secrets.redact('old-value new-value')).toBe('[secret] [secret]')
  })

  it('reports what waits for a restart, and what was refused, until that is over', async () => {
    const host = await hostOf({ plugins: {} })
    host.reconfigure(load({ plugins: {}, http: { listen: '127.0.0.1:1' } }))
    expect(host.config.http.port).toBe(2255)
    expect(host.reports()).toEqual([expect.stringContaining('http.listen stays 127.0.0.1:2255 until a restart')])
    host.refuseConfig('callboard.yaml:1:1: one\ncallboard.yaml:2:1: two')
    expect(host.reports()).toEqual([
      'the changed config is refused: callboard.yaml:1:1: one',
      'the changed config is refused: callboard.yaml:2:1: two',
    ])
    host.reconfigure(load({ plugins: {} }))
    expect(host.reports()).toEqual([])
  })

  it('leaves everything as it was when it can not be taken over', async () => {
    const host = await hostOf({ plugins: { a: held }, http: { listen: '0.0.0.0:1', auth: 'tokens' } })
    const before = host.config
    expect(() => host.reconfigure(load({ plugins: {} }))).toThrow('beyond this machine')
    expect(host.config).toBe(before)
    expect(await run(host, 'a_pid')).toMatch(/^\d+$/)
  })
})

describe('a plugin that runs one call at once', () => {
  const single = (version: string) => ({ mcp: { ...held.mcp, env: { VERSION: version } }, concurrency: 1 })

  /** A host whose one plugin is held by a call that ends when `finish` is called, with another call in line behind it. */
  async function busyHost() {
    const host = await hostOf({ plugins: { a: single('1') } })
    const pid = await run(host, 'a_pid')
    const file = join(dataDir, 'finish')
    const begun = Promise.withResolvers<void>()
    const running = host.invoker.run({
      name: 'a_hold',
      arguments: { file },
      user: 'owner',
      onProgress: () => begun.resolve(),
    })
    await begun.promise
    const waiting = run(host, 'a_pid')
    // Its schema is compiled by now, so all that comes before the line is done within a turn of the event loop.
    await new Promise(setImmediate)
    return { host, pid, running, waiting, finish: () => writeFileSync(file, '') }
  }

  it('that restarts serves at once who was in line, and who comes, while the old one still answers', async () => {
    const { host, pid, running, waiting, finish } = await busyHost()
    host.reconfigure(load({ plugins: { a: single('2') } }))
    const fresh = await run(host, 'a_pid')
    expect(fresh).not.toBe(pid)
    expect(await waiting).toBe(fresh)
    finish()
    expect((await running).content).toEqual([{ type: 'text', text: pid }])
  })

  it('that leaves refuses at once who was in line, while it still answers', async () => {
    const { host, pid, running, waiting, finish } = await busyHost()
    const refused = expect(waiting).rejects.toThrow('plugin "a" is not there any more')
    host.reconfigure(load({ plugins: {} }))
    await refused
    finish()
    expect((await running).content).toEqual([{ type: 'text', text: pid }])
  })

  it('that may run more from now on lets in who was in line', async () => {
    const { host, pid, running, waiting, finish } = await busyHost()
    host.reconfigure(load({ plugins: { a: { ...single('1'), concurrency: 2 } } }))
    expect(await run(host, 'a_pid')).toBe(pid)
    expect(await waiting).toBe(pid)
    finish()
    await running
  })
})

/** The handles of this process by type, and its children. */
function resources(): Record<string, number> {
  const { libuv } = process.report.getReport() as { libuv: readonly { type: string; is_active: boolean }[] }
  const counts: Record<string, number> = { timers: 0 }
  for (const { type, is_active } of libuv) if (is_active) counts[type] = (counts[type] ?? 0) + 1
  for (const name of process.getActiveResourcesInfo()) if (name === 'Timeout') counts.timers = (counts.timers ?? 0) + 1
  const table = execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' })
  counts.children = table.split('\n').filter((line) => Number(line) === process.pid).length
  return counts
}

test('a hundred configs later nothing is left over', { timeout: 60_000 }, async () => {
  await using http = await startHttpFixture('echo-server')
  const web = (version: number) => ({ mcp: { url: `${http.url}?version=${version}` } })
  const settled = { plugins: { same: held, web: web(0) } }
  const host = await hostOf(settled)
  const pid = await run(host, 'same_pid')
  const before = resources()
  for (let version = 1; version <= 100; version++) {
    const stdio = version % 20 === 0 ? { process: { mcp: { ...held.mcp, env: { VERSION: `${version}` } } } } : {}
    const more = version % 2 === 0 ? { more: web(version) } : {}
    host.reconfigure(
      load({
        plugins: { same: { ...held, prefix: `${version}_` }, web: web(version), ...stdio, ...more },
        expose: [`${version}*`],
        roles: { r: [`a${version}`] },
        names: { maxLength: 40 + (version % 2) },
      }),
    )
    if (version % 10 === 0) await host.start()
  }
  host.reconfigure(load(settled))
  await host.start()
  expect(await run(host, 'same_pid')).toBe(pid)
  expect(await run(host, 'web_pid')).toMatch(/^\d+$/)
  // Sockets that the HTTP client keeps for a while are closed a few seconds later; one timer is that of the poll itself.
  const increased = () => {
    const now = resources()
    return Object.keys(now).filter((name) => (now[name] ?? 0) > (before[name] ?? 0) + (name === 'timers' ? 1 : 0))
  }
  await expect.poll(increased, { timeout: 30_000, interval: 500 }).toEqual([])
})

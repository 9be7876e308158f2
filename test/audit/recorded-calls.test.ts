/** What a host records of its calls, as an application has it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../packages/callboard/src/config/config.ts'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import type { AuditQuery } from '../../packages/callboard/src/host/read-audit.ts'
import { createHost, type Host } from '../../packages/callboard/src/host.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import type { AuditRow } from '../../packages/callboard/src/store/audit-store.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'callboard-audit-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
})

const SECRET = 'tr0ub4dor'
const ROLES = { roles: { some: ['echo.echo'] }, users: { ana: { roles: ['some'] } } }

function load(audit: object = {}): Config {
  const echo = {
    mcp: { ...fixtureCommand('echo-server'), env: { API_KEY: SECRET } },
    tools: { overrides: { exit: { destructive: false } } },
  }
  return loadConfig({ data: { dataDir, audit, plugins: { echo }, ...ROLES }, cwd: dataDir, env: {}, home: dataDir })
}

async function hostOf(audit: object = {}): Promise<Host> {
  const config = load(audit)
  const host = await createHost({ config, log: createLog(config.secrets, 'silent') })
  onTestFinished(() => host[Symbol.asyncDispose]())
  await host.start()
  return host
}

/** Calls as the owner and answers the text, or the code and the message of the error. */
async function call(host: Host, name: string, args: object = {}, more: object = {}): Promise<string> {
  try {
    const { content } = await host.invoker.run({ name, arguments: { ...args }, user: 'owner', ...more })
    return String(content[0]?.text)
  } catch (error) {
    const { code, message }: { code?: unknown; message?: unknown } = Object(error)
    return `${code}: ${message}`
  }
}

async function rowsOf(host: Host, query: Partial<AuditQuery> = {}): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = []
  for await (const batch of host.audit({ signal: new AbortController().signal, ...query })) rows.push(...batch.rows)
  return rows
}

test('a call is in the audit when it is answered, and so is each refusal, each once', async () => {
  const host = await hostOf()
  await call(host, 'echo_echo', { a: 1 })
  await call(host, 'plugin:echo:odd', { kind: 'error' }, { surface: 'cli' })
  await call(host, 'echo_odd', { kind: 'fault' })
  await call(host, 'echo_nothing')
  await call(host, 'echo_pid', {}, { user: 'ana' })
  await call(host, 'search_mcp_tools')
  await call(host, 'echo_echo', {}, { signal: AbortSignal.abort() })
  await call(host, 'call_mcp_tool', { tool_name: 'echo_echo', arguments: { a: 1 } })
  await call(host, 'call_mcp_tool', { tool_name: 'nothing' })
  expect(
    (await rowsOf(host)).map(({ user, surface, tool, plugin, outcome, via }) => [
      user,
      surface,
      tool,
      plugin,
      outcome,
      via,
    ]),
  ).toEqual([
    ['owner', 'mcp', 'plugin:echo:echo', 'echo', 'ok', undefined],
    ['owner', 'cli', 'plugin:echo:odd', 'echo', 'started', undefined],
    ['owner', 'cli', 'plugin:echo:odd', 'echo', 'tool_error', undefined],
    ['owner', 'mcp', 'plugin:echo:odd', 'echo', 'started', undefined],
    ['owner', 'mcp', 'plugin:echo:odd', 'echo', 'upstream_error', undefined],
    ['owner', 'mcp', 'echo_nothing', undefined, 'unknown', undefined],
    ['ana', 'mcp', 'plugin:echo:pid', 'echo', 'denied', undefined],
    ['owner', 'mcp', 'plugin:callboard:search_mcp_tools', 'callboard', 'invalid', undefined],
    ['owner', 'mcp', 'plugin:echo:echo', 'echo', 'cancelled', undefined],
    ['owner', 'mcp', 'plugin:echo:echo', 'echo', 'ok', 'call_mcp_tool'],
    ['owner', 'mcp', 'nothing', undefined, 'unknown', 'call_mcp_tool'],
  ])
})

test('a row says when it was, how long it took and how much was given and answered, but not what', async () => {
  const host = await hostOf()
  const before = Date.now()
  await call(host, 'echo_big', { bytes: 1_000_000 })
  const [, row] = await rowsOf(host)
  expect(row?.time).toBeGreaterThanOrEqual(before)
  expect(row?.durationMs).toBeGreaterThan(0)
  expect(row?.argumentsSize).toBe('{"bytes":1000000}'.length)
  expect(row?.resultSize).toBeGreaterThan(1_000_000)
  expect(row?.resultSize).toBeLessThan(1_000_100)
  expect(row?.arguments).toBeUndefined()
})

test('arguments are recorded where the config says so, without secrets, from the next call on', async () => {
  const host = await hostOf()
  const args = { note: `it is ${SECRET}`, password: 'x', nested: [{ apiKey: 'y', n: 1 }] }
  await call(host, 'echo_echo', args)
  expect(host.reconfigure(load({ arguments: true })).settings).toEqual(['audit'])
  await call(host, 'echo_echo', args)
  await call(host, 'echo_nothing', { note: 'of a tool that is not there' })
  await call(host, `no ${SECRET}`)
  const rows = await rowsOf(host)
  expect(rows.map((row) => row.arguments && JSON.parse(row.arguments))).toEqual([
    undefined,
    { note: 'it is [secret]', password: '[secret]', nested: [{ apiKey: '[secret]', n: 1 }] },
    undefined,
    undefined,
  ])
  expect(rows.at(-1)?.tool).toBe('no [secret]')
})

test('nothing is recorded, and no folder made, where nothing is to be kept', async () => {
  const host = await hostOf({ keep: 0 })
  expect(await call(host, 'echo_pid')).toMatch(/^\d+$/)
  expect(await rowsOf(host)).toEqual([])
  expect(readdirSync(dataDir)).not.toContain('audit')
})

test('what was to be pruned is pruned when the host starts', async () => {
  const folder = join(dataDir, 'audit')
  mkdirSync(folder, { recursive: true })
  for (const day of ['2020-01-01', '2020-01-02']) writeFileSync(join(folder, `${day}-00001.jsonl`), '')
  await hostOf()
  await expect.poll(() => readdirSync(folder).length, { timeout: 10_000 }).toBe(0)
})

describe('where calls can not be recorded', () => {
  /** A host whose audit can't be written, and the way to mend that. */
  async function broken(audit: object = {}) {
    writeFileSync(join(dataDir, 'audit'), 'a file where the folder should be')
    return { host: await hostOf(audit), mend: () => unlinkSync(join(dataDir, 'audit')) }
  }

  test('they are answered with an error that tells the caller nothing but that', async () => {
    const { host } = await broken()
    const refusal =
      /^unavailable: the call can't be recorded, and none is run or answered without that; the owner finds the reason/
    for (const name of ['echo_echo', 'echo_nothing']) expect(await call(host, name)).toMatch(refusal)
    expect(await call(host, 'echo_echo')).not.toContain(dataDir)
    const unknown = await call(host, 'echo_nothing', {}, { user: 'ana' })
    expect(await call(host, 'echo_pid', {}, { user: 'ana' })).toBe(unknown)
  })

  test('nothing runs any more after the first of them', async () => {
    const { host, mend } = await broken()
    await call(host, 'echo_echo')
    expect(await call(host, 'echo_exit')).toContain("can't be recorded")
    mend()
    expect(host.plugins().map(({ state }) => state)).toEqual(['up'])
    expect(await call(host, 'echo_echo')).toContain('arguments')
  })

  test('the owner hears the reason, until it is mended', async () => {
    const { host, mend } = await broken()
    await call(host, 'echo_echo')
    expect(host.reports()).toEqual([
      expect.stringMatching(/^calls can't be recorded: can't write to the audit in ".*audit": /),
    ])
    mend()
    expect(await call(host, 'echo_pid')).toMatch(/^\d+$/)
    expect(host.reports()).toEqual([])
  })

  test('they are answered all the same where the config allows it', async () => {
    const { host } = await broken({ required: false })
    expect(await call(host, 'echo_pid')).toMatch(/^\d+$/)
    expect(await call(host, 'echo_nothing')).toMatch(/^not_found/)
    expect(host.reports()).toHaveLength(1)
  })
})

test('a call that ends with its host is recorded', async () => {
  const host = await hostOf()
  const begun = Promise.withResolvers<void>()
  const answer = call(host, 'echo_wait', {}, { onProgress: () => begun.resolve() })
  await begun.promise
  await host[Symbol.asyncDispose]()
  expect(await answer).toMatch(/^interrupted/)
  const [name = ''] = readdirSync(join(dataDir, 'audit'))
  const rows = readFileSync(join(dataDir, 'audit', name), 'utf8')
    .trimEnd()
    .split('\n')
  expect(rows.map((row) => JSON.parse(row).outcome)).toEqual(['started', 'interrupted'])
})

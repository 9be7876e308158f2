import { describe, expect, test } from 'vitest'
import type { AuditBatch } from '../../../host/read-audit.ts'
import type { AuditRow } from '../../../store/audit-store.ts'
import { localTime } from '../output/local-time.ts'
import { PLUGINS, run } from '../testing/plugins.ts'
import { runDouble } from '../testing/run-double.ts'

const OK: AuditRow = {
  time: 1_796_000_000_000,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:files:read',
  plugin: 'files',
  outcome: 'ok',
  durationMs: 3.14,
  argumentsSize: 12,
  resultSize: 345,
  via: 'call_mcp_tool',
  provider: 'openai',
  arguments: '{"path":"a b"}',
}

const UNKNOWN: AuditRow = {
  time: 1_796_000_001_000,
  user: 'owner',
  surface: 'cli',
  tool: 'nothing\u001b[2J',
  plugin: undefined,
  outcome: 'unknown',
  durationMs: 12.3,
  argumentsSize: 2,
  resultSize: undefined,
  via: undefined,
  provider: undefined,
}

const audit: readonly AuditBatch[] = [
  { rows: [OK], unreadable: 0 },
  { rows: [], unreadable: 0 },
  { rows: [UNKNOWN], unreadable: 0 },
]

describe('callboard audit', () => {
  test('writes a row a line, in the order in which they come', async () => {
    const { code, stdout, stderr } = await run('audit', { audit })
    expect(stdout.split('\n')).toEqual([
      `${localTime(OK.time)}\tana\tmcp\tok\t3.1\t12\t345\tplugin:files:read\tvia call_mcp_tool by openai {"path":"a b"}`,
      `${localTime(UNKNOWN.time)}\towner\tcli\tunknown\t12\t2\t\tnothing\t`,
      '',
    ])
    expect([code, stderr]).toEqual([0, ''])
  })

  test('has heads on a terminal, once', async () => {
    const { stdout } = await run('audit', { audit, columns: 200 })
    expect(stdout.match(/^TIME +USER +SURFACE +OUTCOME +MS +IN +OUT +TOOL +MORE$/gm)).toHaveLength(1)
  })

  test('asks for the last fifty unless it is told otherwise, and for all with 0', async () => {
    expect((await run('audit', { audit })).host.queries).toMatchObject([{ limit: 50 }])
    expect((await run('audit --limit 3', { audit })).host.queries).toMatchObject([{ limit: 3 }])
    expect((await run('audit --limit 0', { audit })).host.queries[0]).not.toHaveProperty('limit')
  })

  test('asks for what the filters say', async () => {
    const before = Date.now()
    const line = 'audit --by ana --tool github_close_issue --plugin github --outcome denied --surface mcp --since 1h'
    const { host } = await run(line, { audit })
    expect(host.queries).toMatchObject([
      { user: 'ana', tool: 'plugin:github:close_issue', plugin: 'github', outcome: 'denied', surface: 'mcp' },
    ])
    expect(host.queries[0]?.since).toBeGreaterThanOrEqual(before - 3_600_000)
    expect(host.queries[0]?.since).toBeLessThanOrEqual(Date.now() - 3_600_000)
    expect((await run('audit --tool plugin:gone:x', { audit })).host.queries[0]?.tool).toBe('plugin:gone:x')
  })

  test.each([
    ['--outcome nice', /allowed choices are started, ok, tool_error/],
    ['--surface http', /allowed choices are mcp, cli/],
    ['--since soon', /must be a duration, such as 30m/],
    ['--limit -1', /whole number/],
  ])('refuses %s', async (words, message) => {
    const { code, stderr } = await run(`audit ${words}`)
    expect(code).toBe(64)
    expect(stderr).toMatch(message)
  })

  test('is one document as JSON, and a line a row while it follows', async () => {
    const shown = [
      { ...OK, time: '2026-11-30T00:53:20.000Z' },
      JSON.parse(JSON.stringify({ ...UNKNOWN, time: '2026-11-30T00:53:21.000Z' })),
    ]
    expect(JSON.parse((await run('audit --json', { audit })).stdout)).toEqual({ rows: shown })
    expect(JSON.parse((await run('audit --json', { audit: [] })).stdout)).toEqual({ rows: [] })
    const { stdout, host } = await run('audit --json --follow', { audit })
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(shown)
    expect(host.queries).toMatchObject([{ follow: true, limit: 50 }])
  })

  test('says how many lines could not be read, and that nothing is recorded', async () => {
    const { code, stderr } = await run('audit', { audit: [{ rows: [], unreadable: 2 }], keepMs: 0 })
    expect(code).toBe(0)
    expect(stderr).toContain("2 lines of the audit can't be read")
    expect(stderr).toContain('calls are not recorded: audit.keep is 0')
  })

  test('is the owner’s alone', async () => {
    const { code, host } = await run('audit --user ana', { audit })
    expect([code, host.queries]).toEqual([77, []])
  })

  test('reads by itself, whether a host serves or not', async () => {
    const throughHost = () => expect.unreachable('it costs a serving host nothing')
    const { code, host } = await runDouble(['audit'], { plugins: PLUGINS, audit, throughHost })
    expect([code, host.queries.length, host.started]).toEqual([0, 1, []])
  })
})

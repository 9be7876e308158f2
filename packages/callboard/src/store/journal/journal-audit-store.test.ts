/** The audit in files: the contract of all audits, and what files can suffer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditContract } from '../../../../../test/contracts/audit.contract.ts'
import type { AuditFollower, AuditPlace, AuditRow, AuditStore } from '../audit-store.ts'
import { sampleRow } from '../testing/sample-row.ts'
import { createJournalAuditStore } from './journal-audit-store.ts'

const MODULE = new URL('./journal-audit-store.ts', import.meta.url).href
const DAY_MS = 86_400_000
const onPosix = test.skipIf(process.platform === 'win32')

const ROW = sampleRow({ resultSize: undefined })

/** A folder that is not there yet, in a new one that goes with the test. */
function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'callboard-audit-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'data', 'audit')
}

function openIn(folder: string): AuditStore {
  const audit = createJournalAuditStore(folder)
  onTestFinished(() => audit[Symbol.dispose]())
  return audit
}

/** The only file of the folder. */
function fileOf(folder: string): string {
  const [name = ''] = readdirSync(folder)
  return join(folder, name)
}

async function timesIn(folder: string): Promise<readonly number[]> {
  const audit = openIn(folder)
  const times: number[] = []
  for (let piece = await audit.after(); piece !== undefined; piece = await audit.after(piece.end))
    times.push(...piece.rows.map(({ time }) => time))
  return times
}

const folders = new WeakMap<AuditStore, string>()
auditContract('files', (again) => {
  const folder = (again && folders.get(again)) ?? newFolder()
  const audit = openIn(folder)
  folders.set(audit, folder)
  return audit
})

afterEach(() => {
  vi.useRealTimers()
})

/** Only the time of day stands still: nothing here waits for a timer. */
function setTime(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
}

test('a row is a line of JSON in the file of its day, in UTC', () => {
  setTime('2026-11-30T23:59:59.999Z')
  const folder = newFolder()
  const audit = openIn(folder)
  audit.append([ROW])
  setTime('2026-12-01T00:00:00Z')
  audit.append([
    { ...ROW, time: 2 },
    { ...ROW, time: 3 },
  ])
  expect(readdirSync(folder)).toEqual(['2026-11-30-86399.jsonl', '2026-12-01-00000.jsonl'])
  expect(JSON.parse(readFileSync(join(folder, '2026-11-30-86399.jsonl'), 'utf8'))).toEqual({
    time: 1,
    user: 'ana',
    surface: 'mcp',
    tool: 'plugin:a:x',
    plugin: 'a',
    outcome: 'ok',
    durationMs: 0,
    argumentsSize: 2,
  })
  expect(readFileSync(join(folder, '2026-12-01-00000.jsonl'), 'utf8')).toMatch(/^\{"time":2,.*\}\n\{"time":3,.*\}\n$/)
})

onPosix('the files are private, in a private folder, which the first row makes and reading does not', async () => {
  const folder = newFolder()
  const audit = openIn(folder)
  expect(await audit.before()).toBeUndefined()
  expect(existsSync(folder)).toBe(false)
  audit.append([ROW])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(fileOf(folder)).mode & 0o777).toBe(0o600)
})

test('what can not be written is an error that names the folder, and is tried anew each time', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, '..'), { recursive: true })
  writeFileSync(folder, 'a file where the folder should be')
  const audit = openIn(folder)
  for (const _ of [1, 2])
    expect(() => audit.append([ROW])).toThrow(
      expect.objectContaining({
        code: 'internal',
        message: expect.stringMatching(/^can't write to the audit in ".*audit": /),
      }),
    )
  await expect(audit.before()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining("can't read"),
  })
  unlinkSync(folder)
  audit.append([ROW])
  expect(await timesIn(folder)).toEqual([1])
})

describe('a line that its writer did not live to end', () => {
  test('is left out, and takes no row of another writer with it', async () => {
    const folder = newFolder()
    const audit = openIn(folder)
    audit.append([ROW])
    appendFileSync(fileOf(folder), '{"time":2,"user":"an')
    expect(await timesIn(folder)).toEqual([1])
    audit.append([{ ...ROW, time: 3 }])
    expect(await audit.before()).toMatchObject({ rows: [{ time: 1 }, { time: 3 }], unreadable: 1 })
  })

  test('is no row before its end has come', async () => {
    const folder = newFolder()
    const audit = openIn(folder)
    audit.append([ROW])
    const line = readFileSync(fileOf(folder), 'utf8')
    const end = (await audit.before())?.end
    appendFileSync(fileOf(folder), line.slice(0, 20))
    expect(await audit.after(end)).toBeUndefined()
    appendFileSync(fileOf(folder), line.slice(20))
    expect((await audit.after(end))?.rows).toHaveLength(1)
  })
})

test('what is no row is counted and passed over, however long it is', async () => {
  const folder = newFolder()
  const audit = openIn(folder)
  audit.append([ROW])
  appendFileSync(fileOf(folder), `${'x'.repeat(1_000_000)}\nnull\n[]\n{"time":"1"}\n\n`)
  audit.append([{ ...ROW, time: 2 }])
  expect(await timesIn(folder)).toEqual([1, 2])
  const back: number[] = []
  let unreadable = 0
  for (let piece = await audit.before(); piece !== undefined; piece = await audit.before(piece.start)) {
    back.push(...piece.rows.map(({ time }) => time))
    unreadable += piece.unreadable
  }
  expect(back).toEqual([2, 1])
  expect(unreadable).toBeGreaterThanOrEqual(4)
})

onPosix('a file that somebody deleted is begun anew within a second', async () => {
  setTime('2026-11-30T10:00:00Z')
  const folder = newFolder()
  const audit = openIn(folder)
  audit.append([ROW])
  unlinkSync(fileOf(folder))
  setTime('2026-11-30T10:00:01Z')
  audit.append([{ ...ROW, time: 2 }])
  expect(await timesIn(folder)).toEqual([2])
})

onPosix(
  'a file that somebody moved away is followed by one of another name within a second, also after a restart',
  async () => {
    const folder = newFolder()
    const archive = join(folder, '..', 'archive')
    mkdirSync(archive, { recursive: true })
    const [audit, other] = [openIn(folder), openIn(folder)]
    const moveAway = () => {
      for (const name of readdirSync(folder)) renameSync(join(folder, name), join(archive, name))
    }
    setTime('2026-11-30T10:00:00Z')
    audit.append([ROW])
    other.append([ROW])
    const read = await audit.after()
    moveAway()
    setTime('2026-11-30T10:00:01Z')
    audit.append([{ ...ROW, time: 2 }])
    other.append([{ ...ROW, time: 3 }])
    expect(await timesIn(folder)).toEqual([2, 3])
    expect((await audit.after(read?.end))?.rows.map(({ time }) => time)).toEqual([2, 3])
    moveAway()
    setTime('2026-11-30T10:00:02Z')
    openIn(folder).append([{ ...ROW, time: 4 }])
    audit.append([{ ...ROW, time: 5 }])
    moveAway()
    expect(readdirSync(archive)).toHaveLength(3)
    expect(await timesIn(archive)).toEqual([1, 1, 2, 3, 4, 5])
  },
)

test('a writer goes on in the later file, where two were begun at the same time', () => {
  const folder = newFolder()
  const audit = openIn(folder)
  setTime('2026-11-30T10:00:00Z')
  audit.append([ROW])
  writeFileSync(join(folder, '2026-11-30-36001.jsonl'), '')
  setTime('2026-11-30T10:00:01Z')
  audit.append([ROW])
  expect(readFileSync(join(folder, '2026-11-30-36001.jsonl'), 'utf8')).toContain('"ana"')
})

describe('following', () => {
  async function seenBy(follower: AuditFollower): Promise<readonly number[]> {
    const times: number[] = []
    for (let piece = await follower.next(); piece !== undefined; piece = await follower.next())
      times.push(...piece.rows.map(({ time }) => time))
    return times
  }

  function followIn(audit: AuditStore, place?: AuditPlace): AuditFollower {
    const follower = audit.follow(place)
    onTestFinished(() => follower[Symbol.asyncDispose]())
    return follower
  }

  onPosix('shows what is appended to a file after it was moved away, besides what is in the next one', async () => {
    setTime('2026-11-30T10:00:00Z')
    const folder = newFolder()
    const [audit, other] = [openIn(folder), openIn(folder)]
    audit.append([ROW])
    const follower = followIn(audit, (await audit.before())?.end)
    expect(await seenBy(follower)).toEqual([])
    other.append([{ ...ROW, time: 2 }])
    setTime('2026-11-30T10:00:00.9Z')
    renameSync(fileOf(folder), join(folder, '..', 'kept.jsonl'))
    other.append([{ ...ROW, time: 3 }])
    setTime('2026-11-30T10:00:01Z')
    const late = openIn(folder)
    late.append([{ ...ROW, time: 4 }])
    expect(await seenBy(follower)).toEqual([2, 3, 4])
    setTime('2026-11-30T10:00:00.95Z')
    other.append([{ ...ROW, time: 5 }])
    late.append([{ ...ROW, time: 6 }])
    expect(await seenBy(follower)).toEqual([5, 6])
  })

  test('closes a file five seconds after a later one was begun', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date('2026-11-30T23:59:59Z') })
    const folder = newFolder()
    const audit = openIn(folder)
    const follower = followIn(audit)
    audit.append([ROW])
    expect(await seenBy(follower)).toEqual([1])
    const first = fileOf(folder)
    const line = readFileSync(first)
    vi.advanceTimersByTime(1_000)
    audit.append([{ ...ROW, time: 2 }])
    expect(await seenBy(follower)).toEqual([2])
    appendFileSync(first, line)
    expect(await seenBy(follower)).toEqual([1])
    vi.advanceTimersByTime(5_000)
    expect(await seenBy(follower)).toEqual([])
    appendFileSync(first, line)
    expect(await seenBy(follower)).toEqual([])
  })
})

describe('a large audit', () => {
  const large = { ...ROW, arguments: 'x'.repeat(100_000) }

  function fill(audit: AuditStore, megabytes: number): void {
    for (let i = 0; i < megabytes * 10; i += 1) audit.append([{ ...large, time: i }])
  }

  test('is in parts, which other processes find', async () => {
    setTime('2026-11-30T10:00:00Z')
    const folder = newFolder()
    const audit = openIn(folder)
    const other = openIn(folder)
    other.append([ROW])
    fill(audit, 40)
    setTime('2026-11-30T10:00:01Z')
    other.append([ROW])
    openIn(folder).append([ROW])
    expect(readdirSync(folder)).toEqual(['0', '1', '2'].map((part) => `2026-11-30-3600${part}.jsonl`))
    expect((await timesIn(folder)).length).toBe(403)
    expect(statSync(join(folder, '2026-11-30-36000.jsonl')).size).toBeLessThan(17 * 1024 * 1024)
  })

  test('is pruned part by part while it takes more room than it may', async () => {
    setTime('2026-11-30T10:00:00Z')
    const folder = newFolder()
    const audit = openIn(folder)
    fill(audit, 40)
    await audit.prune({ endedBefore: 0, maxBytes: 35_000_000 })
    expect(readdirSync(folder)).toEqual(['2026-11-30-36001.jsonl', '2026-11-30-36002.jsonl'])
    expect((await timesIn(folder)).at(-1)).toBe(399)
  })
})

test('days that are over for long enough are pruned, the last one too, and nothing else in the folder', async () => {
  const folder = newFolder()
  const audit = openIn(folder)
  for (const day of ['28', '29', '30']) {
    setTime(`2026-11-${day}T12:00:00Z`)
    audit.append([ROW])
  }
  writeFileSync(join(folder, 'notes.txt'), '')
  const prune = (time: string) =>
    audit.prune({ endedBefore: Date.parse(time) - DAY_MS, maxBytes: Number.MAX_SAFE_INTEGER })
  await prune('2026-11-29T23:59:59Z')
  expect(readdirSync(folder)).toHaveLength(4)
  await prune('2026-11-30T00:00:00Z')
  expect(readdirSync(folder)).toEqual(['2026-11-29-43200.jsonl', '2026-11-30-43200.jsonl', 'notes.txt'])
  await prune('2026-12-09T00:00:00Z')
  expect(readdirSync(folder)).toEqual(['notes.txt'])
  audit.append([ROW])
})

test('several processes append to one file, and no row is lost or broken', async () => {
  const folder = newFolder()
  const script = `
    import { createJournalAuditStore } from ${JSON.stringify(MODULE)}
    const audit = createJournalAuditStore(process.argv[1])
    const row = ${JSON.stringify(ROW)}
    for (let i = 0; i < 2000; i += 2) audit.append([{ ...row, user: process.argv[2], time: i }, { ...row, user: process.argv[2], time: i + 1 }])`
  const names = ['p', 'q', 'r']
  const codes = await Promise.all(
    names.map(async (name) => {
      const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script, folder, name], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      return (await once(child, 'exit'))[0]
    }),
  )
  expect(codes).toEqual([0, 0, 0])
  const audit = openIn(folder)
  const rows: AuditRow[] = []
  for (let piece = await audit.after(); piece !== undefined; piece = await audit.after(piece.end)) {
    expect(piece.unreadable).toBe(0)
    rows.push(...piece.rows)
  }
  for (const name of names)
    expect(rows.filter(({ user }) => user === name).map(({ time }) => time)).toEqual(
      Array.from({ length: 2000 }, (_, i) => i),
    )
})

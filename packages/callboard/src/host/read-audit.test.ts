import { appendFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AuditRow, AuditStore } from '../store/audit-store.ts'
import { createJournalAuditStore } from '../store/journal/journal-audit-store.ts'
import { sampleRow } from '../store/testing/sample-row.ts'
import { type AuditQuery, readAudit } from './read-audit.ts'

const ROW = sampleRow()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-read-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openAudit(folder = newFolder()): AuditStore {
  const store = createJournalAuditStore(folder)
  onTestFinished(() => store[Symbol.dispose]())
  return store
}

/** Rows from one time to another, without the latter. */
function numbered(from: number, to: number): readonly AuditRow[] {
  return Array.from({ length: to - from }, (_, i) => ({ ...ROW, time: from + i }))
}

async function timesOf(store: AuditStore, query: Partial<AuditQuery>): Promise<readonly number[]> {
  const times: number[] = []
  for await (const { rows } of readAudit(store, { signal: new AbortController().signal, ...query }))
    times.push(...rows.map(({ time }) => time))
  return times
}

test('an empty audit has no rows', async () => {
  const store = openAudit()
  expect([await timesOf(store, {}), await timesOf(store, { limit: 5 })]).toEqual([[], []])
})

test('all rows come oldest first, and so do the last so many', async () => {
  const store = openAudit()
  const all = numbered(0, 5000)
  store.append(all)
  expect(await timesOf(store, {})).toEqual(all.map(({ time }) => time))
  expect(await timesOf(store, { limit: 3 })).toEqual([4997, 4998, 4999])
  expect(await timesOf(store, { limit: 4000 })).toEqual(all.slice(1000).map(({ time }) => time))
  expect(await timesOf(store, { limit: 9999 })).toHaveLength(5000)
  expect(await timesOf(store, { limit: 0 })).toEqual([])
})

test('a row fits when every part of the query does, exactly', async () => {
  const value = fc.constantFrom('a', 'b', 'A')
  const row = fc.record({
    user: value,
    surface: value,
    tool: value,
    plugin: fc.option(value, { nil: undefined }),
    outcome: value,
    time: fc.nat(9),
    durationMs: fc.nat(3),
  })
  const wanted = fc.record(
    { user: value, surface: value, tool: value, plugin: value, outcome: value, since: fc.nat(12) },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), wanted, async (some, query) => {
      const store = openAudit()
      if (some.length > 0) store.append(some.map((one) => ({ ...ROW, ...one })))
      const { since = 0, ...exact } = query
      const fitting = some.filter(
        (one) =>
          one.time + one.durationMs >= since &&
          Object.entries(exact).every(([key, part]) => Reflect.get(one, key) === part),
      )
      expect(await timesOf(store, query)).toEqual(fitting.map(({ time }) => time))
      expect(await timesOf(store, { ...query, limit: 2 })).toEqual(fitting.slice(-2).map(({ time }) => time))
    }),
    { numRuns: 60 },
  )
})

test('the last rows of a time are found without reading all that was before', async () => {
  const store = openAudit()
  store.append(numbered(0, 20_000))
  let pieces = 0
  const counted: AuditStore = {
    ...store,
    before: (place) => {
      pieces += 1
      return store.before(place)
    },
  }
  expect(await timesOf(counted, { limit: 100, since: 19_990 })).toHaveLength(10)
  expect(pieces).toBeLessThan(4)
})

test('lines that are no rows are counted where they are', async () => {
  const folder = newFolder()
  const store = openAudit(folder)
  store.append(numbered(0, 1))
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'x\ny\n')
  for (const limit of [undefined, 5]) {
    let unreadable = 0
    const query = { signal: new AbortController().signal, ...(limit !== undefined && { limit }) }
    for await (const batch of readAudit(store, query)) unreadable += batch.unreadable
    expect(unreadable).toBe(2)
  }
})

describe('following', () => {
  test.each([undefined, 1])(
    'goes on with what comes after the last %s, of any process, until it is to end',
    async (limit) => {
      const store = openAudit()
      store.append(numbered(0, 2))
      const ending = new AbortController()
      const seen: number[] = []
      const query = { follow: true, signal: ending.signal, ...(limit !== undefined && { limit }) }
      for await (const { rows } of readAudit(store, query)) {
        seen.push(...rows.map(({ time }) => time))
        if (seen.at(-1) === 1) store.append(numbered(2, 4))
        if (seen.at(-1) === 3) store.append([{ ...ROW, time: 4 }])
        if (seen.at(-1) === 4) ending.abort(new Error('enough'))
      }
      expect(seen).toEqual(limit === undefined ? [0, 1, 2, 3, 4] : [1, 2, 3, 4])
    },
  )

  test.skipIf(process.platform === 'win32')(
    'loses no row of a file that is moved away while it is written to',
    async () => {
      const setTime = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })
      onTestFinished(() => void vi.useRealTimers())
      setTime('2026-11-30T10:00:00Z')
      const folder = newFolder()
      const [store, other] = [openAudit(folder), openAudit(folder)]
      store.append(numbered(0, 1))
      const ending = new AbortController()
      const seen: number[] = []
      for await (const { rows } of readAudit(store, { follow: true, limit: 1, signal: ending.signal })) {
        seen.push(...rows.map(({ time }) => time))
        if (seen.at(-1) === 0) other.append(numbered(1, 2))
        if (seen.at(-1) === 1) {
          renameSync(join(folder, readdirSync(folder)[0] ?? ''), join(newFolder(), 'kept.jsonl'))
          other.append(numbered(2, 4))
          setTime('2026-11-30T10:00:01Z')
          store.append(numbered(4, 6))
          setTime('2026-11-30T10:00:00.9Z')
          other.append(numbered(6, 8))
          store.append(numbered(8, 9))
        }
        if (seen.includes(8)) ending.abort(new Error('enough'))
      }
      expect(seen).toEqual([0, 1, 2, 3, 6, 7, 4, 5, 8])
    },
  )

  test('begins with the first row of an audit that is empty yet', async () => {
    const store = openAudit()
    const ending = new AbortController()
    const reading = (async () => {
      for await (const { rows } of readAudit(store, { follow: true, limit: 5, signal: ending.signal }))
        if (rows.length > 0) return rows.map(({ time }) => time)
      return []
    })()
    store.append(numbered(7, 8))
    expect(await reading).toEqual([7])
    ending.abort()
  })
})

test('reading ends with the reason of its signal', async () => {
  const store = openAudit()
  store.append(numbered(0, 2))
  const ending = AbortSignal.abort(new Error('enough'))
  await expect(timesOf(store, { signal: ending })).rejects.toThrow('enough')
  await expect(timesOf(store, { signal: ending, limit: 1 })).rejects.toThrow('enough')
})

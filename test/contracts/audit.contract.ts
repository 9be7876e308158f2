/** What every audit has to do, whatever is behind it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditPiece, AuditRow, AuditStore } from '../../packages/callboard/src/store/audit-store.ts'

const ROW: AuditRow = {
  time: 1_796_000_000_000,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:acme/hello:acme.hello.echo',
  plugin: 'acme/hello',
  outcome: 'ok',
  durationMs: 12.34,
  argumentsSize: 16,
  resultSize: 1_000_000,
  via: 'call_mcp_tool',
  provider: 'openai',
  ai: { model: 'gpt-5', finishReason: 'stop', inputTokens: 11, outputTokens: 7 },
  arguments: '{"message":"hi"}',
}

const { arguments: _, ...WITHOUT_ARGUMENTS } = ROW
const BARE: AuditRow = {
  ...WITHOUT_ARGUMENTS,
  time: 0,
  tool: '搜索 🎉 "quoted"\n{"time":1}; DROP TABLE audit_row',
  plugin: undefined,
  outcome: 'unknown',
  resultSize: undefined,
  via: undefined,
  provider: undefined,
}

const MOST = Number.MAX_SAFE_INTEGER

function numbered(from: number, to: number): readonly AuditRow[] {
  return Array.from({ length: to - from }, (_, i) => ({ ...ROW, time: from + i }))
}

/** All pieces, from the newest on. */
async function backwards(audit: AuditStore): Promise<readonly AuditPiece[]> {
  const pieces: AuditPiece[] = []
  for (let piece = await audit.before(); piece !== undefined; piece = await audit.before(piece.start))
    pieces.push(piece)
  return pieces
}

/** All pieces, from the oldest on. */
async function forwards(audit: AuditStore): Promise<readonly AuditPiece[]> {
  const pieces: AuditPiece[] = []
  for (let piece = await audit.after(); piece !== undefined; piece = await audit.after(piece.end)) pieces.push(piece)
  return pieces
}

async function everything(audit: AuditStore): Promise<readonly AuditRow[]> {
  return (await forwards(audit)).flatMap(({ rows }) => rows)
}

/** Runs the contract. `open` opens an empty audit, or that of `again` a second time, and closes it after the test. */
export function auditContract(name: string, open: (again?: AuditStore) => AuditStore): void {
  describe(`the audit in ${name}`, () => {
    test('is empty at first', async () => {
      const audit = open()
      expect(await audit.before()).toBeUndefined()
      expect(await audit.after()).toBeUndefined()
      await audit.prune({ endedBefore: MOST, maxBytes: 0 })
    })

    test('keeps every field of a row, and what is undefined stays so', async () => {
      const audit = open()
      audit.append([ROW, BARE])
      audit.append([ROW])
      expect(await everything(audit)).toStrictEqual([ROW, BARE, ROW])
    })

    test('keeps any texts', async () => {
      const text = fc.string({ unit: 'binary' })
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ user: text, tool: text, arguments: text }), { maxLength: 5 }),
          async (some) => {
            const audit = open()
            const rows = some.map((texts) => ({ ...ROW, ...texts }))
            audit.append(rows)
            expect(await everything(audit)).toStrictEqual(rows)
            audit[Symbol.dispose]()
          },
        ),
        { numRuns: 50 },
      )
    })

    test('gives the same rows in both directions, in pieces of a bounded size that meet', async () => {
      const audit = open()
      for (let i = 0; i < 20_000; i += 1000) audit.append(numbered(i, i + 1000))
      const [back, forth] = [await backwards(audit), await forwards(audit)]
      expect(forth.length).toBeGreaterThan(5)
      expect(forth.flatMap(({ rows }) => rows.map(({ time }) => time))).toEqual(
        Array.from({ length: 20_000 }, (_, i) => i),
      )
      expect(back.toReversed().flatMap(({ rows }) => rows)).toEqual(forth.flatMap(({ rows }) => rows))
      for (const pieces of [forth, back.toReversed()])
        for (const [i, piece] of pieces.entries()) if (i > 0) expect(piece.start).toEqual(pieces[i - 1]?.end)
      expect([...back, ...forth].every(({ unreadable }) => unreadable === 0)).toBe(true)
    })

    test('gives what came after a place, once it is there', async () => {
      const audit = open()
      audit.append(numbered(0, 2))
      const end = (await audit.before())?.end
      expect(await audit.after(end)).toBeUndefined()
      audit.append(numbered(2, 4))
      const later = await audit.after(end)
      expect(later?.rows.map(({ time }) => time)).toEqual([2, 3])
      expect(await audit.after(later?.end)).toBeUndefined()
    })

    test('shows at once what another one that is open on the same place has appended, and keeps it', async () => {
      const audit = open()
      const other = open(audit)
      audit.append([ROW])
      other.append([BARE])
      audit.append([ROW])
      expect(await everything(audit)).toEqual([ROW, BARE, ROW])
      audit[Symbol.dispose]()
      other[Symbol.dispose]()
      expect(await everything(open(audit))).toEqual([ROW, BARE, ROW])
    })

    test('leaves what was appended last when everything is too large', async () => {
      const audit = open()
      audit.append([ROW])
      await audit.prune({ endedBefore: 0, maxBytes: 0 })
      expect(await everything(audit)).toEqual([ROW])
    })

    test('can be closed twice, and then keeps nothing and says so', () => {
      const audit = open()
      audit.append([ROW])
      audit[Symbol.dispose]()
      audit[Symbol.dispose]()
      expect(() => audit.append([ROW])).toThrow(expect.objectContaining({ name: 'CallboardError', code: 'internal' }))
    })
  })
}

/** A row of the audit for tests that care about few of its fields. */
import type { AuditRow } from '../audit-store.ts'

/** A call of `plugin:a:x` by ana at 1 ms that went well, with these fields instead. */
export function sampleRow(fields: Partial<AuditRow> = {}): AuditRow {
  return { ...ROW, ...fields }
}

const ROW: AuditRow = {
  time: 1,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:a:x',
  plugin: 'a',
  outcome: 'ok',
  durationMs: 0,
  argumentsSize: 2,
  resultSize: 2,
  via: undefined,
  provider: undefined,
}

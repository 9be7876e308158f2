/** A row of the audit as a line, and back. */
import type { AuditRow } from '../audit-store.ts'

/** How every line begins; inside a text of JSON the quotes would be escaped. */
const BEGINNING = '{"time":'

/** JSON in a fixed order, with a newline. */
export function lineOf(row: AuditRow): string {
  const { time, user, surface, tool, plugin, outcome, durationMs, argumentsSize, resultSize, via, provider, ai } = row
  const parts = { time, user, surface, tool, plugin, outcome, durationMs, argumentsSize, resultSize, via, provider, ai }
  return `${JSON.stringify(row.arguments === undefined ? parts : { ...parts, arguments: row.arguments })}\n`
}

/** The rows of some lines, and how many lines were none. */
export function rowsOf(text: string): { readonly rows: readonly AuditRow[]; readonly unreadable: number } {
  const rows: AuditRow[] = []
  let unreadable = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const whole = rowOf(line)
    if (whole === undefined) unreadable += 1
    // What was written right after a line that its writer did not live to end.
    const row = whole ?? rowOf(line.slice(Math.max(1, line.lastIndexOf(BEGINNING))))
    if (row !== undefined) rows.push(row)
  }
  return { rows, unreadable }
}

function rowOf(line: string): AuditRow | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // Whoever asked counts it.
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const { time, user, surface, tool, outcome, durationMs, argumentsSize } = fields
  const isRow =
    typeof time === 'number' &&
    typeof user === 'string' &&
    typeof surface === 'string' &&
    typeof tool === 'string' &&
    typeof outcome === 'string' &&
    typeof durationMs === 'number' &&
    typeof argumentsSize === 'number'
  if (!isRow) return undefined
  return {
    time,
    user,
    surface,
    tool,
    plugin: textOf(fields.plugin),
    outcome,
    durationMs,
    argumentsSize,
    resultSize: typeof fields.resultSize === 'number' ? fields.resultSize : undefined,
    via: textOf(fields.via),
    provider: textOf(fields.provider),
    ...(typeof fields.ai === 'object' && fields.ai !== null && { ai: aiOf(fields.ai) }),
    ...(typeof fields.arguments === 'string' && { arguments: fields.arguments }),
  }
}

function aiOf(value: object): AuditRow['ai'] {
  const { model, finishReason, inputTokens, outputTokens }: Readonly<Record<string, unknown>> = { ...value }
  return {
    ...(typeof model === 'string' && { model }),
    ...(typeof finishReason === 'string' && { finishReason }),
    ...(typeof inputTokens === 'number' && { inputTokens }),
    ...(typeof outputTokens === 'number' && { outputTokens }),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

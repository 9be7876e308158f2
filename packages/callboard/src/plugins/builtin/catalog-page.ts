/** One page of tools as the list and the search answer it: a table for a model, the same as data for a program. */
import type { JsonSchema } from '@callboard/sdk'
import type { ToolResult } from '../plugin.ts'
import { answer } from './builtin-tool.ts'
import { type CatalogRow, catalogRowSchema, rowCells, rowHead } from './catalog-row.ts'
import { markdownTable } from './markdown-text.ts'

export interface CatalogPage {
  readonly tools: readonly CatalogRow[]
  /** How many there are on all pages. */
  readonly total: number
  readonly offset: number
  readonly limit: number
  /** What was changed in the arguments, or is wrong with them; one sentence each. */
  readonly notes: readonly string[]
}

/** What the answer says besides the page. */
interface PageExtra {
  readonly lines?: readonly string[]
  readonly data?: Readonly<Record<string, unknown>>
}

/** The JSON Schema of the answer; `extra` are the properties that only one of the tools has. */
export function pageSchema(
  extra: Readonly<Record<string, JsonSchema>>,
  requiredExtra: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties: {
      tools: { type: 'array', items: catalogRowSchema },
      total: { type: 'integer', description: 'How many there are on all pages' },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
      nextOffset: { type: 'integer', description: 'Absent on the last page' },
      notes: { type: 'array', items: { type: 'string' }, description: 'What was changed in the arguments' },
      ...extra,
    },
    required: ['tools', 'total', 'offset', 'limit', ...requiredExtra],
  }
}

/** `1 to 50 of 123`, or `of more than` so many as are told of at most. */
export function rangeOf({ tools, total, offset }: CatalogPage, most: number = Number.POSITIVE_INFINITY): string {
  const all = total > most ? `more than ${most}` : String(total)
  return tools.length === 0
    ? `none, as there are ${all} and the offset is ${offset}`
    : `${offset + 1} to ${offset + tools.length} of ${all}`
}

export function answerPage(headline: string, page: CatalogPage, extra: PageExtra = {}): ToolResult {
  const { tools, total, offset, limit, notes } = page
  const end = offset + tools.length
  const nextOffset = tools.length > 0 && end < total ? end : undefined
  const lines = [
    nextOffset === undefined ? headline : `${headline} The next page begins at offset ${nextOffset}.`,
    ...notes,
    ...(tools.length > 0 ? ['', markdownTable(rowHead, tools.map(rowCells))] : []),
    ...(extra.lines ?? []),
  ]
  return answer(lines, {
    tools,
    total,
    offset,
    limit,
    ...(nextOffset !== undefined && { nextOffset }),
    ...(notes.length > 0 && { notes }),
    ...extra.data,
  })
}

/** One page of tools, as text and as JSON. */
import type { CatalogEntry } from '@callboard/sdk'
import { listedName } from '../../../catalog/listed-name.ts'
import { type CommandContext, writeJson } from '../command-context.ts'
import { writeTable } from '../output/table.ts'

export interface ToolPage {
  readonly entries: readonly CatalogEntry[]
  /** How many there are on all pages. */
  readonly total: number
  readonly offset: number
}

/** The tools of a page as cells of a table. */
export function toolRows(entries: readonly CatalogEntry[]): readonly (readonly string[])[] {
  return entries.map((entry) => [listedName(entry, 'cli'), entry.category, entry.description])
}

/** The offset of the next page; null when this is the last. */
function nextOffset({ entries, total, offset }: ToolPage): number | null {
  const next = offset + entries.length
  return entries.length > 0 && next < total ? next : null
}

/** Writes a page as JSON, with all three names of each tool. */
export function writePageJson(
  context: CommandContext,
  page: ToolPage,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const { entries, total, offset } = page
  writeJson(context, { ...more, tools: entries, total, offset, nextOffset: nextOffset(page) })
}

/** Says on a terminal which part of all this was. */
export function writePageFooter({ terminal: { stdout, stderr } }: CommandContext, page: ToolPage): void {
  const next = nextOffset(page)
  if (!stdout.isTerminal || (next === null && page.offset === 0)) return
  const first = page.entries.length === 0 ? page.offset : page.offset + 1
  const more = next === null ? '' : `; more with --offset ${next}`
  stderr.write(stderr.style('dim', `${first}–${page.offset + page.entries.length} of ${page.total}${more}\n`))
}

/** Writes a page as a table. */
export function writePage(context: CommandContext, page: ToolPage): void {
  const { stdout } = context.terminal
  if (page.entries.length > 0)
    writeTable(stdout, toolRows(page.entries), { heads: ['TOOL', 'CATEGORY', 'DESCRIPTION'], cut: true })
  writePageFooter(context, page)
}

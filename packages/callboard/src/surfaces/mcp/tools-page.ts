/**
 * Pages of `tools/list`. A cursor holds the last name of its page, so it stays right when the list changes meanwhile.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { legacyTool } from './legacy-tool.ts'
import type { ListedTool, ListedTools } from './listed-tools.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

const PAGE_SIZE = 250

interface ToolsPage {
  readonly tools: readonly ListedTool[]
  readonly nextCursor?: string
  readonly [field: string]: unknown
}

function cursorAfter(name: string): string {
  return Buffer.from(JSON.stringify({ after: name })).toString('base64url')
}

/** The name in a cursor. Throws -32602 for what `cursorAfter` did not make. */
function nameIn(cursor: string): string {
  const after = parse(Buffer.from(cursor, 'base64url').toString())
  if (after !== undefined && cursorAfter(after) === cursor) return after
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'the cursor is not one that this server gave; list again without a cursor',
  )
}

function parse(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('after' in value)) return undefined
    return typeof value.after === 'string' ? value.after : undefined
  } catch {
    return undefined
  }
}

/** A tool, or anything else that a page depends on. */
export type PagePart = CatalogTool | string | boolean

/**
 * All that the page depends on which begins after so many tools, besides the era: of the same parts the same page is
 * made.
 */
export function pageParts(listed: ListedTools, start: number): readonly PagePart[] {
  return [...listed.partsOf(start, PAGE_SIZE), start + PAGE_SIZE < listed.tools.length]
}

/** How many tools come before the page at `cursor`; none without one. */
export function pageStart(listed: ListedTools, cursor: string | undefined): number {
  return cursor === undefined ? 0 : listed.placeAfter(nameIn(cursor))
}

/** The page that begins after so many tools, for clients of the era. */
export function toolsPage(listed: ListedTools, start: number, era: McpServerOptions['era']): ToolsPage {
  const shown = listed.shown(start, PAGE_SIZE)
  const tools = era === 'legacy' ? shown.map(legacyTool) : shown
  const last = tools.at(-1)
  const hasMore = start + PAGE_SIZE < listed.tools.length
  return { tools, ...(last && hasMore && { nextCursor: cursorAfter(last.name) }) }
}

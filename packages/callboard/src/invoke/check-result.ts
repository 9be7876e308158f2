/** The last look at what a plugin answered. */
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { CallboardError } from '../errors.ts'
import type { ToolResult } from '../plugins/plugin.ts'

/** Untouched, or refused: whatever a result says besides its content is its tool's affair. */
export function checkResult(result: ToolResult, { entry }: CatalogTool): ToolResult {
  const given: unknown = result
  if (typeof given === 'object' && given !== null && Array.isArray(result.content)) return result
  throw new CallboardError(
    'tool_failed',
    `plugin ${JSON.stringify(entry.pluginId)} answered ${JSON.stringify(entry.name)} with ${kindOf(given)}, expected an object with a list "content"`,
  )
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object without it' : `a ${typeof value}`
}

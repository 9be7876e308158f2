/** The catalogue at one moment: every tool with its names, immutable. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'

/** One tool in a snapshot: the entry that is shown, and the definition behind it. */
export interface CatalogTool {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
}

/** The catalogue in the context of a call that came over a link: there is none. */
import type { ToolCatalog } from '../../tool-catalog.ts'

/** Thrown by every method of `context.catalog` in an external plugin. */
export class NoCatalogError extends Error {
  constructor() {
    super(
      '`context.catalog` answers at once, which no other process can; ' +
        "for a call over MCP, ask with `await context.call('search_mcp_tools', { query })`, `list_mcp_tools` or `get_mcp_tool`",
    )
    this.name = 'NoCatalogError'
  }
}

function refuse(): never {
  throw new NoCatalogError()
}

export const noCatalog: ToolCatalog = {
  listCatalog: refuse,
  catalogCount: refuse,
  searchCatalog: refuse,
  getCatalogEntry: refuse,
  listPluginIds: refuse,
}

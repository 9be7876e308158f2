/** What can be found: the entries of the catalogue and the five questions it answers. */

/** `stream` wins over `ai`, `ai` over `external`, `external` over `tool` where two would fit. */
export type ToolCategory = 'tool' | 'ai' | 'stream' | 'external'

/** One tool as the catalogue shows it. */
export interface CatalogEntry {
  /** The public name, under which MCP clients call the tool. */
  readonly name: string
  /** Empty when the tool has none. */
  readonly description: string
  readonly pluginId: string
  readonly category: ToolCategory
  /** The model providers that serve the tool, sorted; empty for a tool that needs none. */
  readonly providers: readonly string[]
  /** The JSON Schema of the arguments, as text. Only {@link ToolCatalog.getCatalogEntry} fills it. */
  readonly schema?: string
  /** The name that never changes, `plugin:{package}:{declared name}`. */
  readonly namespacedName: string
  /** The name as the plugin declared it. */
  readonly declaredName: string
  /** What to show people instead of the name, if the tool has such a title. */
  readonly title?: string
}

/**
 * The catalogue: sorted by name (code unit order), paged and searched. Nothing here throws for an unknown name or
 * plugin.
 */
export interface ToolCatalog {
  /**
   * One page of the entries, without `schema`.
   * @param pluginFilter the exact id of a plugin, or '' for every plugin; an unknown id gives an empty page
   * @param offset entries to skip; a negative one is 0, one past the end gives an empty page
   * @param limit entries at most; 0 or less means all
   */
  listCatalog(pluginFilter: string, offset: number, limit: number): CatalogEntry[]
  /** How many entries `listCatalog` has for this filter. */
  catalogCount(pluginFilter: string): number
  /**
   * Every entry that matches, best first: the exact name, then names that contain the query, then descriptions that
   * contain it (all without regard to case), then whatever else is relevant. An empty query matches every entry.
   */
  searchCatalog(query: string): CatalogEntry[]
  /** The entry with this public or namespaced name, with its `schema`; undefined when there is none. */
  getCatalogEntry(toolName: string): CatalogEntry | undefined
  /** The ids of the plugins that have at least one entry, sorted and unique. */
  listPluginIds(): string[]
}

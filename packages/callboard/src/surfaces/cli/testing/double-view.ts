/** The view of a host's double: its tools as data, found by what their names and descriptions contain. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../../../catalog/catalog-tool.ts'
import type { CatalogView } from '../../../catalog/catalog-view.ts'
import { sortedTools } from '../../../catalog/tool-lists.ts'

/** A tool of the plugin, which is called `tool` unless it says otherwise. */
export function doubleTool(pluginId: string, tool: Partial<ToolDefinition>): CatalogTool {
  const definition = { package: pluginId, name: 'tool', action: 'tool', ...tool }
  const entry: CatalogEntry = {
    name: `${pluginId}_${definition.name}`,
    namespacedName: `plugin:${pluginId}:${definition.name}`,
    declaredName: definition.name,
    description: definition.description ?? '',
    pluginId,
    category: 'external',
    providers: [],
  }
  return { entry, definition }
}

/** What somebody sees who sees these tools. */
export function doubleView(tools: readonly CatalogTool[], likeness: number): CatalogView {
  const resolve = (name: string) => tools.find(({ entry }) => entry.name === name || entry.namespacedName === name)
  const list = (plugin: string) =>
    tools.map(({ entry }) => entry).filter((one) => plugin === '' || one.pluginId === plugin)
  const search = (query: string) => list('').filter((one) => `${one.name} ${one.description}`.includes(query))
  return {
    tools: sortedTools(tools),
    resolve,
    listCatalog: (plugin, offset, limit) => list(plugin).slice(offset, limit > 0 ? offset + limit : undefined),
    catalogCount: (plugin) => list(plugin).length,
    searchCatalog: search,
    getCatalogEntry: (name) => {
      const tool = resolve(name)
      return tool && { ...tool.entry, schema: JSON.stringify(tool.definition.inputSchema ?? { type: 'object' }) }
    },
    listPluginIds: () => [...new Set(tools.map(({ entry }) => entry.pluginId))].sort(),
    prepare: () => Promise.resolve(),
    suggest: (name) => tools.map(({ entry }) => entry.name).filter((one) => one[0] === name[0]),
    search: (query, { plugin = '', offset = 0, limit } = {}) => {
      const found = search(query).filter((one) => plugin === '' || one.pluginId === plugin)
      const entries = found.slice(offset, limit === undefined ? undefined : offset + limit)
      return { entries, total: found.length, likeness: found.length > 0 ? likeness : 0 }
    },
  }
}

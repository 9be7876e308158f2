/** The catalogue that tools under test find in their context. */
import type { DefinedTool } from '../define-plugin.ts'
import { inputSchemaOf } from '../input-schema-of.ts'
import type { CatalogEntry, ToolCatalog } from '../tool-catalog.ts'

/** The name that stands for the tool wherever it is called from. */
export function namespacedNameOf({ definition }: Pick<DefinedTool, 'definition'>): string {
  return `plugin:${definition.package}:${definition.name}`
}

/**
 * These tools as a catalogue. The names of its entries are the namespaced ones, because public names depend on the
 * config of a host; and it ranks what it finds more plainly than a host does.
 */
export function kitCatalog(tools: readonly DefinedTool[]): ToolCatalog {
  const entries = tools.map(entryOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  const of = (plugin: string): CatalogEntry[] => entries.filter(({ pluginId }) => plugin === '' || pluginId === plugin)
  return {
    listCatalog: (plugin, offset, limit) => {
      const start = Math.max(offset, 0)
      return of(plugin).slice(start, limit > 0 ? start + limit : undefined)
    },
    catalogCount: (plugin) => of(plugin).length,
    searchCatalog: (query) => {
      const wanted = query.toLowerCase()
      const inName = entries.filter(({ name }) => name.toLowerCase().includes(wanted))
      const inDescription = entries.filter(({ description }) => description.toLowerCase().includes(wanted))
      return [...new Set([...inName, ...inDescription])]
    },
    getCatalogEntry: (name) => {
      const tool = tools.find((one) => namespacedNameOf(one) === name)
      return tool && { ...entryOf(tool), schema: JSON.stringify(inputSchemaOf(tool.definition)) }
    },
    listPluginIds: () => [...new Set(entries.map(({ pluginId }) => pluginId))].sort(),
  }
}

function entryOf(tool: DefinedTool): CatalogEntry {
  const { definition } = tool
  const name = namespacedNameOf(tool)
  return {
    name,
    namespacedName: name,
    declaredName: definition.name,
    description: definition.description ?? '',
    pluginId: definition.package,
    category: definition.streaming === true ? 'stream' : 'tool',
    providers: [],
    ...(definition.title !== undefined && { title: definition.title }),
  }
}

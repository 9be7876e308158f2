/** What `tools/list` shows of a view: each tool as a client of MCP expects it, in order of name. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import type { CatalogTool } from '../../catalog/snapshot.ts'
import type { Expose } from '../../config/config.ts'
import { BUILTIN_ID } from '../../plugins/builtin/builtin-tool.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { patternMatcher } from '../../tools/pattern.ts'

/** A tool of MCP; fields that this host does not know are kept. */
export interface ListedTool {
  readonly name: string
  readonly [field: string]: unknown
}

export interface ListedTools {
  /** Sorted by name, in code unit order. */
  readonly tools: readonly ListedTool[]
  /** The tools of the catalogue by the name under which they are listed. */
  readonly sources: ReadonlyMap<string, CatalogTool>
}

interface ListOptions {
  readonly expose: Expose
  readonly only?: string
}

/** How many plugin ids the search tool names; more would cost a model more than they tell it. */
const PLUGINS_NAMED = 40

const known = new WeakMap<CatalogView, Map<string, ListedTools>>()

/** What is listed of this view. Worked out once for a view and the same options. */
export function listedTools(view: CatalogView, options: ListOptions): ListedTools {
  const ofView = known.get(view) ?? new Map<string, ListedTools>()
  known.set(view, ofView)
  const key = JSON.stringify([options.only, options.expose])
  const listed = ofView.get(key) ?? list(view, options)
  ofView.set(key, listed)
  return listed
}

function list(view: CatalogView, { expose, only }: ListOptions): ListedTools {
  const sources = new Map<string, CatalogTool>()
  if (only === undefined) {
    const shown = exposed(expose)
    for (const tool of view.tools) if (shown(tool)) sources.set(tool.entry.name, tool)
  } else {
    const ofPlugin = view.tools.filter(({ entry }) => entry.pluginId === only)
    const byName = ofPlugin.sort((a, b) => (a.entry.declaredName < b.entry.declaredName ? -1 : 1))
    for (const tool of byName) sources.set(tool.entry.declaredName, tool)
  }
  const tools = [...sources].map(([name, tool]) => toListed(name, tool, view))
  return { tools, sources }
}

function exposed(expose: Expose): (tool: CatalogTool) => boolean {
  const own = (tool: CatalogTool): boolean => tool.entry.pluginId === BUILTIN_ID
  if (expose === 'all') return () => true
  if (expose === 'catalog') return own
  const matches = patternMatcher(expose)
  return (tool) => own(tool) || matches(tool.entry.name)
}

function toListed(name: string, { definition, entry }: CatalogTool, view: CatalogView): ListedTool {
  const { listed, outputSchema } = definition
  const fields = listed ?? {
    ...(entry.title !== undefined && { title: entry.title }),
    description: describe(definition, entry.description, view),
    // A client refuses the whole list for one schema whose root is of no type.
    inputSchema: { type: 'object', ...inputSchemaOf(definition) },
    ...(outputSchema && { outputSchema }),
    annotations: annotationsOf(definition),
  }
  return { ...fields, name }
}

/** A model that reads which plugins stand behind the search knows when it is worth a try. */
function describe(definition: ToolDefinition, description: string, view: CatalogView): string {
  if (definition.package !== BUILTIN_ID || definition.name !== 'search_mcp_tools') return description
  const ids = view.listPluginIds().filter((id) => id !== BUILTIN_ID)
  if (ids.length === 0) return description
  const more = ids.length > PLUGINS_NAMED ? ` and ${ids.length - PLUGINS_NAMED} more` : ''
  return `${description} Tools of these plugins are here: ${ids.slice(0, PLUGINS_NAMED).join(', ')}${more}.`
}

/** Every hint is said outright, because a client takes a missing one for the worst. */
function annotationsOf(definition: ToolDefinition): Record<string, boolean> {
  return {
    readOnlyHint: definition.readOnly ?? false,
    destructiveHint: definition.destructive ?? false,
    idempotentHint: definition.idempotent ?? false,
    openWorldHint: definition.openWorld ?? true,
  }
}

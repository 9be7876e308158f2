/** What `tools/list` shows of a view: which tools, under which names, and each as a client of MCP expects it. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { offersOf } from '../../catalog/catalog-tool.ts'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { editsBetween } from '../../catalog/list-edits.ts'
import { callSchema } from '../../catalog/provider-argument.ts'
import { SortedList } from '../../catalog/sorted-list.ts'
import { sortedTools } from '../../catalog/tool-lists.ts'
import type { Expose } from '../../config/config.ts'
import { BUILTIN_ID } from '../../plugins/builtin/builtin-tool.ts'
import { namespacedName } from '../../tools/names.ts'
import { patternMatcher } from '../../tools/pattern.ts'

/** A tool of MCP; fields that this host does not know are kept. */
export interface ListedTool {
  readonly name: string
  readonly [field: string]: unknown
}

interface ListOptions {
  readonly expose: Expose
  readonly only?: string
}

/** The one tool of which more is said than its definition says. */
const SEARCH = namespacedName(BUILTIN_ID, 'search_mcp_tools')
/** How many plugin ids the search tool names; more would cost a model more than they tell it. */
const PLUGINS_NAMED = 40

/** Holds no view: clients that have listed the tools keep this, and a view keeps a whole catalogue. */
export class ListedTools {
  /** Sorted by the names under which they are listed, in code unit order. */
  readonly tools: SortedList<CatalogTool>
  readonly #name: 'name' | 'declaredName'
  readonly #search: string | undefined

  constructor(view: CatalogView, { expose, only }: ListOptions) {
    this.#name = only === undefined ? 'name' : 'declaredName'
    this.tools = only === undefined ? exposed(view, expose) : onlyOf(view, only)
    this.#search = describeSearch(view)
  }

  /** The tool that is listed under this name. */
  find(name: string): CatalogTool | undefined {
    return this.tools.get(name)
  }

  /** How many tools are listed under this name or one before it. */
  placeAfter(name: string): number {
    return this.tools.placeOf(name) + (this.tools.get(name) === undefined ? 0 : 1)
  }

  /** So many tools from this place on, as a client is shown them. */
  shown(start: number, size: number): readonly ListedTool[] {
    return this.tools.slice(start, start + size).map((tool) => this.#show(tool))
  }

  /** All that `shown` depends on. */
  partsOf(start: number, size: number): readonly (CatalogTool | string)[] {
    const tools = this.tools.slice(start, start + size)
    const hasSearch = tools.some(({ entry }) => entry.namespacedName === SEARCH)
    return [this.#name, ...(hasSearch ? [this.#search ?? ''] : []), ...tools]
  }

  /** Whether a client is shown the same by both. A tool that is the same object in both is looked at no further. */
  isLike(other: ListedTools): boolean {
    if (this === other) return true
    if (this.tools.length !== other.tools.length || this.#search !== other.#search) return false
    let from = 0
    return editsBetween(this.tools, other.tools).every(({ kept, removed, added }) => {
      from += kept + removed
      const after = other.tools.slice(from - removed, from)
      return removed === added && after.every((next) => this.#showsLike(other, next))
    })
  }

  #showsLike(other: ListedTools, next: CatalogTool): boolean {
    const tool = this.find(next.entry[this.#name])
    return tool !== undefined && JSON.stringify(this.#show(tool)) === JSON.stringify(other.#show(next))
  }

  #show(tool: CatalogTool): ListedTool {
    const { definition, entry } = tool
    const { listed } = definition
    if (listed !== undefined && entry.providers.length === 0) return { ...listed, name: entry[this.#name] }
    const outputSchema = outputSchemaOf(tool)
    const fields = {
      ...listed,
      ...(entry.title !== undefined && { title: entry.title }),
      description: (entry.namespacedName === SEARCH ? this.#search : undefined) ?? entry.description,
      // A client refuses the whole list for one schema whose root is of no type.
      inputSchema: { type: 'object', ...callSchema(tool) },
      outputSchema,
      annotations: annotationsOf(definition),
    }
    return { ...fields, name: entry[this.#name] }
  }
}

const known = new WeakMap<CatalogView, Map<string, ListedTools>>()

/** What is listed of this view. The same object for one view and the same options. */
export function listedTools(view: CatalogView, options: ListOptions): ListedTools {
  const ofView = known.get(view) ?? new Map<string, ListedTools>()
  known.set(view, ofView)
  const key = JSON.stringify([options.only, options.expose])
  const listed = ofView.get(key) ?? new ListedTools(view, options)
  ofView.set(key, listed)
  return listed
}

function exposed(view: CatalogView, expose: Expose): SortedList<CatalogTool> {
  if (expose === 'all') return view.tools
  if (expose === 'catalog') return sortedTools(toolsOf(view, BUILTIN_ID))
  const matches = patternMatcher(expose)
  return sortedTools([...view.tools].filter(({ entry }) => entry.pluginId === BUILTIN_ID || matches(entry.name)))
}

/** As this plugin alone has them, where others have them too. */
function toolsOf(view: CatalogView, pluginId: string): CatalogTool[] {
  return view
    .listCatalog(pluginId, 0, 0)
    .flatMap(({ declaredName }) => view.resolve(namespacedName(pluginId, declaredName)) ?? [])
}

function onlyOf(view: CatalogView, pluginId: string): SortedList<CatalogTool> {
  const tools = toolsOf(view, pluginId).sort((a, b) => (a.entry.declaredName < b.entry.declaredName ? -1 : 1))
  return SortedList.of(tools, ({ entry }) => entry.declaredName)
}

/** A model that reads which plugins stand behind the search knows when it is worth a try. */
function describeSearch(view: CatalogView): string | undefined {
  const description = view.resolve(SEARCH)?.entry.description
  const ids = view.listPluginIds()
  // Where the search is, its own plugin is among them; and of many thousands only the first are looked at.
  const others = ids.length - 1
  if (description === undefined || others === 0) return description
  const named = ids.slice(0, PLUGINS_NAMED + 1).filter((id) => id !== BUILTIN_ID)
  const more = others > PLUGINS_NAMED ? ` and ${others - PLUGINS_NAMED} more` : ''
  return `${description} Tools of these plugins are here: ${named.slice(0, PLUGINS_NAMED).join(', ')}${more}.`
}

/** What the tool answers whoever serves it; undefined where that is not the same for all. */
function outputSchemaOf(tool: CatalogTool): JsonSchema | undefined {
  const { outputSchema } = tool.definition
  return offersOf(tool).every(({ definition }) => isDeepStrictEqual(definition.outputSchema, outputSchema))
    ? outputSchema
    : undefined
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

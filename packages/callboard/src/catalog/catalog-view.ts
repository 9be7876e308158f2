/** The catalogue as one user sees it on one surface; every request works on one. */
import type { CatalogEntry, ToolCatalog, ToolCategory } from '@callboard/sdk'
import { inputSchemaOf } from '../tools/arguments.ts'
import type { CatalogTool } from './catalog-tool.ts'
import type { SearchIndex, SearchMatches } from './search/search-index.ts'
import type { SearchableTool } from './search/searchable-tool.ts'
import { type Selection, selectAccepted, selectAll, selectFrom } from './selection.ts'
import type { CatalogSnapshot } from './snapshot.ts'
import type { SortedList } from './sorted-list.ts'
import { pluginIdsOf } from './tool-lists.ts'

/** Which of the matches of a search are wanted. */
export interface SearchOptions {
  /** The exact id of a plugin; absent or '' means every plugin. */
  readonly plugin?: string
  readonly category?: ToolCategory
  /** Matches to skip; a negative one is 0. */
  readonly offset?: number
  /** Matches at most; absent, 0 or less means all. */
  readonly limit?: number
}

/** One page of matches, best first. */
export interface SearchPage {
  readonly entries: readonly CatalogEntry[]
  /** How many match in all. */
  readonly total: number
  /**
   * How well the best match fits, in words and in meaning, from 0 to 1; 1 where a name or a description contains the
   * whole query, and for an empty one.
   */
  readonly likeness: number
}

/**
 * The `ToolCatalog` of one user on one surface, with what the host itself asks of it. What is not permitted is absent.
 */
export interface CatalogView extends ToolCatalog {
  /** Every tool of the view, sorted by public name. */
  readonly tools: SortedList<CatalogTool>
  /** The tool with this public or namespaced name. */
  resolve(name: string): CatalogTool | undefined
  /**
   * Public names close to one that is not there, best first: where a clash took the name away its new names, then names
   * that look like it.
   */
  suggest(name: string, limit: number): readonly string[]
  /** One page of the matches, ranked as `searchCatalog` ranks them. */
  search(query: string, options?: SearchOptions): SearchPage
  /**
   * Reads what a search or a suggestion needs, some 5 ms at a time, so that nobody else waits for long. To be awaited
   * before one when the tools may be many and new; without it, they read what is new themselves, all at once.
   * @throws the reason of `signal` when that is aborted
   */
  prepare(answer: 'search' | 'suggest', signal?: AbortSignal): Promise<void>
}

/**
 * Whether a tool is in the view; of one that several providers serve, asked about it as each of them serves it. Always
 * gives the same answer for the same tool, and does not throw.
 */
export type AcceptTool = (tool: CatalogTool) => boolean

/**
 * The view of a snapshot that has the tools which `accept` accepts; without it, all of them, sharing the snapshot's
 * lists. What is not accepted is absent from every answer. The whole snapshot is asked about once, when the view is
 * first listed, counted or searched; resolving a name asks about that tool alone.
 */
export function createCatalogView(snapshot: CatalogSnapshot, accept?: AcceptTool): CatalogView {
  return new ToolView(snapshot, accept)
}

class ToolView implements CatalogView {
  readonly #snapshot: CatalogSnapshot
  readonly #accept: AcceptTool | undefined
  #selected: Selection | undefined

  constructor(snapshot: CatalogSnapshot, accept: AcceptTool | undefined) {
    this.#snapshot = snapshot
    this.#accept = accept
  }

  get #selection(): Selection {
    this.#selected ??= this.#accept ? selectAccepted(this.#snapshot, this.#accept) : selectAll(this.#snapshot)
    return this.#selected
  }

  /** Of what is in the view alone: of a tool whose providers are not all in it, the words of those that are. */
  get #index(): SearchIndex {
    const { searched } = this.#selection
    return searched === this.#snapshot.tools ? this.#snapshot.searchIndex : this.#snapshot.searchIndexOf(searched)
  }

  get tools(): SortedList<CatalogTool> {
    return this.#selection.lists.tools
  }

  resolve(name: string): CatalogTool | undefined {
    const tool = this.#snapshot.find(name)
    return tool && this.#accept ? selectFrom(tool, this.#accept) : tool
  }

  listCatalog(pluginFilter: string, offset: number, limit: number): CatalogEntry[] {
    const { start, end } = pageOf(offset, limit)
    const tools = this.#ofPlugin(pluginFilter).slice(start, end)
    return tools.map((tool) => tool.entry)
  }

  catalogCount(pluginFilter: string): number {
    return this.#ofPlugin(pluginFilter).length
  }

  searchCatalog(query: string): CatalogEntry[] {
    return [...this.search(query).entries]
  }

  getCatalogEntry(toolName: string): CatalogEntry | undefined {
    const tool = this.resolve(toolName)
    return tool && { ...tool.entry, schema: JSON.stringify(inputSchemaOf(tool.definition)) }
  }

  listPluginIds(): string[] {
    return [...this.#selection.lists.pluginIds]
  }

  search(query: string, options: SearchOptions = {}): SearchPage {
    const { start, end } = pageOf(options.offset ?? 0, options.limit ?? 0)
    const { tools, ...rest } = this.#matches(query, options, end)
    return { entries: tools.slice(start, end).map((tool) => tool.entry), ...rest }
  }

  suggest(name: string, limit: number): readonly string[] {
    if (!(limit > 0)) return []
    const renamed = this.#snapshot.lostNames.get(name.trim()) ?? []
    const newNames = renamed.flatMap((lost) => this.#newNameOf(lost) ?? []).sort()
    const selection = this.#selection
    const close = this.#index.suggest(name, limit, (position) => selection.has(position))
    return [...new Set([...newNames, ...close.map((tool) => tool.entry.name)])].slice(0, Math.ceil(limit))
  }

  prepare(answer: 'search' | 'suggest', signal?: AbortSignal): Promise<void> {
    return this.#index.prepare(answer, signal)
  }

  /** Of a tool that several plugins give, one of them stands for all in the names that were lost. */
  #newNameOf(lost: string): string | undefined {
    const tool = this.#snapshot.find(lost)
    return tool && this.resolve(tool.entry.name)?.entry.name
  }

  #ofPlugin(pluginFilter: string): SortedList<CatalogTool> {
    const { lists } = this.#selection
    return pluginFilter === '' ? lists.tools : lists.ofPlugin(pluginFilter)
  }

  /** The `most` best matches, or more, and how many there are. */
  #matches(query: string, { plugin = '', category }: SearchOptions, most: number): SearchMatches {
    const fits = (tool: SearchableTool): boolean => category === undefined || tool.entry.category === category
    if (query.trim() === '') {
      const tools = this.#ofPlugin(plugin).slice(0).filter(fits)
      return { tools, total: tools.length, likeness: 1 }
    }
    const accepts = (tool: SearchableTool): boolean =>
      (plugin === '' || pluginIdsOf(tool).includes(plugin)) && fits(tool)
    const isFiltered = plugin !== '' || category !== undefined
    const request = { query, scope: this.#selection, most, ...(isFiltered && { accepts }) }
    return this.#index.search(request)
  }
}

/** The bounds of a page, in whole numbers: a negative offset is 0, a limit of 0 or less has no end. */
function pageOf(offset: number, limit: number): { readonly start: number; readonly end: number } {
  const start = offset > 0 ? Math.floor(offset) : 0
  return { start, end: limit > 0 ? start + Math.ceil(limit) : Number.POSITIVE_INFINITY }
}

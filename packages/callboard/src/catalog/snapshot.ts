/** The catalogue at one moment: every tool with its names, immutable. */
import type { Surface } from '@callboard/sdk'
import { CallboardError } from '../errors.ts'
import { bridgeTools, type CatalogTool, offersOf } from './catalog-tool.ts'
import { isOffered, SURFACES } from './is-offered.ts'
import { LayeredMap } from './layered-map.ts'
import { createSearchIndex } from './search/create-search-index.ts'
import { LiveSearch } from './search/live-search.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { SortedList } from './sorted-list.ts'
import { ListChanges, ToolLists } from './tool-lists.ts'

/** A plain public name that a clash took away -> the namespaced names of the tools that lost it. */
export type LostNames = ReadonlyMap<string, readonly string[]>

/** What differs between one snapshot and the next. */
export interface CatalogChange {
  /**
   * Namespaced names of tools that are gone, a tool of several plugins by any of its; one that is not there is passed
   * over.
   */
  readonly removed?: Iterable<string>
  /** Tools that are new, or that take the place of the one with the same namespaced name. */
  readonly put?: Iterable<CatalogTool>
  /** The whole table of lost names from now on; absent means that it did not change. */
  readonly lostNames?: LostNames
}

interface SnapshotState {
  readonly lists: ToolLists<CatalogTool>
  readonly byName: LayeredMap<CatalogTool>
  readonly lostNames: LostNames
  /** How many tools are not offered on each surface, in the order of `SURFACES`. */
  readonly withheld: readonly number[]
  readonly search: LiveSearch
}

/**
 * Never changes; `with` derives the next one at the cost of what changed, and shares the rest with it.
 */
export class CatalogSnapshot {
  static readonly empty: CatalogSnapshot = new CatalogSnapshot({
    lists: ToolLists.of<CatalogTool>([]),
    byName: LayeredMap.empty(),
    lostNames: new Map(),
    withheld: SURFACES.map(() => 0),
    search: new LiveSearch(),
  })

  readonly lists: ToolLists<CatalogTool>
  readonly lostNames: LostNames
  readonly #byName: LayeredMap<CatalogTool>
  readonly #withheld: readonly number[]
  readonly #search: LiveSearch
  #searchIndex: SearchIndex | undefined

  private constructor({ lists, byName, lostNames, withheld, search }: SnapshotState) {
    this.lists = lists
    this.lostNames = lostNames
    this.#byName = byName
    this.#withheld = withheld
    this.#search = search
  }

  /** Every tool, sorted by public name in code unit order. */
  get tools(): SortedList<CatalogTool> {
    return this.lists.tools
  }

  /** The ids of the plugins that have a tool, sorted in code unit order. */
  get pluginIds(): readonly string[] {
    return this.lists.pluginIds
  }

  /** The tools of one plugin in the order of `tools`; none for a plugin that is not there. */
  ofPlugin(pluginId: string): SortedList<CatalogTool> {
    return this.lists.ofPlugin(pluginId)
  }

  /** The tool with this public or namespaced name; by a namespaced name, as that plugin alone has it. */
  find(name: string): CatalogTool | undefined {
    return this.#byName.get(name)
  }

  /** Whether every tool is offered on the surface. */
  offersAllOn(surface: Surface): boolean {
    return this.#withheld[SURFACES.indexOf(surface)] === 0
  }

  /**
   * What searches `tools`, by position. All snapshots that were derived from one another share what it has read: a
   * search reads the tools that are new since the last one, in whichever of these snapshots that was.
   */
  get searchIndex(): SearchIndex {
    this.#searchIndex ??= this.searchIndexOf(this.tools)
    return this.#searchIndex
  }

  /** The same for a list of the same names of which some tools are others; what they have in common is read once. */
  searchIndexOf(tools: SortedList<CatalogTool>): SearchIndex {
    return createSearchIndex(tools, this.#search)
  }

  /**
   * The snapshot after a change.
   * @throws CallboardError `internal` when two tools would have one public name, or `put` repeats a namespaced name
   */
  with(change: CatalogChange): CatalogSnapshot {
    const { lists, byName, removed, put } = this.#changesOf(change)
    const lostNames = change.lostNames ?? this.lostNames
    if (byName.size === 0 && lostNames === this.lostNames) return this
    return new CatalogSnapshot({
      lists: byName.size === 0 ? this.lists : this.lists.with(lists),
      byName: this.#byName.with(byName),
      lostNames,
      withheld: SURFACES.map(
        (surface, i) => (this.#withheld[i] ?? 0) - without(removed, surface) + without(put, surface),
      ),
      search: this.tools.length === 0 ? new LiveSearch() : this.#search,
    })
  }

  #changesOf(change: CatalogChange): Changes {
    const put = [...(change.put ?? [])]
    const changes: Changes = { lists: new ListChanges(), byName: new Map(), removed: [], put }
    for (const name of [...(change.removed ?? []), ...put.flatMap(namespacedNames)]) {
      const old = this.#byName.get(name)
      if (old?.entry.namespacedName !== name || changes.byName.has(name)) continue
      // What one plugin has of it goes by the namespaced name; what is listed has the public one.
      remove(changes, this.#byName.get(old.entry.name) ?? old)
    }
    for (const tool of put) {
      const { name, namespacedName } = tool.entry
      const twice = namespacedNames(tool).find((own) => changes.byName.get(own))
      if (twice !== undefined) {
        throw new CallboardError('internal', `"${twice}" was put twice in one change of the catalogue`)
      }
      const taken = changes.byName.has(name) ? changes.byName.get(name) : this.#byName.get(name)
      if (taken) {
        const holder = taken.entry.namespacedName
        throw new CallboardError('internal', `"${holder}" and "${namespacedName}" have one public name, "${name}"`)
      }
      changes.byName.set(name, tool)
      for (const bridge of bridgeTools(tool)) changes.byName.set(bridge.entry.namespacedName, bridge)
      changes.lists.put(tool)
    }
    return changes
  }
}

interface Changes {
  readonly lists: ListChanges<CatalogTool>
  /** By public and by namespaced name. */
  readonly byName: Map<string, CatalogTool | undefined>
  /** The tools that are there no longer, those in whose place another comes among them. */
  readonly removed: CatalogTool[]
  readonly put: readonly CatalogTool[]
}

function remove(changes: Changes, tool: CatalogTool): void {
  changes.byName.set(tool.entry.name, undefined)
  for (const name of namespacedNames(tool)) changes.byName.set(name, undefined)
  changes.lists.remove(tool)
  changes.removed.push(tool)
}

/** Of each plugin that gives the tool. */
function namespacedNames(tool: CatalogTool): readonly string[] {
  return [...new Set(offersOf(tool).map(({ entry }) => entry.namespacedName))]
}

/** How many of the tools are not offered on the surface, or not as every provider serves them. */
function without(tools: readonly CatalogTool[], surface: Surface): number {
  return tools.reduce((count, tool) => count + (offersOf(tool).every((offer) => isOffered(offer, surface)) ? 0 : 1), 0)
}

/** The catalogue at one moment: every tool with its names, immutable. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import { CallboardError } from '../errors.ts'
import { LayeredMap } from './layered-map.ts'
import { createSearchIndex } from './search/create-search-index.ts'
import type { SearchIndex } from './search/search-index.ts'
import { spliceByName } from './sorted-tools.ts'

/** One tool in a snapshot: the entry that is shown, without `schema`, and the definition behind it. */
export interface CatalogTool {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
}

/** A plain public name that a clash took away -> the namespaced names of the tools that lost it. */
export type LostNames = ReadonlyMap<string, readonly string[]>

/** What differs between one snapshot and the next. */
export interface CatalogChange {
  /** Namespaced names of tools that are gone; one that is not there is passed over. */
  readonly removed?: Iterable<string>
  /** Tools that are new, or that take the place of the one with the same namespaced name. */
  readonly put?: Iterable<CatalogTool>
  /** The whole table of lost names from now on; absent means that it did not change. */
  readonly lostNames?: LostNames
}

interface SnapshotState {
  readonly tools: readonly CatalogTool[]
  readonly byPlugin: ReadonlyMap<string, readonly CatalogTool[]>
  readonly byName: LayeredMap<CatalogTool>
  readonly lostNames: LostNames
}

/** Never changes; `with` derives the next one, copying references only where something changed and comparing no others. */
export class CatalogSnapshot {
  static readonly empty: CatalogSnapshot = new CatalogSnapshot({
    tools: [],
    byPlugin: new Map(),
    byName: LayeredMap.empty(),
    lostNames: new Map(),
  })

  /** Every tool, sorted by public name in code unit order. */
  readonly tools: readonly CatalogTool[]
  readonly lostNames: LostNames
  readonly #byPlugin: ReadonlyMap<string, readonly CatalogTool[]>
  readonly #byName: LayeredMap<CatalogTool>
  #pluginIds: readonly string[] | undefined
  #searchIndex: SearchIndex | undefined

  private constructor(state: SnapshotState) {
    this.tools = state.tools
    this.lostNames = state.lostNames
    this.#byPlugin = state.byPlugin
    this.#byName = state.byName
  }

  /** The ids of the plugins that have a tool, sorted in code unit order. */
  get pluginIds(): readonly string[] {
    this.#pluginIds ??= [...this.#byPlugin.keys()].sort()
    return this.#pluginIds
  }

  /** The tools of one plugin in the order of `tools`; none for a plugin that is not there. */
  ofPlugin(pluginId: string): readonly CatalogTool[] {
    return this.#byPlugin.get(pluginId) ?? []
  }

  /** The tool with this public or namespaced name. */
  find(name: string): CatalogTool | undefined {
    return this.#byName.get(name)
  }

  /** What searches `tools`, by position. Built when it is first asked for, then kept. */
  get searchIndex(): SearchIndex {
    this.#searchIndex ??= createSearchIndex(this.tools)
    return this.#searchIndex
  }

  /**
   * The snapshot after a change.
   * @throws CallboardError `internal` when two tools would have one public name, or `put` repeats a namespaced name
   */
  with(change: CatalogChange): CatalogSnapshot {
    const changes = this.#changesOf(change)
    const lostNames = change.lostNames ?? this.lostNames
    if (changes.byName.size === 0 && lostNames === this.lostNames) return this
    const byPlugin = new Map(this.#byPlugin)
    for (const [id, named] of changes.ofPlugins) {
      const tools = spliceByName(this.ofPlugin(id), named)
      if (tools.length > 0) byPlugin.set(id, tools)
      else byPlugin.delete(id)
    }
    return new CatalogSnapshot({
      tools: spliceByName(this.tools, changes.byPublicName),
      byPlugin,
      byName: this.#byName.with(changes.byName),
      lostNames,
    })
  }

  #changesOf(change: CatalogChange): Changes {
    const changes: Changes = { byPublicName: new Map(), ofPlugins: new Map(), byName: new Map() }
    const put = [...(change.put ?? [])]
    for (const name of [...(change.removed ?? []), ...put.map((tool) => tool.entry.namespacedName)]) {
      const old = this.#byName.get(name)
      if (old?.entry.namespacedName === name) note(changes, old, undefined)
    }
    for (const tool of put) {
      const { name, namespacedName } = tool.entry
      if (changes.byName.get(namespacedName)) {
        throw new CallboardError('internal', `"${namespacedName}" was put twice in one change of the catalogue`)
      }
      const taken = changes.byName.has(name) ? changes.byName.get(name) : this.#byName.get(name)
      if (taken) {
        const holder = taken.entry.namespacedName
        throw new CallboardError('internal', `"${holder}" and "${namespacedName}" have one public name, "${name}"`)
      }
      note(changes, tool, tool)
    }
    return changes
  }
}

interface Changes {
  readonly byPublicName: NamedChanges
  readonly ofPlugins: Map<string, NamedChanges>
  /** By public and by namespaced name. */
  readonly byName: NamedChanges
}

type NamedChanges = Map<string, CatalogTool | undefined>

/** Notes that `tool` is gone (`value` undefined) or there, in every table that names it. */
function note(changes: Changes, tool: CatalogTool, value: CatalogTool | undefined): void {
  const { name, namespacedName, pluginId } = tool.entry
  const ofPlugin = changes.ofPlugins.get(pluginId) ?? new Map<string, CatalogTool | undefined>()
  changes.ofPlugins.set(pluginId, ofPlugin.set(name, value))
  changes.byPublicName.set(name, value)
  changes.byName.set(name, value).set(namespacedName, value)
}

/** Tools in order of public name, all of them and plugin by plugin; immutable. */
import type { CatalogEntry } from '@callboard/sdk'
import { SortedList } from './sorted-list.ts'

interface Named {
  readonly entry: Pick<CatalogEntry, 'name'>
}

interface Listed extends Named {
  readonly entry: Pick<CatalogEntry, 'name' | 'pluginId'>
  readonly offers?: readonly Listed[]
}

/** The plugins that give the tool, each once. */
export function pluginIdsOf({ entry, offers }: Listed): readonly string[] {
  return offers === undefined ? [entry.pluginId] : [...new Set(offers.map((offer) => offer.entry.pluginId))]
}

/** Which tools come and go. Where one comes under the name of one that goes, the removal is noted first. */
export class ListChanges<T extends Listed> {
  readonly byName: Map<string, T | undefined> = new Map()
  readonly ofPlugins: Map<string, Map<string, T | undefined>> = new Map()

  remove(tool: T): void {
    this.#set(tool, undefined)
  }

  put(tool: T): void {
    this.#set(tool, tool)
  }

  #set(tool: T, value: T | undefined): void {
    const { name } = tool.entry
    for (const pluginId of pluginIdsOf(tool)) {
      const ofPlugin = this.ofPlugins.get(pluginId) ?? new Map<string, T | undefined>()
      this.ofPlugins.set(pluginId, ofPlugin.set(name, value))
    }
    this.byName.set(name, value)
  }
}

/** The tools of one plugin. */
interface OfPlugin<T extends object> {
  readonly pluginId: string
  readonly tools: SortedList<T>
}

export class ToolLists<T extends Listed> {
  /** Sorted by public name. */
  readonly tools: SortedList<T>
  readonly #byPlugin: SortedList<OfPlugin<T>>
  #pluginIds: readonly string[] | undefined

  private constructor(
    tools: SortedList<T>,
    byPlugin: SortedList<OfPlugin<T>>,
    pluginIds: readonly string[] | undefined,
  ) {
    this.tools = tools
    this.#byPlugin = byPlugin
    this.#pluginIds = pluginIds
  }

  /** @param tools sorted by public name */
  static of<T extends Listed>(tools: readonly T[]): ToolLists<T> {
    const byPlugin = new Map<string, T[]>()
    for (const tool of tools) {
      for (const pluginId of pluginIdsOf(tool)) {
        const ofPlugin = byPlugin.get(pluginId)
        if (ofPlugin) ofPlugin.push(tool)
        else byPlugin.set(pluginId, [tool])
      }
    }
    const plugins = [...byPlugin.keys()].sort()
    const ofPlugins = plugins.map((pluginId) => ({ pluginId, tools: sortedTools(byPlugin.get(pluginId) ?? []) }))
    return new ToolLists(sortedTools(tools), SortedList.of(ofPlugins, pluginIdOf), plugins)
  }

  /** The ids of the plugins that have a tool, sorted in code unit order. */
  get pluginIds(): readonly string[] {
    this.#pluginIds ??= Array.from(this.#byPlugin, pluginIdOf)
    return this.#pluginIds
  }

  /** The tools of one plugin in the order of `tools`; none for a plugin that is not there. */
  ofPlugin(pluginId: string): SortedList<T> {
    return this.#byPlugin.get(pluginId)?.tools ?? sortedTools<T>([])
  }

  /** The lists after the changes; those of plugins that did not change are shared. */
  with({ byName, ofPlugins }: ListChanges<T>): ToolLists<T> {
    const changed = new Map<string, OfPlugin<T> | undefined>()
    let known = this.#pluginIds
    for (const [pluginId, changes] of ofPlugins) {
      const before = this.ofPlugin(pluginId)
      const tools = before.with(changes)
      if (before.length > 0 !== tools.length > 0) known = undefined
      changed.set(pluginId, tools.length > 0 ? { pluginId, tools } : undefined)
    }
    return new ToolLists(this.tools.with(byName), this.#byPlugin.with(changed), known)
  }
}

function pluginIdOf({ pluginId }: { readonly pluginId: string }): string {
  return pluginId
}

/** @param tools sorted by public name */
export function sortedTools<T extends Named>(tools: readonly T[]): SortedList<T> {
  return SortedList.of(tools, publicName)
}

function publicName({ entry }: Named): string {
  return entry.name
}

/** Tools in order of public name, all of them and plugin by plugin; immutable. */
import type { CatalogEntry } from '@callboard/sdk'
import { type NamedChanges, spliceByName } from './sorted-tools.ts'

interface Listed {
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

export class ToolLists<T extends Listed> {
  /** Sorted by public name in code unit order. */
  readonly tools: readonly T[]
  readonly #byPlugin: ReadonlyMap<string, readonly T[]>
  #pluginIds: readonly string[] | undefined

  private constructor(
    tools: readonly T[],
    byPlugin: ReadonlyMap<string, readonly T[]>,
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
    return new ToolLists(tools, byPlugin, undefined)
  }

  /** The ids of the plugins that have a tool, sorted in code unit order. */
  get pluginIds(): readonly string[] {
    this.#pluginIds ??= [...this.#byPlugin.keys()].sort()
    return this.#pluginIds
  }

  /** The tools of one plugin in the order of `tools`; none for a plugin that is not there. */
  ofPlugin(pluginId: string): readonly T[] {
    return this.#byPlugin.get(pluginId) ?? []
  }

  /** The lists after the changes; those of plugins that did not change are shared. */
  with({ byName, ofPlugins }: ListChanges<T>): ToolLists<T> {
    const byPlugin = new Map(this.#byPlugin)
    for (const [id, changes] of ofPlugins) {
      const tools = spliceByName(this.ofPlugin(id), changes)
      if (tools.length > 0) byPlugin.set(id, tools)
      else byPlugin.delete(id)
    }
    const known = this.#haveSamePlugins(byPlugin, ofPlugins) ? this.#pluginIds : undefined
    return new ToolLists(spliceByName(this.tools, byName), byPlugin, known)
  }

  #haveSamePlugins(
    byPlugin: ReadonlyMap<string, readonly T[]>,
    changed: ReadonlyMap<string, NamedChanges<T>>,
  ): boolean {
    return [...changed.keys()].every((id) => byPlugin.has(id) === this.#byPlugin.has(id))
  }
}

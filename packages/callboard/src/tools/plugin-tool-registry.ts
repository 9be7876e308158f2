/** All tools that plugins have declared, by their identity: the plugin and the declared name. */
import type { ToolDefinition } from '@callboard/sdk'
import { CallboardError } from '../errors.ts'
import { checkDefinition } from './check-definition.ts'
import { namespacedName } from './names.ts'

/** How many names an error lists. */
const LISTED_NAMES = 10

/** The definitions of all plugins. What it hands out is a copy: later changes of the registry do not show in it. */
export class PluginToolRegistry {
  readonly #byPlugin = new Map<string, Map<string, ToolDefinition>>()
  readonly #byNamespacedName = new Map<string, ToolDefinition>()

  /**
   * Adds a tool, in place of the one with the same package and name. Throws `CallboardError` (`config`) for a
   * definition that can't be used.
   */
  register(definition: ToolDefinition): void {
    checkDefinition(definition)
    const { package: pluginId, name } = definition
    const tools = this.#byPlugin.get(pluginId) ?? new Map<string, ToolDefinition>()
    this.#byPlugin.set(pluginId, tools.set(name, definition))
    this.#byNamespacedName.set(namespacedName(pluginId, name), definition)
  }

  /** Whether the plugin has a tool of this declared name. */
  has(pluginId: string, name: string): boolean {
    return this.#byPlugin.get(pluginId)?.has(name) ?? false
  }

  /** The tool of this plugin and declared name. Throws `CallboardError` (`not_found`) when there is none. */
  get(pluginId: string, name: string): ToolDefinition {
    const tools = this.#byPlugin.get(pluginId)
    const definition = tools?.get(name)
    if (definition !== undefined) return definition
    if (tools === undefined) throw new CallboardError('not_found', `plugin "${pluginId}" has no tools`)
    const names = [...tools.keys()].slice(0, LISTED_NAMES).map((known) => `"${known}"`)
    const rest = tools.size > names.length ? ` and ${tools.size - names.length} more` : ''
    throw new CallboardError(
      'not_found',
      `plugin "${pluginId}" has no tool "${name}"; it has ${names.join(', ')}${rest}`,
    )
  }

  /** The tool of this namespaced name; undefined when there is none. */
  getByNamespacedName(name: string): ToolDefinition | undefined {
    return this.#byNamespacedName.get(name)
  }

  /** Every tool by its namespaced name, in the order in which the names were first registered. */
  all(): Map<string, ToolDefinition> {
    return new Map(this.#byNamespacedName)
  }

  /** The tools of one plugin, in the order in which the names were first registered; none for an unknown plugin. */
  forPackage(pluginId: string): ToolDefinition[] {
    return [...(this.#byPlugin.get(pluginId)?.values() ?? [])]
  }

  /** Forgets a tool; one that is not there is passed over. */
  remove(pluginId: string, name: string): void {
    const tools = this.#byPlugin.get(pluginId)
    this.#byNamespacedName.delete(namespacedName(pluginId, name))
    if (tools?.delete(name) === true && tools.size === 0) this.#byPlugin.delete(pluginId)
  }

  /** Forgets every tool, or every tool of one plugin. */
  flush(pluginId?: string): void {
    if (pluginId === undefined) {
      this.#byPlugin.clear()
      this.#byNamespacedName.clear()
      return
    }
    for (const name of this.#byPlugin.get(pluginId)?.keys() ?? [])
      this.#byNamespacedName.delete(namespacedName(pluginId, name))
    this.#byPlugin.delete(pluginId)
  }
}

/** A plugin as the router has it: the list that it gave, and what the config makes of that. */
import type { ToolCategory, ToolDefinition } from '@callboard/sdk'
import { defaultPrefix, namespacedName } from '../tools/names.ts'
import { permissionFault } from '../tools/permission-root.ts'
import { applyToolSettings, type ToolSettings } from '../tools/tool-settings.ts'
import type { Plugin } from './plugin.ts'

/** What the config says of a plugin's tools. */
export interface RegisterOptions {
  /** What stands before the declared name in the public name; by kind and id when absent. */
  readonly prefix?: string
  readonly settings?: ToolSettings
  /** The model providers that a plugin of another kind than `ai` serves. */
  readonly provides?: readonly string[]
}

export class RegisteredPlugin {
  /** Its tools in the catalogue, by namespaced name; the router's to set. */
  tools: ReadonlyMap<string, ToolDefinition> = new Map()
  readonly #category: ToolCategory
  readonly #onList: () => void
  #plugin: Plugin
  #options: RegisterOptions
  #unsubscribe: () => void
  /** The plugin's own list as it was last looked at. */
  #seen: readonly ToolDefinition[]
  /** What is taken over of it: the same, but for a plugin that has listed nothing yet in place of another. */
  #listed: readonly ToolDefinition[]
  #reports: readonly string[] = []
  /** The names of its tools that are switched off. */
  #withheld: readonly string[] = []

  /** @param onList called when the plugin has another list, until `leave` */
  constructor(plugin: Plugin, category: ToolCategory, options: RegisterOptions, onList: () => void) {
    this.#category = category
    this.#plugin = plugin
    this.#options = options
    this.#onList = onList
    this.#seen = plugin.tools
    this.#listed = plugin.tools
    this.#unsubscribe = this.#follow()
  }

  get plugin(): Plugin {
    return this.#plugin
  }

  /** What stands before the declared names of its tools. */
  get prefix(): string {
    return this.#options.prefix ?? defaultPrefix(this.#plugin.kind, this.#plugin.id)
  }

  get id(): string {
    return this.#plugin.id
  }

  /** The model providers that it claims to serve. */
  get providers(): readonly string[] {
    return this.#options.provides ?? this.#plugin.providers ?? []
  }

  get servesProviders(): boolean {
    return this.providers.length > 0
  }

  /** That of its tools, unless they stream. */
  get category(): ToolCategory {
    return this.servesProviders ? 'ai' : this.#category
  }

  /**
   * Its tools in the catalogue as this provider serves them: who may use it may use them, unless the config says
   * otherwise.
   */
  toolsFor(provider: string): readonly ToolDefinition[] {
    const { settings } = this.#options
    const listed = this.#listed.map((tool) => this.#plugin.toolFor?.(tool, provider) ?? tool)
    const tools = settings === undefined ? listed : applyToolSettings(listed, settings).tools
    return tools
      .filter((tool) => this.tools.has(namespacedName(tool.package, tool.name)))
      .map((tool) => ({
        ...tool,
        permission: settings?.overrides.get(tool.name)?.permission ?? `ai.${provider}`,
      }))
  }

  /** What a person should know of the settings, one sentence each; of the tools that `wanted` gave last. */
  get reports(): readonly string[] {
    return this.#reports
  }

  /** The tools that there should be now, by namespaced name, without those that are switched off. */
  wanted(off: ReadonlySet<string>): ReadonlyMap<string, ToolDefinition> {
    const { settings } = this.#options
    const applied = settings === undefined ? undefined : applyToolSettings(this.#listed, settings)
    const definitions = applied?.tools ?? this.#listed
    const faults = definitions.flatMap((tool) => this.#faultOf(tool) ?? [])
    // While nothing is known yet, that nothing matches says nothing.
    const idle = (this.#listed.length === 0 ? [] : (applied?.idle ?? [])).map(
      ({ setting, text }) => `tools.${setting} "${text}" matches no tool`,
    )
    this.#reports = [...idle, ...faults.map(({ report }) => report)].map(
      (report) => `plugin "${this.#plugin.id}": ${report}`,
    )
    const refused = new Set(faults.map(({ tool }) => tool))
    const kept = refused.size === 0 ? definitions : definitions.filter((tool) => !refused.has(tool))
    const wanted = new Map(kept.map((tool) => [namespacedName(tool.package, tool.name), tool]))
    this.#withheld = [...off].filter((name) => wanted.delete(name))
    return wanted
  }

  /** Whether it would have other tools if these were what is switched off. */
  isAffectedBy(off: ReadonlySet<string>): boolean {
    return this.#withheld.some((name) => !off.has(name)) || [...off].some((name) => this.tools.has(name))
  }

  /**
   * Takes over what the config says now. Answers whether its tools go under other names, or are shown otherwise, than
   * before.
   */
  adjust(options: RegisterOptions): boolean {
    const { prefix, servesProviders } = this
    this.#options = options
    return this.prefix !== prefix || this.servesProviders !== servesProviders
  }

  /**
   * Another plugin of the same id takes its place. Until that one lists tools of its own, those known now are taken for
   * its.
   */
  replace(plugin: Plugin): void {
    this.#unsubscribe()
    this.#plugin = plugin
    this.#seen = plugin.tools
    if (plugin.tools.length > 0) this.#listed = plugin.tools
    this.#unsubscribe = this.#follow()
  }

  /** Follows the plugin no longer. */
  leave(): void {
    this.#unsubscribe()
  }

  /** What is wrong with the permission that the plugin declares for a tool; what the config says of it is right. */
  #faultOf(tool: ToolDefinition): { readonly tool: ToolDefinition; readonly report: string } | undefined {
    const { permission, name } = tool
    if (permission === undefined || permission === this.#options.settings?.overrides.get(name)?.permission)
      return undefined
    const { id, kind } = this.#plugin
    const fault = kind === 'ai' && permission.startsWith('ai.') ? undefined : permissionFault(id, permission)
    if (fault === undefined) return undefined
    const mend = `tools.overrides of the config may give it another`
    return { tool, report: `the tool ${JSON.stringify(name.slice(0, 100))} is left out: ${fault}; ${mend}` }
  }

  #follow(): () => void {
    return this.#plugin.onChange(() => {
      if (this.#seen === this.#plugin.tools) return
      this.#seen = this.#plugin.tools
      this.#listed = this.#seen
      this.#onList()
    })
  }
}

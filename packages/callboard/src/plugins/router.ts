/** Which plugin serves which tool, and the catalogue of all of them. */
import { isDeepStrictEqual } from 'node:util'
import type { CatalogEntry, ToolCatalog, ToolCategory, ToolDefinition } from '@callboard/sdk'
import { type CatalogTool, catalogTool, mergedTool } from '../catalog/catalog-tool.ts'
import { type CatalogView, createCatalogView } from '../catalog/catalog-view.ts'
import { LatestSnapshot } from '../catalog/latest-snapshot.ts'
import type { CatalogSnapshot } from '../catalog/snapshot.ts'
import { CallboardError } from '../errors.ts'
import { namespacedName } from '../tools/names.ts'
import { PluginToolRegistry } from '../tools/plugin-tool-registry.ts'
import type { Plugin } from './plugin.ts'
import { namespacedNamesOf, type ProviderSettings, type ProviderTool, ProviderTools } from './provider-tools.ts'
import { PublicNames, type PublicNamesOptions, type Put } from './public-names.ts'
import { RegisteredPlugin, type RegisterOptions } from './registered-plugin.ts'

/**
 * Takes plugins in and out, follows their lists, and keeps three maps by namespaced name: tool → plugin, → category and
 * → providers. As a `ToolCatalog` it shows every tool to everybody, so it never leaves the host.
 */
export class Router implements ToolCatalog {
  readonly registry: PluginToolRegistry = new PluginToolRegistry()
  readonly #plugins = new Map<string, RegisteredPlugin>()
  readonly #pluginOf = new Map<string, Plugin>()
  readonly #categoryOf = new Map<string, ToolCategory>()
  readonly #providersOf = new Map<string, readonly string[]>()
  readonly #providerTools = new ProviderTools()
  readonly #listeners = new Set<() => void>()
  readonly #latest = new LatestSnapshot()
  readonly #names: PublicNames
  #off: ReadonlySet<string> = new Set()
  #catalog: CatalogView | undefined

  constructor(options: PublicNamesOptions) {
    this.#names = new PublicNames(options)
  }

  /** The catalogue at this moment. */
  get snapshot(): CatalogSnapshot {
    return this.#latest.now
  }

  /** Takes in a plugin that runs in the host, of kind `local` or `ai`, and follows its tools from now on. */
  registerPlugin(plugin: Plugin, options: RegisterOptions = {}): void {
    this.#register(plugin, plugin.kind === 'ai' ? 'ai' : 'tool', options)
  }

  /** Takes in a plugin that runs elsewhere, of kind `external` or `mcp`, and follows its tools from now on. */
  registerExternal(plugin: Plugin, options: RegisterOptions = {}): void {
    this.#register(plugin, 'external', options)
  }

  /** Takes a plugin and its tools out again; says whether it was there. */
  unregister(pluginId: string): boolean {
    const registered = this.#plugins.get(pluginId)
    if (registered === undefined) return false
    registered.leave()
    this.#plugins.delete(pluginId)
    this.#replace(registered, new Map())
    return true
  }

  /**
   * Puts a plugin in the place of the one of its id, in one step. Until it lists tools of its own, those of the one
   * before are taken for its.
   */
  replace(plugin: Plugin, options: RegisterOptions = {}): void {
    const registered = this.#registered(plugin.id)
    registered.replace(plugin)
    for (const name of registered.tools.keys()) this.#pluginOf.set(name, plugin)
    this.adjust(plugin.id, options)
  }

  /** Makes something else of the tools of a plugin. */
  adjust(pluginId: string, options: RegisterOptions): void {
    const registered = this.#registered(pluginId)
    const isRenamed = registered.adjust(options)
    this.#replace(registered, registered.wanted(this.#off), isRenamed)
  }

  /**
   * Takes the tools of these namespaced names out, whoever lists them and whenever, and puts back those that were out
   * before. One that is out is to nobody there, and its public name is free.
   */
  switchOff(names: ReadonlySet<string>): void {
    this.#off = names
    for (const registered of this.#plugins.values())
      if (registered.isAffectedBy(names)) this.#replace(registered, registered.wanted(names))
  }

  /** Goes by what the config says of model providers. */
  setProviders(settings: ProviderSettings): void {
    this.#providerTools.settings = settings
    const { removed, put } = this.#takeProviders()
    if (removed.length + put.length > 0) this.#publish(removed, put)
  }

  /** Names every tool anew, in one step, no longer than this. */
  limitNames(maxNameLength: number): void {
    const ofPlugins = [...this.#plugins.values()].flatMap((registered) => putsOf(registered, registered.tools))
    const all = [...ofPlugins, ...this.#providerTools.all().map(putOf)]
    this.#names.limit(maxNameLength, all)
    this.#show(
      [],
      all.map(({ name }) => name),
    )
  }

  /** The plugin that serves the tool with this namespaced name. */
  pluginOf(namespaced: string): Plugin | undefined {
    return this.#pluginOf.get(namespaced)
  }

  /** What a person should know about names and settings, one sentence each; of one plugin, what holds where it is offered alone. */
  reports(only?: string): readonly string[] {
    const ids = only === undefined ? [...this.#plugins.keys()] : [only]
    return [
      ...(only === undefined ? this.#names.reports() : []),
      ...this.#providerTools.reports(ids),
      ...ids.flatMap((id) => this.#plugins.get(id)?.reports ?? []),
    ]
  }

  /** Calls `listener` after the catalogue changed. Returns the way to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  listCatalog(pluginFilter: string, offset: number, limit: number): CatalogEntry[] {
    return this.#everything().listCatalog(pluginFilter, offset, limit)
  }

  catalogCount(pluginFilter: string): number {
    return this.#everything().catalogCount(pluginFilter)
  }

  searchCatalog(query: string): CatalogEntry[] {
    return this.#everything().searchCatalog(query)
  }

  getCatalogEntry(toolName: string): CatalogEntry | undefined {
    return this.#everything().getCatalogEntry(toolName)
  }

  listPluginIds(): string[] {
    return this.#everything().listPluginIds()
  }

  #everything(): CatalogView {
    this.#catalog ??= createCatalogView(this.snapshot)
    return this.#catalog
  }

  #register(plugin: Plugin, category: ToolCategory, options: RegisterOptions): void {
    if (this.#plugins.has(plugin.id)) {
      throw new CallboardError(
        'config',
        `there is a plugin "${plugin.id}" already; unregister it first or use another id`,
      )
    }
    const registered = new RegisteredPlugin(plugin, category, options, () =>
      this.#replace(registered, registered.wanted(this.#off)),
    )
    this.#plugins.set(plugin.id, registered)
    this.#replace(registered, registered.wanted(this.#off))
  }

  #registered(pluginId: string): RegisteredPlugin {
    const registered = this.#plugins.get(pluginId)
    if (registered === undefined) throw new CallboardError('internal', `there is no plugin "${pluginId}" to change`)
    return registered
  }

  #replace(registered: RegisteredPlugin, next: ReadonlyMap<string, ToolDefinition>, isRenamed = false): void {
    const removed = [...registered.tools.keys()].filter((name) => isRenamed || !next.has(name))
    const before = registered.tools
    const put = [...next].filter(([name, tool]) => isRenamed || !isDeepStrictEqual(before.get(name), tool))
    registered.tools = next
    for (const name of removed) {
      const gone = before.get(name)
      if (gone !== undefined && !next.has(name)) this.registry.remove(gone.package, gone.name)
      this.#pluginOf.delete(name)
      this.#categoryOf.delete(name)
      this.#providersOf.delete(name)
    }
    for (const [name, definition] of put) {
      this.#pluginOf.set(name, registered.plugin)
      this.#categoryOf.set(name, definition.streaming === true ? 'stream' : registered.category)
      this.registry.register(definition)
    }
    const isProviders = registered.servesProviders || this.#providerTools.includes(registered.id)
    const ofProviders = isProviders ? this.#takeProviders() : { removed: [], put: [] }
    const changed = putsOf(registered, new Map(put))
    const all = { removed: [...removed, ...ofProviders.removed], put: [...changed, ...ofProviders.put] }
    // What is only described otherwise keeps its name.
    const named = isRenamed ? [] : changed.filter(({ name }) => before.has(name))
    if (all.removed.length + all.put.length > 0) this.#publish(all.removed, all.put, new Set(named))
  }

  /** What changes in the tools that have providers when they are looked at anew. */
  #takeProviders(): { readonly removed: readonly string[]; readonly put: readonly Put[] } {
    const plugins = [...this.#plugins.values()].filter(({ servesProviders }) => servesProviders)
    const { removed, put } = this.#providerTools.take(plugins)
    for (const plugin of plugins)
      for (const name of plugin.tools.keys()) this.#providersOf.set(name, this.#providerTools.servedBy(plugin))
    return { removed, put: put.map(putOf) }
  }

  /** @param named those that have their names already */
  #publish(removed: readonly string[], put: readonly Put[], named: ReadonlySet<Put> = new Set()): void {
    const renamed = this.#names.update(
      removed,
      put.filter((tool) => !named.has(tool)),
    )
    this.#show(removed, [...put.map(({ name }) => name), ...renamed])
  }

  /** @param changed the names of what is new, or other than before */
  #show(removed: readonly string[], changed: readonly string[]): void {
    const put = changed.flatMap((name) => this.#toolNamed(name) ?? [])
    this.#latest.change({ removed, put, lostNames: this.#names.lost })
    this.#catalog = undefined
    for (const listener of this.#listeners) listener()
  }

  /** The tool as the catalogue shows it; `name` is that of its `Put`. */
  #toolNamed(name: string): CatalogTool | undefined {
    const publicName = this.#names.of(name) ?? name
    const ofProviders = this.#providerTools.named(name)
    if (ofProviders === undefined) {
      const definition = this.registry.getByNamespacedName(name)
      return definition && catalogTool({ name: publicName, definition, category: this.#categoryOf.get(name) ?? 'tool' })
    }
    const [first, ...rest] = ofProviders.offers.map(({ provider, definition }) => {
      const category = this.#categoryOf.get(namespacedName(definition.package, definition.name)) ?? 'ai'
      return catalogTool({ name: publicName, definition, category, provider })
    })
    return first && mergedTool([first, ...rest])
  }
}

/** Those of a plugin that serves model providers are put by themselves. */
function putsOf({ prefix, servesProviders }: RegisteredPlugin, tools: ReadonlyMap<string, ToolDefinition>): Put[] {
  return servesProviders ? [] : [...tools].map(([name, tool]) => ({ name, prefix, declaredName: tool.name }))
}

function putOf(tool: ProviderTool): Put {
  return { name: namespacedNamesOf(tool)[0] ?? '', prefix: tool.prefix, declaredName: tool.declaredName }
}

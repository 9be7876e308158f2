/** Which plugin serves which tool, and the catalogue of all of them. */
import { isDeepStrictEqual } from 'node:util'
import type { CatalogEntry, ToolCatalog, ToolCategory, ToolDefinition } from '@callboard/sdk'
import { type CatalogView, createCatalogView } from '../catalog/catalog-view.ts'
import { LatestSnapshot } from '../catalog/latest-snapshot.ts'
import type { CatalogSnapshot, CatalogTool, LostNames } from '../catalog/snapshot.ts'
import { CallboardError } from '../errors.ts'
import type { Log } from '../log.ts'
import { NameTable } from '../tools/name-table.ts'
import { PluginToolRegistry } from '../tools/plugin-tool-registry.ts'
import type { Plugin } from './plugin.ts'
import { RegisteredPlugin, type RegisterOptions } from './registered-plugin.ts'

/** Clashes that one line of the log names. */
const CLASHES_LOGGED = 5

export interface RouterOptions {
  /** The longest a public name may be. */
  readonly maxNameLength: number
  /** Public names that one tool only may have: its namespaced name by public name. */
  readonly reserved?: ReadonlyMap<string, string>
  readonly log: Log
}

/** A tool that is new, or other than before, in the catalogue. */
interface Put {
  readonly name: string
  readonly prefix: string
  readonly definition: ToolDefinition
}

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
  readonly #reserved: ReadonlyMap<string, string> | undefined
  readonly #log: Log
  readonly #listeners = new Set<() => void>()
  readonly #latest = new LatestSnapshot()
  #names: NameTable
  #off: ReadonlySet<string> = new Set()
  #catalog: CatalogView | undefined

  constructor({ maxNameLength, reserved, log }: RouterOptions) {
    this.#reserved = reserved
    this.#names = this.#newNames(maxNameLength)
    this.#log = log
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
    this.#replace(registered, new Map())
    this.#plugins.delete(pluginId)
    return true
  }

  /**
   * Puts a plugin in the place of the one of its id, in one step. Until it lists tools of its own, those of the one before
   * are taken for its.
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
   * Takes the tools of these namespaced names out, whoever lists them and whenever, and puts back those that were out before.
   * One that is out is to nobody there, and its public name is free.
   */
  switchOff(names: ReadonlySet<string>): void {
    this.#off = names
    for (const registered of this.#plugins.values())
      if (registered.isAffectedBy(names)) this.#replace(registered, registered.wanted(names))
  }

  /** Names every tool anew, in one step, no longer than this. */
  limitNames(maxNameLength: number): void {
    const before = this.#names.lostNames
    this.#names = this.#newNames(maxNameLength)
    const all = [...this.#plugins.values()].flatMap(({ prefix, tools }) =>
      [...tools].map(([name, definition]) => ({ name, prefix, definition })),
    )
    this.#publish([], all, before)
  }

  /** The plugin that serves the tool with this namespaced name. */
  pluginOf(namespaced: string): Plugin | undefined {
    return this.#pluginOf.get(namespaced)
  }

  /** What a person should know about names and settings, one sentence each. */
  reports(): readonly string[] {
    const clashes = this.#names.clashes().map(({ plainName, losers, holder }) => {
      const others = losers.map((loser) => `${loser} is now "${this.#names.publicName(loser)}"`).join(', ')
      const whose = holder === undefined ? 'would belong to several tools' : `belongs to ${holder}`
      return `the name "${plainName}" ${whose}: ${others}; a \`prefix\` of its own for one of the plugins ends this`
    })
    return [...clashes, ...[...this.#plugins.values()].flatMap(({ reports }) => reports)]
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

  #newNames(maxLength: number): NameTable {
    return new NameTable({ maxLength, ...(this.#reserved !== undefined && { reserved: this.#reserved }) })
  }

  #replace(registered: RegisteredPlugin, next: ReadonlyMap<string, ToolDefinition>, isRenamed = false): void {
    const removed = [...registered.tools.keys()].filter((name) => !next.has(name))
    const put = [...next].filter(([name, tool]) => isRenamed || !isDeepStrictEqual(registered.tools.get(name), tool))
    if (removed.length === 0 && put.length === 0) return
    registered.tools = next
    for (const name of removed) {
      this.#pluginOf.delete(name)
      this.#categoryOf.delete(name)
      this.#providersOf.delete(name)
    }
    for (const [name, definition] of put) {
      this.#pluginOf.set(name, registered.plugin)
      this.#categoryOf.set(name, definition.streaming === true ? 'stream' : registered.category)
      this.#providersOf.set(name, registered.plugin.providers ?? [])
    }
    this.registry.flush(registered.plugin.id)
    for (const definition of next.values()) this.registry.register(definition)
    const { prefix } = registered
    this.#publish(
      removed,
      put.map(([name, definition]) => ({ name, prefix, definition })),
    )
  }

  /** @param before the names that were lost before this change */
  #publish(removed: readonly string[], put: readonly Put[], before: LostNames = this.#names.lostNames): void {
    const renamed = this.#names.update({
      remove: removed,
      add: put.map(({ name, prefix, definition }) => ({
        namespacedName: name,
        prefix,
        declaredName: definition.name,
      })),
    })
    const { lostNames } = this.#names
    if (lostNames.size > before.size) this.#warnOfClashes(before)
    const others = renamed.flatMap(({ namespacedName: name }) => {
      const definition = this.registry.getByNamespacedName(name)
      return definition === undefined ? [] : [this.#toolOf(name, definition)]
    })
    this.#latest.change({
      removed,
      put: [...put.map(({ name, definition }) => this.#toolOf(name, definition)), ...others],
      lostNames,
    })
    this.#catalog = undefined
    for (const listener of this.#listeners) listener()
  }

  /** Some of the clashes that are new. */
  #warnOfClashes(before: LostNames): void {
    const clashes = this.#names.clashes().filter(({ plainName }) => !before.has(plainName))
    this.#log.warn({ clashes: clashes.slice(0, CLASHES_LOGGED) }, 'tools would have equal names')
  }

  #toolOf(name: string, definition: ToolDefinition): CatalogTool {
    const entry: CatalogEntry = {
      name: this.#names.publicName(name) ?? name,
      description: definition.description ?? '',
      pluginId: definition.package,
      category: this.#categoryOf.get(name) ?? 'tool',
      providers: this.#providersOf.get(name) ?? [],
      namespacedName: name,
      declaredName: definition.name,
      ...(definition.title !== undefined && { title: definition.title }),
    }
    return { entry, definition }
  }
}

/** The plugins of the config: made, registered, started, changed and ended as it says. */
import type { ToolDefinition } from '@callboard/sdk'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import type { PluginConfig } from '../config/config.ts'
import { pluginChange } from '../config/config-change.ts'
import { CallboardError } from '../errors.ts'
import type { Plugin, PluginHealth, PluginHost } from '../plugins/plugin.ts'
import type { RegisterOptions } from '../plugins/registered-plugin.ts'
import type { Router } from '../plugins/router.ts'
import { Supervisor } from '../plugins/supervisor.ts'
import { LeavingPlugins, type LeavingPluginsOptions } from './leaving-plugins.ts'
import { Listeners } from './listeners.ts'
import { type MakeOptions, makePlugin, startTimeoutOf } from './make-plugin.ts'
import { noSuchPlugin } from './no-such-plugin.ts'
import type { PluginStatus } from './plugin-status.ts'

export interface ConfiguredPluginsOptions extends MakeOptions {
  readonly router: Router
  readonly hostOf: (plugin: Plugin) => PluginHost
  /** Why a plugin is switched off that is. */
  readonly whyDisabled: (id: string) => string
  /** Told of what `calleeOf` gave for a plugin that takes no calls any more; who has its place is settled next. */
  readonly onLeave: LeavingPluginsOptions['onLeave']
}

/** One entry of the config; without `plugin` where it is switched off. */
interface Configured {
  config: PluginConfig
  readonly plugin: Plugin | undefined
  readonly since: number
  readonly unsubscribe: () => void
}

/** Knows every plugin of the config, whether it runs or not. */
export class ConfiguredPlugins implements AsyncDisposable {
  readonly #options: ConfiguredPluginsOptions
  readonly #supervisor: Supervisor
  readonly #leaving: LeavingPlugins
  readonly #configured = new Map<string, Configured>()
  readonly #listeners = new Listeners<[PluginStatus]>()
  /** The ids that were asked to start; also what is added later starts after all were. */
  readonly #wanted = new Set<string>()
  #allWanted = false

  constructor(options: ConfiguredPluginsOptions) {
    this.#options = options
    const { hostOf, log, onLeave } = options
    this.#supervisor = new Supervisor({ hostOf, log })
    this.#leaving = new LeavingPlugins({ supervisor: this.#supervisor, log, onLeave })
  }

  /**
   * Makes these the plugins, with the least that is needed: who is asked for as before is left alone, process and all.
   * When it returns, new calls already go by the new list; one that leaves or restarts still answers those it has.
   */
  take(plugins: readonly PluginConfig[]): void {
    const ids = new Set(plugins.map(({ id }) => id))
    for (const id of [...this.#configured.keys()]) if (!ids.has(id)) this.#remove(id)
    for (const config of plugins) this.#takeOne(config)
  }

  /** Sorted by id. */
  statuses(): readonly PluginStatus[] {
    return [...this.#configured.values()]
      .map((configured) => this.#statusOf(configured))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** How the plugin is now, `starting` while it waits for its turn; undefined where there is none, or it is off. */
  healthOf(id: string): PluginHealth | undefined {
    const health = this.#configured.get(id)?.plugin?.health()
    const isToStart = health?.state === 'stopped' && this.#supervisor.isToStart(id)
    return isToStart ? { state: 'starting', since: health.since } : health
  }

  /** What a person should know of their tools, or those of one, one sentence each. */
  reports(only?: string): readonly string[] {
    const ids = only === undefined ? [...this.#configured.keys()] : [only]
    return ids.flatMap((id) => this.#configured.get(id)?.plugin?.reports ?? [])
  }

  /** Starts every plugin that can run, or those named, and resolves when each has started or failed. */
  async start(pluginIds?: readonly string[]): Promise<void> {
    const runnable = [...this.#configured].filter(([, { plugin }]) => plugin !== undefined).map(([id]) => id)
    if (pluginIds === undefined) this.#allWanted = true
    for (const id of pluginIds ?? []) this.#wanted.add(id)
    await this.#supervisor.start(pluginIds ?? runnable)
  }

  /** As the host's `restart`: what runs is ended at once, and calls in flight fail. */
  async restart(id: string): Promise<void> {
    const configured = this.#configured.get(id)
    if (configured === undefined) throw noSuchPlugin(id, this.#configured.keys())
    const { reason } = this.#statusOf(configured)
    if (configured.plugin === undefined)
      throw new CallboardError('usage', `plugin "${id}" can't be restarted: ${reason}`)
    await this.#supervisor.restart(id)
  }

  /** Tells the listeners how a plugin is now. Harmless when it is not there. */
  tell(id: string): void {
    const configured = this.#configured.get(id)
    if (configured !== undefined) this.#listeners.tell(this.#statusOf(configured))
  }

  /** Calls `listener` after the state of a plugin changed. Returns the way to stop that. */
  onChange(listener: (status: PluginStatus) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** What runs a call of the tool; undefined when it is gone. To be asked right before the call. */
  calleeOf(tool: CatalogTool): Pick<Plugin, 'id' | 'call' | 'passesWritten'> | undefined {
    const plugin = this.#options.router.pluginOf(tool.entry.namespacedName)
    return plugin && this.#leaving.calleeOf(plugin)
  }

  /** The first start of the tool's plugin, while it runs; it never rejects. */
  firstStartOf(tool: CatalogTool): Promise<void> | undefined {
    return this.#supervisor.firstStartOf(tool.entry.pluginId)
  }

  /** The first starts, while they run, of all plugins of which no tool is known yet; undefined when there are none. */
  unknownStarts(): Promise<unknown> | undefined {
    return this.#supervisor.unknownStarts()
  }

  timeoutOf(definition: ToolDefinition): number | undefined {
    const config = this.#configured.get(definition.package)?.config
    return config?.tools.overrides.get(definition.name)?.timeoutMs ?? config?.timeoutMs
  }

  /** Undefined for what is not configured: the built-in plugin only hands on, and nobody that it asks holds it up. */
  concurrencyOf(definition: ToolDefinition, usual: number): number | undefined {
    const config = this.#configured.get(definition.package)?.config
    return config && (config.concurrency ?? usual)
  }

  /** Ends every plugin, also those that still had calls to answer. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all([this.#leaving[Symbol.asyncDispose](), this.#supervisor[Symbol.asyncDispose]()])
    } finally {
      for (const { unsubscribe } of this.#configured.values()) unsubscribe()
    }
  }

  #takeOne(config: PluginConfig): void {
    const { id } = config
    const known = this.#configured.get(id)
    switch (pluginChange(known?.config, config)) {
      case 'added':
        this.#remove(id)
        this.#add(config)
        break
      case 'restarted':
        this.#restart(config)
        break
      case 'removed':
        this.#remove(id)
        this.#put(config, undefined)
        break
      case 'adjusted':
        this.#adjust(config)
        break
      case undefined:
        if (known === undefined) this.#put(config, undefined)
        else known.config = config
    }
  }

  #add(config: PluginConfig): void {
    const plugin = this.#make(config)
    if (plugin !== undefined) this.#register(plugin, config)
    this.#put(config, plugin)
    if (plugin !== undefined) this.#run(config, plugin)
  }

  #restart(config: PluginConfig): void {
    const old = this.#configured.get(config.id)?.plugin
    const plugin = this.#make(config)
    if (old === undefined || plugin === undefined || old.kind !== plugin.kind) {
      this.#remove(config.id)
      this.#add(config)
      return
    }
    this.#leaving.leave(old)
    this.#options.router.replace(plugin, registerOptions(config))
    this.#put(config, plugin)
    this.#run(config, plugin)
  }

  #adjust(config: PluginConfig): void {
    const known = this.#configured.get(config.id)
    if (known === undefined) return
    known.config = config
    if (known.plugin === undefined) return
    this.#options.router.adjust(config.id, registerOptions(config))
    this.#supervisor.setStartTimeout(config.id, startTimeoutOf(config))
  }

  #remove(id: string): void {
    const known = this.#configured.get(id)
    if (known === undefined) return
    this.#configured.delete(id)
    known.unsubscribe()
    if (known.plugin === undefined) return
    this.#options.router.unregister(id)
    this.#leaving.leave(known.plugin)
  }

  #make(config: PluginConfig): Plugin | undefined {
    return config.enabled ? makePlugin(config, this.#options) : undefined
  }

  #register(plugin: Plugin, config: PluginConfig): void {
    const { router } = this.#options
    if (config.kind === 'local' || config.kind === 'ai') router.registerPlugin(plugin, registerOptions(config))
    else router.registerExternal(plugin, registerOptions(config))
  }

  /** Sets the entry, in place of one whose plugin has left; the router hears of it first, so what is told is true. */
  #put(config: PluginConfig, plugin: Plugin | undefined): void {
    this.#configured.get(config.id)?.unsubscribe()
    const tell = (): void => this.#listeners.tell(this.#statusOf(configured))
    const configured: Configured = {
      config,
      plugin,
      since: Date.now(),
      unsubscribe: plugin === undefined ? () => {} : plugin.onChange(tell),
    }
    this.#configured.set(config.id, configured)
  }

  #run(config: PluginConfig, plugin: Plugin): void {
    this.#supervisor.add(plugin, startTimeoutOf(config), this.#leaving.endOf(plugin.id))
    if (this.#allWanted || this.#wanted.has(config.id)) void this.#supervisor.start([config.id])
  }

  #statusOf({ config, since }: Configured): PluginStatus {
    const disabled = { state: 'disabled', since, reason: this.#options.whyDisabled(config.id) } as const
    const health = this.healthOf(config.id) ?? disabled
    const startMs = this.#supervisor.startMsOf(config.id)
    const tools = this.#options.router.catalogCount(config.id)
    return { id: config.id, kind: config.kind, tools, ...health, ...(startMs !== undefined && { startMs }) }
  }
}

function registerOptions({ prefix, provides, tools: settings }: PluginConfig): RegisterOptions {
  return { settings, ...(prefix !== undefined && { prefix }), ...(provides !== undefined && { provides }) }
}

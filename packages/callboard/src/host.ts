/** Puts the parts together and owns their lifetimes. */
import { join } from 'node:path'
import type { Surface, ToolDefinition } from '@callboard/sdk'
import type { CatalogView } from './catalog/catalog-view.ts'
import { closestName } from './closest-name.ts'
import type { Config, PluginConfig } from './config/config.ts'
import { CallboardError } from './errors.ts'
import type { Gate } from './gate/gate.ts'
import { createRoleGate } from './gate/role-gate.ts'
import type { CallRecord } from './invoke/call-record.ts'
import {
  type AssembledInvoker,
  createToolInvoker,
  type InvokeRequest,
  type ToolInvoker,
} from './invoke/tool-invoker.ts'
import { Views } from './invoke/views.ts'
import { createLog, type Log } from './log.ts'
import { BUILTIN_NAMES, BuiltinPlugin } from './plugins/builtin/builtin-plugin.ts'
import { BUILTIN_ID } from './plugins/builtin/builtin-tool.ts'
import { createMcpPlugin } from './plugins/mcp/mcp-plugin.ts'
import type { Plugin, PluginHealth, PluginHost, PluginKind, ToolCall } from './plugins/plugin.ts'
import { ProcessWatcher } from './plugins/process/process-watcher.ts'
import { Router } from './plugins/router.ts'
import { Supervisor } from './plugins/supervisor.ts'
import type { Secrets } from './secrets.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import type { Store } from './store/store.ts'
import { version } from './version.ts'

/** One plugin as a person sees it. */
export interface PluginStatus extends PluginHealth {
  readonly id: string
  readonly kind: PluginKind
  /** How many tools it has in the catalogue. */
  readonly tools: number
}

/** A running callboard: its catalogue, its plugins and the way to call them. Dispose of it to end everything. */
export interface Host extends AsyncDisposable {
  readonly config: Config
  readonly log: Log
  readonly secrets: Secrets
  readonly invoker: ToolInvoker
  /** What `user` may see on `surface`, at this moment. */
  view(user: string, surface: Surface): Promise<CatalogView>
  /** Whether the user has the permission. */
  allows(user: string, permission: string): Promise<boolean>
  /** Every configured plugin, sorted by id; the built-in one is not among them. */
  plugins(): readonly PluginStatus[]
  /** What a person should know: clashes of names, tools without a usable schema, servers that repeat a name. */
  reports(): readonly string[]
  /** Makes every tool's schema ready for calls, so that `reports` names all that can't be used; takes about a millisecond each. */
  checkSchemas(): Promise<void>
  /** Starts every enabled plugin, or only those named, and resolves when each has started or failed. What is ready is served at once. */
  start(pluginIds?: readonly string[]): Promise<void>
  /**
   * Ends one plugin and starts it anew, whatever its state; its calls in flight fail, those that come meanwhile wait.
   * Resolves when it has started or failed. Throws `usage` for an id that is not configured and for a plugin that is
   * switched off.
   */
  restart(pluginId: string): Promise<void>
  /** Calls `listener` after the catalogue changed. Returns the way to stop that. */
  onCatalogChange(listener: () => void): () => void
  /** Calls `listener` after the state of a plugin changed. Returns the way to stop that. */
  onPluginChange(listener: (status: PluginStatus) => void): () => void
  /** Calls `listener` after each call, with what became of it. Returns the way to stop that. */
  onCall(listener: (record: CallRecord) => void): () => void
}

/** What a host is made of. */
export interface HostOptions {
  readonly config: Config
  /** The secrets to keep out of what is said; those of the config when absent. */
  readonly secrets?: Secrets
  /** Where the log goes; warnings and errors, to stderr, when absent. */
  readonly log?: Log
  /** Decides instead of the roles of the config. */
  readonly gate?: Gate
}

/** A host with its catalogue as it was last known; nothing runs until `start`. Dispose of it to end everything. */
export async function createHost(options: HostOptions): Promise<Host> {
  const host = new AssembledHost(options)
  try {
    await host.open()
    return host
  } catch (error) {
    await host[Symbol.asyncDispose]()
    throw error
  }
}

/** A configured plugin; without `plugin` where this version does not run its kind, or the config has it switched off. */
interface Configured {
  readonly config: PluginConfig
  readonly plugin: Plugin | undefined
  readonly unsubscribe: () => void
}

class AssembledHost implements Host {
  readonly config: Config
  readonly log: Log
  readonly secrets: Secrets
  readonly invoker: AssembledInvoker
  readonly #store: Store
  readonly #watcher: ProcessWatcher
  readonly #router: Router
  readonly #views: Views
  readonly #supervisor: Supervisor
  readonly #configured = new Map<string, Configured>()
  readonly #pluginListeners = new Set<(status: PluginStatus) => void>()
  readonly #callListeners = new Set<(record: CallRecord) => void>()
  readonly #warnings: string[] = []
  readonly #openedAt = Date.now()

  constructor({ config, gate, secrets = config.secrets, log = createLog(secrets, 'warn') }: HostOptions) {
    this.config = config
    this.log = log
    this.secrets = secrets
    this.#store = openSqliteStore(join(config.dataDir, 'callboard.sqlite'), (warning) => this.#warn(warning))
    this.#watcher = new ProcessWatcher(log)
    this.#router = new Router({ maxNameLength: config.names.maxLength, reserved: BUILTIN_NAMES, log })
    this.#views = new Views(() => this.#router.snapshot, gate ?? createRoleGate(config))
    this.#supervisor = new Supervisor({ hostOf: (plugin) => this.#hostOf(plugin), log })
    this.invoker = createToolInvoker({
      view: (user, surface) => this.view(user, surface),
      pluginOf: (tool) => this.#router.pluginOf(tool.entry.namespacedName),
      firstStartOf: (tool) => this.#supervisor.firstStartOf(tool.entry.pluginId),
      unknownStarts: () => this.#supervisor.unknownStarts(),
      gate: this.#views.gate,
      limits: config.limits,
      timeoutOf: (definition) => this.#timeoutOf(definition),
      concurrencyOf: (definition) => this.#concurrencyOf(definition),
      known: (name) => this.#router.snapshot.find(name)?.definition,
      record: (record) => this.#record(record),
      log,
    })
  }

  /** Takes in the configured plugins, and the built-in one, which needs no supervisor: nothing can go wrong with it. */
  async open(): Promise<void> {
    for (const plugin of this.config.plugins) this.#addConfigured(plugin)
    const builtin = new BuiltinPlugin()
    this.#router.registerPlugin(builtin, { prefix: '' })
    await builtin.start(this.#hostOf(builtin))
  }

  view(user: string, surface: Surface): Promise<CatalogView> {
    return this.#views.of(user, surface)
  }

  async allows(user: string, permission: string): Promise<boolean> {
    return this.#views.gate.allows(user, permission)
  }

  plugins(): readonly PluginStatus[] {
    return [...this.#configured.values()].map((configured) => this.#statusOf(configured)).sort(byId)
  }

  reports(): readonly string[] {
    const ofPlugins = [...this.#configured.values()].flatMap(({ plugin }) => plugin?.reports ?? [])
    const reports = [...this.#warnings, ...this.#router.reports(), ...this.invoker.reports(), ...ofPlugins]
    return reports.map((report) => this.secrets.redact(report))
  }

  async checkSchemas(): Promise<void> {
    for (const { definition } of this.#router.snapshot.tools) await this.invoker.prepare(definition)
  }

  async start(pluginIds?: readonly string[]): Promise<void> {
    const runnable = [...this.#configured.values()].filter(({ plugin }) => plugin !== undefined)
    await this.#supervisor.start(pluginIds ?? runnable.map(({ config }) => config.id))
  }

  async restart(pluginId: string): Promise<void> {
    const configured = this.#configured.get(pluginId)
    if (configured === undefined) {
      const near = closestName(pluginId, this.#configured.keys())
      const guess =
        near === undefined ? `there are ${[...this.#configured.keys()].join(', ')}` : `did you mean "${near}"?`
      throw new CallboardError('usage', `no plugin "${pluginId}"; ${guess}`)
    }
    const { reason } = this.#statusOf(configured)
    if (configured.plugin === undefined)
      throw new CallboardError('usage', `plugin "${pluginId}" can't be restarted: ${reason}`)
    await this.#supervisor.restart(pluginId)
  }

  onCatalogChange(listener: () => void): () => void {
    return this.#router.onChange(listener)
  }

  onPluginChange(listener: (status: PluginStatus) => void): () => void {
    this.#pluginListeners.add(listener)
    return () => this.#pluginListeners.delete(listener)
  }

  onCall(listener: (record: CallRecord) => void): () => void {
    this.#callListeners.add(listener)
    return () => this.#callListeners.delete(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#supervisor[Symbol.asyncDispose]()
    } finally {
      for (const { unsubscribe } of this.#configured.values()) unsubscribe()
      await this.#watcher[Symbol.asyncDispose]().finally(() => this.#store[Symbol.dispose]())
    }
  }

  #addConfigured(config: PluginConfig): void {
    if (config.kind !== 'mcp' || !config.enabled) {
      this.#configured.set(config.id, { config, plugin: undefined, unsubscribe: () => {} })
      return
    }
    const plugin = createMcpPlugin({
      id: config.id,
      target: config.mcp,
      version,
      store: this.#store.toolLists,
      log: this.log,
      watcher: this.#watcher,
      secrets: this.secrets,
    })
    const { prefix, tools: settings } = config
    this.#router.registerExternal(plugin, { settings, ...(prefix !== undefined && { prefix }) })
    this.#supervisor.add(plugin, config.mcp.startTimeoutMs)
    const configured: Configured = {
      config,
      plugin,
      unsubscribe: plugin.onChange(() => {
        const status = this.#statusOf(configured)
        for (const listener of this.#pluginListeners) listener(status)
      }),
    }
    this.#configured.set(config.id, configured)
  }

  #hostOf(plugin: Plugin): PluginHost {
    return {
      log: this.log.child({ plugin: plugin.id }),
      view: (user, surface) => this.view(user, surface),
      call: (parent, name, args, options) => this.invoker.run(callWithin(parent, name, args, options)),
      storage: {
        get: (key) => this.#store.pluginStorage.get(plugin.id, key),
        set: (key, value) => this.#store.pluginStorage.set(plugin.id, key, value),
      },
    }
  }

  #statusOf({ config, plugin }: Configured): PluginStatus {
    const health = plugin?.health() ?? {
      state: config.enabled ? 'failed' : 'stopped',
      since: this.#openedAt,
      reason: config.enabled
        ? `this version does not run plugins of kind ${config.kind}`
        : 'switched off in the config',
    }
    return { id: config.id, kind: config.kind, tools: this.#router.catalogCount(config.id), ...health }
  }

  #timeoutOf(definition: ToolDefinition): number | undefined {
    const config = this.#configured.get(definition.package)?.config
    return config?.tools.overrides.get(definition.name)?.timeoutMs ?? config?.timeoutMs
  }

  /** Of what is configured; the built-in plugin only hands on, and must not be held up by whom it hands on to. */
  #concurrencyOf(definition: ToolDefinition): number | undefined {
    const config = this.#configured.get(definition.package)?.config
    return config && (config.concurrency ?? this.config.limits.concurrency)
  }

  #record(record: CallRecord): void {
    this.log.info(record, 'call')
    for (const listener of this.#callListeners) listener(record)
  }

  #warn(warning: string): void {
    this.#warnings.push(warning)
    this.log.warn(warning)
  }
}

/** The call of another tool by `parent`; those of the built-in tools only hand on, and leave no record of their own. */
function callWithin(
  parent: ToolCall,
  name: string,
  args: InvokeRequest['arguments'],
  options: Pick<InvokeRequest, 'provider'> = {},
): InvokeRequest {
  const { definition, user, surface, signal, meta, onProgress, log } = parent
  return {
    name,
    arguments: args,
    user,
    surface,
    signal,
    // The whole request works on one view.
    view: parent.catalog,
    ...(definition.package === BUILTIN_ID ? { inPlaceOf: parent } : { via: definition.name }),
    ...options,
    ...(meta !== undefined && { meta }),
    ...(onProgress !== undefined && { onProgress }),
    ...(log !== undefined && { log }),
  }
}

function byId(a: PluginStatus, b: PluginStatus): number {
  return a.id < b.id ? -1 : 1
}

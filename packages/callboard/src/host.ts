/** Puts the parts together and owns their lifetimes. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Surface } from '@callboard/sdk'
import { type CatalogView, createCatalogView } from './catalog/catalog-view.ts'
import type { CatalogSnapshot, CatalogTool } from './catalog/snapshot.ts'
import type { Config, PluginConfig } from './config/config.ts'
import { CallboardError } from './errors.ts'
import type { Gate } from './gate/gate.ts'
import { permissionOf } from './gate/permissions.ts'
import { createRoleGate } from './gate/role-gate.ts'
import { type CallRecord, createToolInvoker, type ToolInvoker } from './invoke/tool-invoker.ts'
import type { Log } from './log.ts'
import { BUILTIN_ID, BuiltinPlugin, reservedNames } from './plugins/builtin/builtin-plugin.ts'
import { createMcpPlugin } from './plugins/mcp/mcp-plugin.ts'
import type { Plugin, PluginHealth, PluginHost, PluginKind } from './plugins/plugin.ts'
import { Router } from './plugins/router.ts'
import { Supervisor } from './plugins/supervisor.ts'
import type { Secrets } from './secrets.ts'
import { openSqliteStore } from './store/sqlite/sqlite-store.ts'
import type { Store } from './store/store.ts'

/** One plugin as a person sees it. */
export interface PluginStatus extends PluginHealth {
  readonly id: string
  readonly kind: PluginKind
  /** How many tools it has in the catalogue. */
  readonly tools: number
}

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
  /** Starts every enabled plugin, or only those named, and resolves when each has started or failed. What is ready is served at once. */
  start(pluginIds?: readonly string[]): Promise<void>
  /** Calls `listener` after the catalogue changed. Returns the way to stop that. */
  onCatalogChange(listener: () => void): () => void
  /** Calls `listener` after the state of a plugin changed. Returns the way to stop that. */
  onPluginChange(listener: (status: PluginStatus) => void): () => void
  /** Calls `listener` after each call, with what became of it. Returns the way to stop that. */
  onCall(listener: (record: CallRecord) => void): () => void
}

export interface HostOptions {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Log
  /** Decides instead of the roles of the config. */
  readonly gate?: Gate
}

/** A host with its catalogue as it was last known; nothing runs until `start`. Dispose of it to end everything. */
export function createHost(options: HostOptions): Host {
  return new AssembledHost(options)
}

class AssembledHost implements Host {
  readonly config: Config
  readonly log: Log
  readonly secrets: Secrets
  readonly invoker: ToolInvoker
  readonly #store: Store
  readonly #gate: Gate
  readonly #router: Router
  readonly #supervisor: Supervisor
  readonly #configured = new Map<string, ConfiguredPlugin>()
  readonly #views = new SnapshotViews()
  readonly #pluginListeners = new Set<(status: PluginStatus) => void>()
  readonly #callListeners = new Set<(record: CallRecord) => void>()

  constructor({ config, secrets, log, gate }: HostOptions) {
    this.config = config
    this.secrets = secrets
    this.log = log
    this.#gate = gate ?? createRoleGate(config)
    this.#store = openSqliteStore(join(config.dataDir, 'callboard.sqlite'), log)
    this.#router = new Router({ maxNameLength: config.names.maxLength, reserved: reservedNames, log })
    this.#supervisor = new Supervisor({ hostOf: (plugin) => this.#hostOf(plugin), log })
    this.invoker = createToolInvoker({
      view: (user, surface) => this.view(user, surface),
      pluginOf: (tool) => this.#router.pluginOf(tool.entry.namespacedName),
      gate: this.#gate,
      limits: config.limits,
      timeoutOf: (definition) => this.#configured.get(definition.package)?.config.timeoutMs,
      record: (record) => this.#record(record),
      log,
    })
    this.#addBuiltin()
    for (const plugin of config.plugins) this.#add(plugin)
  }

  async view(user: string, surface: Surface): Promise<CatalogView> {
    const { snapshot } = this.#router
    if (this.#gate.allowsAll?.(user) === true) return this.#views.of(snapshot, surface)
    const everything = this.#views.of(snapshot, surface)
    const permissions = new Set(everything.tools.map((tool) => permissionOf(tool.definition)))
    const allowed = new Set<string>()
    await Promise.all(
      [...permissions].map(async (permission) => {
        if (await this.allows(user, permission)) allowed.add(permission)
      }),
    )
    return createCatalogView(
      snapshot,
      (tool) => isOffered(tool, surface) && (isBuiltin(tool) || allowed.has(permissionOf(tool.definition))),
    )
  }

  async allows(user: string, permission: string): Promise<boolean> {
    return this.#gate.allows(user, permission)
  }

  plugins(): readonly PluginStatus[] {
    return [...this.#configured.values()].map((plugin) => this.#statusOf(plugin))
  }

  reports(): readonly string[] {
    return [
      ...this.#router.reports(),
      ...this.invoker.reports(),
      ...[...this.#configured.values()].flatMap(({ plugin }) => plugin?.reports?.() ?? []),
    ]
  }

  async start(pluginIds?: readonly string[]): Promise<void> {
    const runnable = [...this.#configured.values()].filter(({ plugin }) => plugin !== undefined).map(({ config }) => config.id)
    await this.#supervisor.start(pluginIds ?? runnable)
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
    await this.#supervisor[Symbol.asyncDispose]()
    this.#store[Symbol.dispose]()
  }
}

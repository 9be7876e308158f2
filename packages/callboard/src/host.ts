/** Puts the parts together and owns their lifetimes. */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Surface } from '@callboard/sdk'
import { offersOf } from './catalog/catalog-tool.ts'
import type { CatalogView } from './catalog/catalog-view.ts'
import type { Config } from './config/config.ts'
import { type ConfigChange, runningConfig } from './config/config-change.ts'
import { loadConfig } from './config/load-config.ts'
import type { ActingUser } from './gate/acting-user.ts'
import { CallAudit } from './host/call-audit.ts'
import { ConfigInEffect, type Reconfiguration } from './host/config-in-effect.ts'
import { createHostInvoker } from './host/create-host-invoker.ts'
import { createPluginHost } from './host/create-plugin-host.ts'
import type { Host, HostOptions } from './host/host.ts'
import { Listeners } from './host/listeners.ts'
import { Members } from './host/members.ts'
import type { People } from './host/people.ts'
import type { PluginStatus } from './host/plugin-status.ts'
import type { AuditBatch, AuditQuery } from './host/read-audit.ts'
import { SwitchedPlugins } from './host/switched-plugins.ts'
import type { Tokens } from './host/tokens.ts'
import type { CallRecord } from './invoke/call-record.ts'
import type { AssembledInvoker } from './invoke/tool-invoker.ts'
import { Views } from './invoke/views.ts'
import { createLog, type Log } from './log.ts'
import { BUILTIN_NAMES, BuiltinPlugin } from './plugins/builtin/builtin-plugin.ts'
import type { Plugin, PluginHost } from './plugins/plugin.ts'
import { Router } from './plugins/router.ts'
import type { Secrets } from './secrets.ts'
import { createJournalAuditStore } from './store/journal/journal-audit-store.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import type { Store } from './store/store.ts'

export type { Reconfiguration } from './host/config-in-effect.ts'
export type { Host, HostOptions } from './host/host.ts'
export type { PluginStatus } from './host/plugin-status.ts'

/**
 * A host with its catalogue as it was last known; nothing runs until `start`. Dispose of it to end everything. Throws
 * `config` for what can't be taken over.
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const host = new AssembledHost(options)
  try {
    await host.open()
    return host
  } catch (error) {
    await host[Symbol.asyncDispose]()
    throw error
  }
}

class AssembledHost implements Host {
  readonly log: Log
  readonly secrets: Secrets
  readonly invoker: AssembledInvoker
  readonly #config: ConfigInEffect
  readonly #members: Members
  readonly #store: Store
  readonly #router: Router
  readonly #views: Views
  readonly #plugins: SwitchedPlugins
  readonly #audit: CallAudit
  readonly #catalogListeners = new Listeners()
  readonly #peopleListeners = new Listeners()
  readonly #warnings: string[] = []

  constructor(options: HostOptions) {
    const { config = loadConfig({ data: {} }), plugins: given = [], gate, secrets = config.secrets } = options
    const { log = createLog(secrets, 'warn') } = options
    this.log = log
    this.secrets = secrets
    this.#config = new ConfigInEffect(config, log)
    this.#store = openSqliteStore(join(config.dataDir, 'callboard.sqlite'), (warning) => this.#warn(warning))
    this.#router = new Router({ maxNameLength: config.names.maxLength, reserved: BUILTIN_NAMES, log })
    this.#router.setProviders(config.ai)
    this.#router.onChange(() => this.#catalogListeners.tell())
    const onChange = (what: 'rights' | 'tokens'): void => {
      if (what === 'rights' && gate === undefined) this.#views.gate = this.#members.gate
      if (what === 'rights') this.#catalogListeners.tell()
      this.#peopleListeners.tell()
    }
    this.#members = new Members({ store: this.#store, config, log, onChange })
    const timeoutMs = (): number => this.config.limits.timeoutMs
    this.#views = new Views(() => this.#router.snapshot, gate ?? this.#members.gate, timeoutMs)
    const parts = { config: this.#config, router: this.#router, store: this.#store, secrets, log }
    this.#plugins = new SwitchedPlugins({
      ...parts,
      given,
      hostOf: (plugin) => this.#hostOf(plugin),
      onLeave: (callee) => this.invoker.release(callee),
    })
    const auditStore = createJournalAuditStore(join(config.dataDir, 'audit'))
    this.#audit = new CallAudit({ store: auditStore, config: () => this.config.audit, secrets, log })
    const plugins = this.#plugins.configured
    this.invoker = createHostInvoker({ ...parts, views: this.#views, plugins, audit: this.#audit })
  }

  get config(): Config {
    return this.#config.current
  }

  get people(): People {
    return this.#members.people
  }

  get tokens(): Tokens {
    return this.#members.tokens
  }

  get switches(): Host['switches'] {
    return this.#plugins.switches
  }

  /** Takes in the configured plugins, and the built-in one, which needs no supervisor: nothing can go wrong with it. */
  async open(): Promise<void> {
    this.#plugins.take()
    const builtin = new BuiltinPlugin()
    this.#router.registerPlugin(builtin, { prefix: '' })
    await builtin.start(this.#hostOf(builtin))
    this.#plugins.switches.follow()
    this.#members.follow()
  }

  async view(user: ActingUser, surface: Surface): Promise<CatalogView> {
    return this.#views.of(user, surface)
  }

  allows(user: ActingUser, permission: string): Promise<boolean> {
    return this.#views.allows(user, permission)
  }

  plugins(): readonly PluginStatus[] {
    return this.#plugins.configured.statuses()
  }

  reports(isHttpServed = true, only?: string): readonly string[] {
    const reports = [
      ...this.#config.reports,
      ...this.#warnings,
      ...this.#members.reports(this.config, isHttpServed),
      ...this.#router.reports(only),
      ...this.invoker.reports(),
      ...this.#plugins.configured.reports(only),
      ...this.#audit.reports(),
    ]
    return reports.map((report) => this.secrets.redact(report))
  }

  audit(query: AuditQuery): AsyncIterable<AuditBatch> {
    return this.#audit.read(query)
  }

  async checkSchemas(): Promise<void> {
    for (const { definition } of [...this.#router.snapshot.tools].flatMap(offersOf)) {
      await this.invoker.prepare(definition)
      // Others have their turn: to make a schema ready takes no waiting, and there may be ten thousand.
      await nextTurn()
    }
  }

  async start(pluginIds?: readonly string[]): Promise<void> {
    this.#audit.start()
    await this.#plugins.configured.start(pluginIds)
  }

  async restart(pluginId: string): Promise<void> {
    await this.#plugins.configured.restart(pluginId)
  }

  reconfigure(asked: Config): ConfigChange {
    const config = runningConfig(this.config, asked)
    const change = this.#plugins.change(asked)
    this.secrets.learn(asked.secrets)
    this.#config.current = config
    if (change.settings.some((key) => key === 'roles' || key === 'users')) this.#members.people.take(config)
    if (change.settings.includes('ai')) this.#router.setProviders(config.ai)
    if (change.settings.includes('names.maxLength')) this.#router.limitNames(config.names.maxLength)
    this.#plugins.take()
    // Who may see what, and what is listed of it, may be other without any change of the tools.
    if (change.settings.length > 0) this.#catalogListeners.tell()
    this.#config.applied(change)
    return change
  }

  refuseConfig(reason: string): void {
    this.#config.refused(reason)
  }

  onReconfigure(listener: (reconfiguration: Reconfiguration) => void): () => void {
    return this.#config.onChange(listener)
  }

  onCatalogChange(listener: () => void): () => void {
    return this.#catalogListeners.add(listener)
  }

  onPeopleChange(listener: () => void): () => void {
    return this.#peopleListeners.add(listener)
  }

  onPluginChange(listener: (status: PluginStatus) => void): () => void {
    return this.#plugins.configured.onChange(listener)
  }

  onCall(listener: (record: CallRecord) => void): () => void {
    return this.#audit.onCall(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#members[Symbol.dispose]()
    try {
      await this.#plugins[Symbol.asyncDispose]()
    } finally {
      // What the end of the plugins made of their calls is recorded when this turn is over.
      await new Promise((resolve) => setImmediate(resolve))
      await this.#audit[Symbol.asyncDispose]()
      this.#store[Symbol.dispose]()
    }
  }

  #hostOf(plugin: Plugin): PluginHost {
    return createPluginHost(plugin, {
      log: this.log,
      view: (user, surface) => this.view(user, surface),
      healthOf: (pluginId) => this.#plugins.configured.healthOf(pluginId),
      invoker: () => this.invoker,
      storage: this.#store.pluginStorage,
    })
  }

  #warn(warning: string): void {
    this.#warnings.push(warning)
    this.log.warn(warning)
  }
}

/** Puts the parts together and owns their lifetimes. */
import { join } from 'node:path'
import type { DefinedPlugin, Surface } from '@callboard/sdk'
import { offerOf, offersOf } from './catalog/catalog-tool.ts'
import type { CatalogView } from './catalog/catalog-view.ts'
import type { Config, PluginConfig } from './config/config.ts'
import { type ConfigChange, configChange, runningConfig } from './config/config-change.ts'
import { loadConfig } from './config/load-config.ts'
import type { ActingUser } from './gate/acting-user.ts'
import type { Gate } from './gate/gate.ts'
import { CallAudit } from './host/call-audit.ts'
import { ConfiguredPlugins } from './host/configured-plugins.ts'
import { createPluginHost } from './host/create-plugin-host.ts'
import { givenPlugins } from './host/given-plugins.ts'
import { Listeners } from './host/listeners.ts'
import { Members } from './host/members.ts'
import type { People } from './host/people.ts'
import type { PluginStatus } from './host/plugin-status.ts'
import type { AuditBatch, AuditQuery } from './host/read-audit.ts'
import { Switches } from './host/switches.ts'
import type { Tokens } from './host/tokens.ts'
import type { CallRecord, RecordedCall } from './invoke/call-record.ts'
import { type AssembledInvoker, createToolInvoker, type ToolInvoker } from './invoke/tool-invoker.ts'
import { Views } from './invoke/views.ts'
import { createLog, type Log } from './log.ts'
import { BUILTIN_NAMES, BuiltinPlugin } from './plugins/builtin/builtin-plugin.ts'
import { ExternalHome } from './plugins/external/external-home.ts'
import type { Plugin, PluginHost } from './plugins/plugin.ts'
import { ProcessWatcher } from './plugins/process/process-watcher.ts'
import { Router } from './plugins/router.ts'
import type { Secrets } from './secrets.ts'
import { createJournalAuditStore } from './store/journal/journal-audit-store.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import type { Store } from './store/store.ts'

export type { PluginStatus } from './host/plugin-status.ts'

/** What became of another config, and what the reports of the host say of it until the next one. */
export type Reconfiguration = { readonly reports: readonly string[] } & (
  | { readonly outcome: 'applied'; readonly change: ConfigChange }
  | { readonly outcome: 'refused'; readonly reason: string }
)

/** A running callboard: its catalogue, its plugins and the way to call them. Dispose of it to end everything. */
export interface Host extends AsyncDisposable {
  /** The config in effect; another one after `reconfigure`, so look here for each request. */
  readonly config: Config
  readonly log: Log
  readonly secrets: Secrets
  readonly invoker: ToolInvoker
  /** What is switched off, besides what the config switches off; a change is in effect at once, and kept. */
  readonly switches: Pick<Switches, 'all' | 'setPlugin' | 'setTool'>
  /** The users and roles by which it decides, unless it was given a gate. */
  readonly people: People
  /** The tokens with which they come in over HTTP, where the config says `http.auth: tokens`. */
  readonly tokens: Tokens
  /** What `user` may see on `surface`, at this moment. */
  view(user: ActingUser, surface: Surface): Promise<CatalogView>
  /** Whether the user has the permission. */
  allows(user: ActingUser, permission: string): Promise<boolean>
  /** Every configured plugin, sorted by id; the built-in one is not among them. */
  plugins(): readonly PluginStatus[]
  /** What a person should know: clashes of names, tools without a usable schema, servers that repeat a name; and, unless `isHttpServed` is false, tokens that are missing. */
  reports(isHttpServed?: boolean): readonly string[]
  /** What was recorded of calls, of this host or another one of the same data folder; as `readAudit` has it. */
  audit(query: AuditQuery): AsyncIterable<AuditBatch>
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
  /**
   * Takes another config over while everything runs, and answers what was different. When it returns, new requests go by the new
   * config; plugins that it asks for as before were left alone, and one that leaves or restarts still answers the calls that it
   * has. What it starts is waited for with `start`. Throws `config`, with everything as it was, for one that can't be taken over.
   */
  reconfigure(config: Config): ConfigChange
  /** Says in `reports`, until the next `reconfigure`, that a config was refused for this reason, and that the one before stays. */
  refuseConfig(reason: string): void
  /** Calls `listener` after `reconfigure` or `refuseConfig`. Returns the way to stop that. */
  onReconfigure(listener: (reconfiguration: Reconfiguration) => void): () => void
  /** Calls `listener` after the catalogue, or what the config shows of it to whom, changed. Returns the way to stop that. */
  onCatalogChange(listener: () => void): () => void
  /** Calls `listener` after users, roles or tokens changed, whichever process did it. Returns the way to stop that. */
  onPeopleChange(listener: () => void): () => void
  /** Calls `listener` after the state of a plugin changed. Returns the way to stop that. */
  onPluginChange(listener: (status: PluginStatus) => void): () => void
  /** Calls `listener` after each call, with what became of it. Returns the way to stop that. */
  onCall(listener: (record: CallRecord) => void): () => void
}

/** What a host is made of. */
export interface HostOptions {
  /** What is configured; nothing when absent, with the data folder that the working folder has. */
  readonly config?: Config
  /** Plugins of the application itself, besides those of the config, whatever config follows. */
  readonly plugins?: readonly DefinedPlugin[]
  /** The secrets to keep out of what is said; those of the config when absent. */
  readonly secrets?: Secrets
  /** Where the log goes; warnings and errors, to stderr, when absent. */
  readonly log?: Log
  /** Decides instead of the roles of the config. */
  readonly gate?: Gate
}

/**
 * A host with its catalogue as it was last known; nothing runs until `start`. Dispose of it to end everything. Throws `config`
 * for what can't be taken over.
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
  readonly switches: Switches
  readonly #given: readonly DefinedPlugin[]
  readonly #members: Members
  readonly #store: Store
  readonly #watcher: ProcessWatcher
  readonly #router: Router
  readonly #views: Views
  readonly #plugins: ConfiguredPlugins
  readonly #audit: CallAudit
  readonly #catalogListeners = new Listeners()
  readonly #peopleListeners = new Listeners()
  readonly #reconfigureListeners = new Listeners<[Reconfiguration]>()
  readonly #callListeners = new Listeners<[CallRecord]>()
  readonly #warnings: string[] = []
  #config: Config
  /** What a person should know of the config that was asked for last. */
  #configReports: readonly string[] = []

  constructor(options: HostOptions) {
    const { config = loadConfig({ data: {} }), plugins = [], gate, secrets = config.secrets } = options
    const { log = createLog(secrets, 'warn') } = options
    this.#config = config
    this.#given = plugins
    this.log = log
    this.secrets = secrets
    this.#store = openSqliteStore(join(config.dataDir, 'callboard.sqlite'), (warning) => this.#warn(warning))
    this.#watcher = new ProcessWatcher(log)
    this.#router = new Router({ maxNameLength: config.names.maxLength, reserved: BUILTIN_NAMES, log })
    this.#router.setProviders(config.ai)
    this.#router.onChange(() => this.#catalogListeners.tell())
    this.#members = new Members({
      store: this.#store,
      config,
      secrets,
      log,
      onChange: (what) => {
        if (what === 'rights' && gate === undefined) this.#views.gate = this.#members.gate
        if (what === 'rights') this.#catalogListeners.tell()
        this.#peopleListeners.tell()
      },
    })
    const timeoutMs = (): number => this.#config.limits.timeoutMs
    this.#views = new Views(() => this.#router.snapshot, gate ?? this.#members.gate, timeoutMs)
    this.switches = new Switches({
      store: this.#store.switches,
      plugins: () => this.#pluginsOf(this.#config),
      snapshot: () => this.#router.snapshot,
      log,
      onChange: (plugins) => this.#takeSwitches(plugins),
    })
    this.#plugins = new ConfiguredPlugins({
      router: this.#router,
      toolLists: this.#store.toolLists,
      externalHome: new ExternalHome(join(config.dataDir, 'external'), log),
      watcher: this.#watcher,
      secrets,
      log,
      hostOf: (plugin) => this.#hostOf(plugin),
      whyDisabled: (id) => this.switches.whyDisabled(id),
      onLeave: (callee) => this.invoker.release(callee),
    })
    this.#audit = new CallAudit({
      store: createJournalAuditStore(join(config.dataDir, 'audit')),
      config: () => this.#config.audit,
      secrets,
      log,
    })
    this.invoker = this.#createInvoker()
  }

  get config(): Config {
    return this.#config
  }

  get people(): People {
    return this.#members.people
  }

  get tokens(): Tokens {
    return this.#members.tokens
  }

  /** Takes in the configured plugins, and the built-in one, which needs no supervisor: nothing can go wrong with it. */
  async open(): Promise<void> {
    this.#router.switchOff(this.switches.tools)
    this.#plugins.take(this.switches.applyTo(this.#pluginsOf(this.#config)))
    const builtin = new BuiltinPlugin()
    this.#router.registerPlugin(builtin, { prefix: '' })
    await builtin.start(this.#hostOf(builtin))
    this.switches.follow()
    this.#members.follow()
  }

  view(user: ActingUser, surface: Surface): Promise<CatalogView> {
    return this.#views.of(user, surface)
  }

  allows(user: ActingUser, permission: string): Promise<boolean> {
    return this.#views.allows(user, permission)
  }

  plugins(): readonly PluginStatus[] {
    return this.#plugins.statuses()
  }

  reports(isHttpServed = true): readonly string[] {
    const reports = [
      ...this.#configReports,
      ...this.#warnings,
      ...this.#members.reports(this.#config, isHttpServed),
      ...this.#router.reports(),
      ...this.invoker.reports(),
      ...this.#plugins.reports(),
      ...this.#audit.reports(),
    ]
    return reports.map((report) => this.secrets.redact(report))
  }

  audit(query: AuditQuery): AsyncIterable<AuditBatch> {
    return this.#audit.read(query)
  }

  async checkSchemas(): Promise<void> {
    for (const { definition } of this.#router.snapshot.tools.flatMap(offersOf)) await this.invoker.prepare(definition)
  }

  async start(pluginIds?: readonly string[]): Promise<void> {
    this.#audit.start()
    await this.#plugins.start(pluginIds)
  }

  async restart(pluginId: string): Promise<void> {
    await this.#plugins.restart(pluginId)
  }

  reconfigure(asked: Config): ConfigChange {
    const before = this.#config
    const config = runningConfig(before, asked)
    const asSwitched = (one: Config): Config => ({ ...one, plugins: this.switches.applyTo(one.plugins) })
    const change = configChange(asSwitched(before), asSwitched(asked))
    const plugins = this.#pluginsOf(config)
    this.secrets.learn(asked.secrets)
    this.#config = config
    if (change.settings.some((key) => key === 'roles' || key === 'users')) this.#members.people.take(config)
    if (change.settings.includes('ai')) this.#router.setProviders(config.ai)
    if (change.settings.includes('names.maxLength')) this.#router.limitNames(config.names.maxLength)
    this.#plugins.take(this.switches.applyTo(plugins))
    // Who may see what, and what is listed of it, may be other without any change of the tools.
    if (change.settings.length > 0) this.#catalogListeners.tell()
    this.log.info(change, 'another config is in effect')
    this.#tell({ outcome: 'applied', change, reports: change.kept })
    return change
  }

  refuseConfig(reason: string): void {
    this.log.error({ reason }, 'a changed config is refused; the one before stays in effect')
    const reports = reason.split('\n').map((fault) => `the changed config is refused: ${fault}`)
    this.#tell({ outcome: 'refused', reason, reports })
  }

  onReconfigure(listener: (reconfiguration: Reconfiguration) => void): () => void {
    return this.#reconfigureListeners.add(listener)
  }

  onCatalogChange(listener: () => void): () => void {
    return this.#catalogListeners.add(listener)
  }

  onPeopleChange(listener: () => void): () => void {
    return this.#peopleListeners.add(listener)
  }

  onPluginChange(listener: (status: PluginStatus) => void): () => void {
    return this.#plugins.onChange(listener)
  }

  onCall(listener: (record: CallRecord) => void): () => void {
    return this.#callListeners.add(listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.switches[Symbol.dispose]()
    this.#members[Symbol.dispose]()
    try {
      await this.#plugins[Symbol.asyncDispose]()
    } finally {
      await this.#close()
    }
  }

  /** Once the plugins have ended. */
  async #close(): Promise<void> {
    try {
      await this.#watcher[Symbol.asyncDispose]()
    } finally {
      // What the end of the plugins made of their calls is recorded when this turn is over.
      await new Promise((resolve) => setImmediate(resolve))
      await this.#audit[Symbol.asyncDispose]()
      this.#store[Symbol.dispose]()
    }
  }

  /** What another config may change is asked for anew by each call. */
  #createInvoker(): AssembledInvoker {
    const config = (): Config => this.#config
    const views = this.#views
    const audit = this.#audit
    return createToolInvoker({
      view: (user, surface, options) => views.of(user, surface, options),
      pluginOf: (tool) => this.#plugins.calleeOf(tool),
      firstStartOf: (tool) => this.#plugins.firstStartOf(tool),
      unknownStarts: () => this.#plugins.unknownStarts(),
      excerpt: (text, max) => this.secrets.excerpt(text, max),
      get gate() {
        return views.gate
      },
      get limits() {
        return config().limits
      },
      get providers() {
        return config().ai
      },
      timeoutOf: (definition) => this.#plugins.timeoutOf(definition),
      concurrencyOf: (definition) => this.#plugins.concurrencyOf(definition, this.#config.limits.concurrency),
      known: (name, provider) => {
        const tool = this.#router.snapshot.find(name)
        return (provider === undefined ? tool : tool && offerOf(tool, provider))?.definition
      },
      record: (record, call) => this.#record(record, call),
      get isRecordingBroken() {
        return audit.isBroken
      },
      log: this.log,
    })
  }

  /** What is asked for, whether it is switched off or not. */
  #pluginsOf(config: Config): readonly PluginConfig[] {
    return [...givenPlugins(this.#given, config), ...config.plugins]
  }

  /** @param pluginIds the plugins that were switched */
  #takeSwitches(pluginIds: readonly string[]): void {
    this.#router.switchOff(this.switches.tools)
    this.#plugins.take(this.switches.applyTo(this.#pluginsOf(this.#config)))
    for (const id of pluginIds) this.#plugins.tell(id)
  }

  #hostOf(plugin: Plugin): PluginHost {
    return createPluginHost(plugin, {
      log: this.log,
      view: (user, surface) => this.view(user, surface),
      healthOf: (pluginId) => this.#plugins.healthOf(pluginId),
      invoker: () => this.invoker,
      storage: this.#store.pluginStorage,
    })
  }

  #tell(reconfiguration: Reconfiguration): void {
    this.#configReports = reconfiguration.reports
    this.#reconfigureListeners.tell(reconfiguration)
  }

  #record(record: CallRecord, call: RecordedCall): Promise<void> | undefined {
    if (record.outcome !== 'started') {
      this.log.info(record, 'call')
      this.#callListeners.tell(record)
    }
    return this.#audit.record(record, call)
  }

  #warn(warning: string): void {
    this.#warnings.push(warning)
    this.log.warn(warning)
  }
}

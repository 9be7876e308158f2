/** What a running callboard is to those who work with it, and what it is made of. */
import type { DefinedPlugin, Surface } from '@callboard/sdk'
import type { CatalogView } from '../catalog/catalog-view.ts'
import type { Config } from '../config/config.ts'
import type { ConfigChange } from '../config/config-change.ts'
import type { ActingUser } from '../gate/acting-user.ts'
import type { Gate } from '../gate/gate.ts'
import type { CallRecord } from '../invoke/call-record.ts'
import type { ToolInvoker } from '../invoke/tool-invoker.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import type { Reconfiguration } from './config-in-effect.ts'
import type { People } from './people.ts'
import type { PluginStatus } from './plugin-status.ts'
import type { AuditBatch, AuditQuery } from './read-audit.ts'
import type { Switches } from './switches.ts'
import type { Tokens } from './tokens.ts'

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
  /**
   * What a person should know: clashes of names, tools without a usable schema, servers that repeat a name; and, unless `isHttpServed` is
   * false, tokens that are missing. Where the plugin `only` is offered alone, under its own names, nothing of clashes and other plugins.
   */
  reports(isHttpServed?: boolean, only?: string): readonly string[]
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

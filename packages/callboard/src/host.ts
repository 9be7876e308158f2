/** Puts the parts together and owns their lifetimes. */
import type { Surface } from '@callboard/sdk'
import type { CatalogView } from './catalog/catalog-view.ts'
import type { Config } from './config/config.ts'
import type { ToolInvoker } from './invoke/tool-invoker.ts'
import type { Log } from './log.ts'
import type { PluginHealth, PluginKind } from './plugins/plugin.ts'
import type { Secrets } from './secrets.ts'

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
  plugins(): readonly PluginStatus[]
  /** What a person should know: clashes of names, tools without a usable schema, servers that repeat a name. */
  reports(): readonly string[]
  /** Starts every enabled plugin, or only those named, and resolves when each has started or failed. What is ready is served at once. */
  start(pluginIds?: readonly string[]): Promise<void>
  /** Calls `listener` after the catalogue changed. Returns the way to stop that. */
  onCatalogChange(listener: () => void): () => void
  /** Calls `listener` after the state of a plugin changed. Returns the way to stop that. */
  onPluginChange(listener: (status: PluginStatus) => void): () => void
}

/** Makes the plugin that an entry of the config asks for, by its kind. */
import type { PluginConfig } from '../config/config.ts'
import type { Log } from '../log.ts'
import { AiPlugin } from '../plugins/ai/ai-plugin.ts'
import type { ExternalHome } from '../plugins/external/external-home.ts'
import { createExternalPlugin } from '../plugins/external/external-plugin.ts'
import { createLocalPlugin } from '../plugins/local/local-plugin.ts'
import { createMcpPlugin } from '../plugins/mcp/mcp-plugin.ts'
import type { Plugin } from '../plugins/plugin.ts'
import type { ProcessWatcher } from '../plugins/process/process-watcher.ts'
import type { Secrets } from '../secrets.ts'
import type { ToolListStore } from '../store/store.ts'
import { version } from '../version.ts'

/** What plugins are made with. */
export interface MakeOptions {
  readonly toolLists: ToolListStore
  readonly externalHome: ExternalHome
  /** Disposed of by its owner, after the plugins. */
  readonly watcher: ProcessWatcher
  readonly secrets: Secrets
  readonly log: Log
}

/** How long a plugin may take to start whose config can't say it. */
const START_TIMEOUT_MS = 30_000

/** The plugin, which was never started. */
export function makePlugin(config: PluginConfig, options: MakeOptions): Plugin {
  const { id, kind } = config
  switch (kind) {
    case 'mcp': {
      const { toolLists: store, log, watcher, secrets } = options
      return createMcpPlugin({ id, target: config.mcp, version, store, log, watcher, secrets })
    }
    case 'local':
      return createLocalPlugin({ id, target: config.local })
    case 'external': {
      const { toolLists: store, externalHome: home, log, watcher, secrets } = options
      return createExternalPlugin({ id, target: config.external, version, store, home, log, watcher, secrets })
    }
    case 'ai':
      return new AiPlugin({ id, providers: config.ai, secrets: options.secrets })
  }
}

/** How long the plugin may take to start, in milliseconds. */
export function startTimeoutOf(config: PluginConfig): number {
  switch (config.kind) {
    case 'mcp':
      return config.mcp.startTimeoutMs
    case 'external':
      return config.external.startTimeoutMs
    default:
      return START_TIMEOUT_MS
  }
}

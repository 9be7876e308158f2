/** How a run of an external plugin is opened, whatever the plugin speaks. */
import type { ToolDefinition } from '@callboard/sdk'
import type { ExternalTarget } from '../../config/config.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { PluginHost } from '../plugin.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import type { ExternalHome } from './external-home.ts'
import type { ExternalPeer } from './external-peer.ts'
import type { NamedCalls } from './named-calls.ts'
import type { RunParts } from './run-parts.ts'

export interface PluginRunOptions {
  readonly id: string
  readonly target: ExternalTarget
  /** The host's version, told to the plugin. */
  readonly version: string
  readonly home: ExternalHome
  readonly watcher: ProcessWatcher
  /** Names the plugin. */
  readonly log: Log
  readonly secrets: Secrets
}

/** What is needed to open one. */
export interface Opening extends PluginRunOptions {
  readonly host: PluginHost
  readonly onToolsChanged: () => void
  /** What it listed when it ran last. */
  readonly knownTools: readonly ToolDefinition[]
  /** Those that run on the plugin. */
  readonly calls: NamedCalls
  /** Takes what has to be ended with the run, also with one that does not come up. */
  readonly parts: RunParts
}

export interface Opened {
  readonly peer: ExternalPeer
  /** Resolves with the reason when the link has ended. */
  readonly ended: Promise<string>
}

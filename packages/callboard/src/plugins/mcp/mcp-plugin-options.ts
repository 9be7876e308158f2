/** What a plugin of kind `mcp` is made with. */
import type { McpTarget } from '../../config/config.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { ToolListStore } from '../../store/store.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'

export interface McpPluginOptions {
  readonly id: string
  readonly target: McpTarget
  /** The host's version, told to the server. */
  readonly version: string
  readonly store: ToolListStore
  readonly log: Log
  /** Ends the server's processes when the host is killed; one for all plugins, disposed by its owner after them. */
  readonly watcher: ProcessWatcher
  /** Kept out of the reasons in `health()` and in errors. */
  readonly secrets?: Secrets
  readonly timeouts?: McpTimeouts
}

/** In milliseconds. Starts and calls have none of their own: their signals decide. */
interface McpTimeouts {
  /** How long a process may leave the question for the modern era unanswered (3000). */
  readonly probeMs?: number
  /** How long one reading of the list may take, or a new session, while the server is up (30000). */
  readonly syncMs?: number
  /** How long a ping may go unanswered after a call that did, before the server is taken for hung (10000). */
  readonly pingMs?: number
  /** How long it must have been silent for that besides (30000). */
  readonly silenceMs?: number
}

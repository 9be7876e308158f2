/** The two ports between the host and whatever gives tools: `Plugin` below, `PluginHost` above. */
import type { Progress, Surface, ToolDefinition, ToolResult } from '@callboard/sdk'
import type { CatalogView } from '../catalog/catalog-view.ts'
import type { ActingUser } from '../gate/acting-user.ts'
import type { Log } from '../log.ts'
import type { CallLog } from './log-messages.ts'

export type { Progress, ToolResult } from '@callboard/sdk'

export type PluginKind = 'local' | 'ai' | 'external' | 'mcp'

/**
 * `starting`: being started, no call possible yet. `up`: serves calls. `degraded`: serves calls, and says that it is
 * not well. `down`: not serving, will be tried again; its last known tools stay listed. `failed`: given up. `stopped`:
 * ended on purpose.
 */
export type PluginState = 'starting' | 'up' | 'degraded' | 'down' | 'failed' | 'stopped'

export interface PluginHealth {
  readonly state: PluginState
  /** When this state began, in milliseconds since the epoch. */
  readonly since: number
  /** Why it is not up, or not well, or what of it is not up, in words a person can act on. */
  readonly reason?: string
}

/** One run of one tool, as it reaches the plugin: resolved, permitted and with valid arguments. */
export interface ToolCall {
  readonly definition: ToolDefinition
  readonly arguments: Readonly<Record<string, unknown>>
  /**
   * The same with their numbers as `readJson` has them, for who passes numbers on as written; only where doubles would
   * write others.
   */
  readonly writtenArguments?: Readonly<Record<string, unknown>> | undefined
  /** The acting user's name. */
  readonly user: string
  /** Where this call may do less than the user may: the patterns to which the user's permissions are narrowed. */
  readonly within?: readonly string[] | undefined
  readonly surface: Surface
  /** Aborted when the caller cancels or the time is up; the plugin passes it on and settles soon after. */
  readonly signal: AbortSignal
  /** The caller's `_meta`, without its progress token; passed on to MCP servers. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** The model provider that serves the call, for AI tools. */
  readonly provider?: string | undefined
  /** Set when the caller wants progress or the timeout is reset by it. */
  readonly onProgress?: (progress: Progress) => void
  /** Set when the caller wants the log messages of the call. What is not written there belongs into the host's log. */
  readonly log?: CallLog | undefined
  /** How many calls are around this one, each made by the tool of the next; absent: none. */
  readonly depth?: number | undefined
  /** The ids of the plugins whose slots those have; absent: none. */
  readonly callers?: readonly string[] | undefined
  /** Set where a plugin asks for itself, outside its calls, so that it has none of its slots. */
  readonly hasNoSlot?: boolean
  /**
   * Set when the caller passes the result on as it is: one that is large, or has numbers that doubles would write
   * otherwise, may come as `encodedResult` makes it.
   */
  readonly takesEncoded?: boolean | undefined
  /** What this user sees on this surface. */
  readonly catalog: CatalogView
}

/** A plugin's only way up to the host. */
export interface PluginHost {
  readonly log: Log
  /**
   * What `user` sees on `surface`, now. Who acts for a call looks at its `catalog`, which is narrowed as the call is.
   */
  view(user: ActingUser, surface: Surface): Promise<CatalogView>
  /**
   * Runs another tool by its public or namespaced name, as the user of `parent`, narrowed as that is, and with its
   * signal, progress and `_meta`. Throws what a call of that tool by itself would throw, and `tool_failed` where tools
   * call each other without an end.
   */
  call(
    parent: ToolCall,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: { readonly provider?: string; readonly writtenArguments?: ToolCall['writtenArguments'] },
  ): Promise<ToolResult>
  /** How a plugin is that gives tools, now; undefined for what has no state of its own. */
  healthOf(pluginId: string): PluginHealth | undefined
  /** What this plugin keeps beyond the process. */
  readonly storage: PluginStorage
}

/** What a plugin remembers between runs. Values are JSON. */
interface PluginStorage {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

/** What gives tools. One object per configured plugin; it can be started again after it went down. */
export interface Plugin {
  readonly id: string
  readonly kind: PluginKind
  /** The definitions known now: those of the running plugin, or the last known ones while it is not up. */
  readonly tools: readonly ToolDefinition[]
  /**
   * What a person should know of its tools, one sentence each: names listed twice, entries that were left out or
   * mended.
   */
  readonly reports?: readonly string[]
  /** The model providers it serves, for kind `ai`; the same for as long as it is there. */
  readonly providers?: readonly string[]
  /** One of `tools` as this provider serves it, where that is something else, such as the models in the schema. */
  toolFor?(tool: ToolDefinition, provider: string): ToolDefinition
  /**
   * Starts it and resolves when its tools are known and calls can be made. Rejects with the reason otherwise, having
   * released everything.
   */
  start(host: PluginHost, signal: AbortSignal): Promise<void>
  /**
   * Runs a tool. Throws `UpstreamError` for its server's own JSON-RPC errors, `CallboardError` when it could not be
   * run.
   */
  call(call: ToolCall): Promise<ToolResult>
  /** The state now; never waits. */
  health(): PluginHealth
  /** Ends it, its processes and connections. Resolves when nothing is left; harmless when it is not running. */
  stop(): Promise<void>
  /**
   * Resolves when nothing is left of the run before, which may take its time after the plugin went down; never rejects.
   * A start waits for it, and whoever gives a start so much time waits first.
   */
  readonly released?: Promise<void>
  /** Whether its start runs a process on this machine, of which only a few load at a time. */
  readonly isProcess?: boolean
  /**
   * Enters `failed`, for this reason, until somebody starts it again; called only while it is down. Absent where
   * another try costs next to nothing, as with a server that runs elsewhere: then it is tried for ever.
   */
  giveUp?(reason: string): void
  /** Calls `listener` after `tools` or the state changed. Returns the way to stop that. */
  onChange(listener: () => void): () => void
  /** Whether it passes numbers on as written; a call whose numbers get lost in doubles is refused for any other. */
  readonly passesWritten?: boolean
  /** Everything else of MCP, where the plugin has it. */
  relay?(method: string, params: unknown, context: ToolCall): Promise<unknown>
}

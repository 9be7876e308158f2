/** What a config asks for, parsed and expanded: durations in milliseconds, paths absolute, every default filled in. */
import type { DefinedPlugin } from '@callboard/sdk'
import type { Secrets } from '../secrets.ts'
import type { ToolSettings } from '../tools/tool-settings.ts'

/** Which tools `tools/list` shows besides the four: none, all, or those whose public name matches a pattern. */
export type Expose = 'catalog' | 'all' | readonly string[]

export interface HttpConfig {
  readonly host: string
  readonly port: number
  readonly auth: 'none' | 'tokens'
  /** Host headers accepted besides loopback. */
  readonly hosts: readonly string[]
  /** Origin headers accepted besides loopback. */
  readonly origins: readonly string[]
}

/** How to reach an MCP server. */
export type McpTarget =
  | {
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  | {
      readonly transport: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      /**
       * `http`: Streamable HTTP; `sse`: the older HTTP+SSE. Absent: the former, and the latter with a server that does
       * not take it.
       */
      readonly type?: 'http' | 'sse'
    }

/** What a plugin of kind `local` is loaded from; its value, where a program gives it to the host. */
export type LocalTarget = { readonly path: string } | { readonly plugin: DefinedPlugin }

/** How a model provider is spoken to. */
export type AiApi = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** One model provider of a bridge. */
export interface AiProvider {
  /** The name by which callers choose it, in small letters. */
  readonly provider: string
  readonly api: AiApi
  /** Those that a call may name, the first one for a call that names none; never empty. */
  readonly models: readonly string[]
  /** Whether it takes images. */
  readonly images: boolean
  readonly apiKey?: string
  /** Absent: the address of the API itself. */
  readonly baseUrl?: string
  /** The most tokens that one call may have written. */
  readonly maxTokens?: number
}

/** What holds for all model providers, whose names are in small letters. */
export interface AiConfig {
  /** Of a call that names none. */
  readonly default?: string
  /** Who serves such a call, in this order, while its provider is unavailable. */
  readonly fallback: readonly string[]
  /** A further name -> the provider. */
  readonly aliases: ReadonlyMap<string, string>
  /** A provider that several plugins claim -> the id of the one that serves it. */
  readonly owners: ReadonlyMap<string, string>
}

/** What a plugin of the protocol `orchestra` may ask of the host. */
export interface OrchestraGrants {
  /** Files of its own. */
  readonly storage: boolean
  /** Other tools, for its calls and as their user. */
  readonly tools: boolean
  readonly events: boolean
  /** The permissions, as patterns, with which it calls tools outside its calls. */
  readonly permissions: readonly string[]
}

/** What the existing protocol needs besides a command. */
export interface OrchestraTarget {
  readonly grants: OrchestraGrants
  /** What the plugin is told when it boots. */
  readonly boot: Readonly<Record<string, string>>
}

/** How to reach an external plugin: a process to start, or an address where one listens. */
export type ExternalTarget = {
  /** Absent: QUIC, and TLS where QUIC can't be used. */
  readonly transport?: 'quic' | 'tls'
  /** How much its files with the host may take; absent: 100 MB. */
  readonly maxStorageBytes?: number
} & (
  | {
      readonly kind: 'process'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
      /** Set for one that speaks the protocol `orchestra`. */
      readonly orchestra?: OrchestraTarget
    }
  | {
      readonly kind: 'address'
      /** `HOST:PORT`. */
      readonly address: string
      /** The folder that is kept filled with the plugin's certificates; absent: one in the data folder. */
      readonly certs?: string
    }
)

interface PluginCommon {
  readonly id: string
  readonly enabled: boolean
  /** What stands before the declared name in the public name; absent: the default of its kind. */
  readonly prefix?: string
  /** Of a call without progress. */
  readonly timeoutMs: number
  /** How many of its calls run at once; absent: `limits.concurrency`. */
  readonly concurrency?: number
  readonly tools: ToolSettings
  /** The model providers that it serves, where it is of another kind than `ai`. */
  readonly provides?: readonly string[]
}

/** One configured plugin. */
export type PluginConfig = PluginCommon &
  (
    | { readonly kind: 'mcp'; readonly mcp: McpTarget & { readonly startTimeoutMs: number } }
    | { readonly kind: 'local'; readonly local: LocalTarget }
    | { readonly kind: 'ai'; readonly ai: readonly AiProvider[] }
    | { readonly kind: 'external'; readonly external: ExternalTarget & { readonly startTimeoutMs: number } }
  )

export interface UserConfig {
  readonly roles: readonly string[]
  readonly disabled: boolean
}

export interface AuditConfig {
  /** How long a row is kept; 0 records nothing. */
  readonly keepMs: number
  /** How much room all rows may take. */
  readonly maxBytes: number
  /** Whether arguments are recorded, without secrets. */
  readonly arguments: boolean
  /** Whether a call that can't be recorded is answered with an error. */
  readonly required: boolean
}

/** Everything that a callboard.yaml, or a client's mcp.json, asks for. `loadConfig` makes it. */
export interface Config {
  /** The file it came from; undefined when it was given as data. */
  readonly file: string | undefined
  readonly expose: Expose | undefined
  /** The acting user on stdio, the command line and HTTP without auth. */
  readonly user: string
  readonly http: HttpConfig
  readonly names: { readonly maxLength: number }
  readonly ai: AiConfig
  readonly limits: {
    readonly timeoutMs: number
    readonly maxTimeoutMs: number
    /** How many calls of one plugin run at once. */
    readonly concurrency: number
    /** How many more calls of one plugin may wait. */
    readonly queue: number
  }
  /** What is recorded of calls. */
  readonly audit: AuditConfig
  /** The folder for whatever must outlive the process; absolute. */
  readonly dataDir: string
  readonly plugins: readonly PluginConfig[]
  /** Permission patterns by role. */
  readonly roles: ReadonlyMap<string, readonly string[]>
  readonly users: ReadonlyMap<string, UserConfig>
  /** The secrets that it holds or that a variable brought into it. */
  readonly secrets: Secrets
  /** What was asked for and has no effect in this version, one sentence each. */
  readonly notes: readonly string[]
}

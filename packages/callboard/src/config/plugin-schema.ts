/** The shape of one plugin in a config: its checks, and its part of the editor's JSON Schema. */
import { z } from 'zod'
import type { ToolOverride } from '../tools/tool-settings.ts'
import { type AiProviderSettings, aiBridge, providerName } from './ai-schema.ts'
import { type ExternalSettings, external } from './external-schema.ts'
import { command, concurrency, headers, pattern, record, start, text, wait } from './schema-parts.ts'

/** An MCP server: a process (`command`) or an address (`url`). */
export interface McpSettings {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly url?: string | undefined
  readonly type?: 'http' | 'sse' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A tool's override as written; `timeout` in milliseconds. */
type OverrideSettings = Omit<ToolOverride, 'timeoutMs'> & { readonly timeout?: number }

/** A plugin as the config writes it; a bare path has become `local`. */
export interface PluginSettings {
  readonly mcp?: McpSettings | undefined
  readonly local?: string | undefined
  readonly external?: ExternalSettings | undefined
  readonly ai?: AiProviderSettings | readonly AiProviderSettings[] | undefined
  readonly provides?: readonly string[] | undefined
  readonly prefix?: string | undefined
  readonly enabled: boolean
  /** Milliseconds. */
  readonly timeout?: number | undefined
  /** Milliseconds. */
  readonly startTimeout?: number | undefined
  readonly concurrency?: number | undefined
  readonly tools?:
    | {
        readonly keep: readonly string[]
        readonly drop: readonly string[]
        readonly overrides: Readonly<Record<string, OverrideSettings>>
      }
    | undefined
}

const KINDS = ['mcp', 'local', 'external', 'ai'] as const

/** What is wrong with the way in which a target names a process or an address, if anything. */
export function targetFault(target: McpSettings): string | undefined {
  if (target.command === undefined && target.url === undefined) {
    return 'expected `command` (a process to start) or `url` (a server that runs)'
  }
  if (target.command !== undefined && target.url !== undefined) return 'expected `command` or `url`, not both'
  if (target.command !== undefined && target.headers !== undefined) return '`headers` go with `url`, not with `command`'
  if (target.command !== undefined && target.type !== undefined) return '`type` goes with `url`, not with `command`'
  const stray = (['args', 'env', 'cwd'] as const).find((key) => target[key] !== undefined)
  if (target.url !== undefined && stray !== undefined) return `\`${stray}\` goes with \`command\`, not with \`url\``
  return undefined
}

const mcp = z
  .strictObject({
    command: command.optional(),
    ...start,
    url: text.describe('The address of a server that runs already.').optional(),
    type: z
      .enum(['http', 'sse'])
      .describe('What is spoken there: Streamable HTTP or the older HTTP+SSE. Default: what the server takes.')
      .optional(),
    headers: headers.describe('HTTP headers of each request.').optional(),
  })
  .superRefine((target, context) => {
    const fault = targetFault(target)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ oneOf: [{ required: ['command'] }, { required: ['url'] }] })
  .describe('An MCP server: a process (command) or an address (url).')

const override = z.strictObject({
  title: text.exactOptional(),
  description: text.exactOptional(),
  permission: text
    .regex(/^[A-Za-z0-9._-]+$/, 'expected a permission such as acme.hello.view')
    .describe('The permission it needs.')
    .exactOptional(),
  readOnly: z.boolean().describe('Whether it changes nothing.').exactOptional(),
  destructive: z.boolean().describe('Whether it may destroy something.').exactOptional(),
  idempotent: z.boolean().describe('Whether a second equal call changes nothing more.').exactOptional(),
  openWorld: z.boolean().describe('Whether it reaches beyond its own data.').exactOptional(),
  surfaces: z
    .array(z.enum(['mcp', 'cli']))
    .describe('Where it is offered. Default: both.')
    .exactOptional(),
  timeout: wait.describe("How long a call may take without progress. Default: the plugin's.").exactOptional(),
})

const tools = z.strictObject({
  keep: z.array(pattern).describe('Keeps only the tools whose declared name matches; empty keeps all.').default([]),
  drop: z.array(pattern).describe('Drops the tools whose declared name matches, after keep.').default([]),
  overrides: record(text, override).describe('What is different about a tool, by its declared name.').default({}),
})

const local = text.min(1, 'expected a folder or a module').describe('A folder with plugin.yaml, or a module.')

const settings = z
  .strictObject({
    mcp: mcp.optional(),
    local: local.optional(),
    external: external.optional(),
    ai: aiBridge.describe('A bridge to a model provider, or to several.').optional(),
    provides: z
      .array(providerName)
      .min(1, 'expected at least one provider')
      .describe('The model providers that it serves with its tools, where it is no bridge of kind ai.')
      .optional(),
    prefix: text
      .max(64)
      .describe('What stands before the declared names of its tools in their public names. Default: by kind.')
      .optional(),
    enabled: z.boolean().describe('false: it is never started, and none of its tools exist.').default(true),
    timeout: wait.describe('How long a call may take without progress. Default: limits.timeout.').optional(),
    startTimeout: wait
      .describe('How long an MCP server or an external plugin may take to start. Default: 30s.')
      .optional(),
    concurrency: concurrency.describe('How many of its calls run at once. Default: limits.concurrency.').optional(),
    tools: tools.describe('Which of its tools stay, and what is different about some of them.').optional(),
  })
  .superRefine((plugin, context) => {
    if (KINDS.filter((kind) => plugin[kind] !== undefined).length !== 1) {
      context.addIssue({ code: 'custom', message: 'expected exactly one of `mcp`, `local`, `external` and `ai`' })
    }
    if (plugin.startTimeout !== undefined && plugin.mcp === undefined && plugin.external === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['startTimeout'],
        message: '`startTimeout` goes with `mcp` and `external` only',
      })
    }
    if (plugin.provides !== undefined && plugin.ai !== undefined) {
      context.addIssue({ code: 'custom', path: ['provides'], message: '`ai` says already which providers it serves' })
    }
  })
  .meta({ oneOf: KINDS.map((kind) => ({ required: [kind] })) })

/** A plugin: the path of a local one, or its settings. */
export const pluginSchema: z.ZodType<PluginSettings> = z.union([
  local.transform((path) => ({ local: path, enabled: true })),
  settings,
])

/** Reads one server as the clients of MCP write it in their mcp.json, whichever client it is. */
import { z } from 'zod'
import type { McpSettings } from './plugin-schema.ts'
import { envVars, headers, text } from './schema-parts.ts'

/** The keys of a client's file under which its servers stand. */
export const SERVER_KEYS: readonly string[] = ['mcpServers', 'servers']

/** The names that clients have for the same thing. Gemini's `httpUrl` wins, because its `url` means HTTP+SSE. */
export const URL_KEYS = ['httpUrl', 'url', 'serverUrl', 'uri', 'baseUrl'] as const
const TYPE_KEYS = ['type', 'transport'] as const
const PROCESS_TYPES: readonly string[] = ['stdio', 'local']
/** What each client's word for HTTP means; `remote` says no more than that. */
const HTTP_TYPES: ReadonlyMap<string, 'http' | 'sse' | undefined> = new Map([
  ...['http', 'streamable-http', 'streamable_http', 'streamableHttp'].map((word) => [word, 'http'] as const),
  ['remote', undefined],
  ['sse', 'sse'],
])

/** A variable as a shell and some clients write it. */
const BARE_VARIABLE = /^\$[A-Za-z_][A-Za-z0-9_]*$/

type Word = string | number | boolean | null

/** A server as it stands in the file; keys that are not named here are kept by `note`, not refused. */
export interface ClientServer {
  readonly command?: string | undefined
  readonly args?: readonly (string | number)[] | undefined
  readonly env?: Readonly<Record<string, Word>> | undefined
  readonly cwd?: string | undefined
  readonly envFile?: string | undefined
  readonly url?: string | undefined
  readonly serverUrl?: string | undefined
  readonly httpUrl?: string | undefined
  readonly uri?: string | undefined
  readonly baseUrl?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly type?: string | undefined
  readonly transport?: string | undefined
  readonly disabled?: boolean | undefined
  readonly enabled?: boolean | undefined
  readonly [other: string]: unknown
}

const type = z.enum([...PROCESS_TYPES, ...HTTP_TYPES.keys()])

const shape = {
  command: text.min(1, 'expected a program').describe('The program to start.').optional(),
  args: z
    .array(z.union([text, z.number()]))
    .describe('Its arguments, one by one.')
    .optional(),
  env: envVars(z.union([text, z.number(), z.boolean(), z.null()]))
    .describe('Its environment, besides PATH, HOME and the like.')
    .optional(),
  cwd: text.min(1, 'expected a folder').describe('The folder it starts in.').optional(),
  envFile: text.min(1, 'expected a file').describe('A .env file with more of its environment.').optional(),
  url: text.describe('The address of a server that runs already.').optional(),
  serverUrl: text.optional(),
  httpUrl: text.optional(),
  uri: text.optional(),
  baseUrl: text.optional(),
  headers: headers.describe('HTTP headers of each request.').optional(),
  type: type.optional(),
  transport: type.optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
}

export const clientServerSchema: z.ZodType<ClientServer> = z.looseObject(shape)

/** What a client's entry asks for, in Callboard's own words. */
export interface ClientTarget {
  readonly settings: McpSettings
  readonly enabled: boolean
  readonly envFile: string | undefined
  /** What has no effect here. */
  readonly notes: readonly string[]
}

/**
 * Translates an entry. Where it names a process and an address, its type decides; without a type both are kept, as a
 * fault.
 */
export function readClientServer(server: ClientServer): ClientTarget {
  const kind = TYPE_KEYS.map((key) => server[key]).find((value) => value !== undefined)
  const url = URL_KEYS.map((key) => server[key]).find((value) => value !== undefined)
  const isHttp = kind === undefined ? server.command === undefined : HTTP_TYPES.has(kind)
  const isBoth = kind === undefined && server.command !== undefined && url !== undefined
  return {
    settings: isHttp
      ? { url, headers: server.headers, type: HTTP_TYPES.get(kind ?? 'remote') }
      : { ...processOf(server), url: isBoth ? url : undefined },
    enabled: server.disabled !== true && server.enabled !== false,
    envFile: isHttp ? undefined : server.envFile,
    notes: notesOf(server),
  }
}

function processOf({ command, args, env = {}, cwd }: ClientServer): McpSettings {
  const words = Object.entries(env).filter(([, value]) => value !== null)
  return {
    command,
    args: args?.map(String),
    env: Object.fromEntries(words.map(([key, value]) => [key, String(value)])),
    cwd,
  }
}

function notesOf(server: ClientServer): string[] {
  const ignored = Object.keys(server).filter((key) => !Object.hasOwn(shape, key))
  const notes: string[] = []
  if (ignored.length > 0) {
    const names = ignored.slice(0, 10).map((key) => `\`${key.slice(0, 40)}\``)
    notes.push(
      `${names.join(', ')} ${ignored.length === 1 ? 'has' : 'have'} no effect here; settings of Callboard's own go into \`plugins\``,
    )
  }
  const bare = Object.entries({ ...server.env, ...server.headers }).filter(([, value]) =>
    BARE_VARIABLE.test(String(value)),
  )
  for (const [key] of bare) notes.push(`the \`$NAME\` of ${key} is not expanded here; write \`\${NAME}\``)
  return notes
}

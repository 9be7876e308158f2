/** The shape of callboard.yaml, section by section: the one source of its checks and of the editor's JSON Schema. */
import { z } from 'zod'
import { MAX_NAME_LENGTH, MIN_NAME_LENGTH } from '../tools/names.ts'
import { type AiSettings, aiSection } from './ai-schema.ts'
import { clientServerSchema } from './client-server.ts'
import type { Expose } from './config.ts'
import { type ListenAddress, parseListen } from './listen.ts'
import { pluginSchema } from './plugin-schema.ts'
import { concurrency, duration, name, pattern, record, size, text, wait } from './schema-parts.ts'

interface HttpSettings {
  readonly listen: ListenAddress
  readonly auth: 'none' | 'tokens'
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

interface LimitSettings {
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds; undefined when not set. */
  readonly maxTimeout?: number | undefined
  readonly concurrency: number
  readonly queue: number
}

interface AuditSettings {
  /** Milliseconds. */
  readonly keep: number
  /** Bytes. */
  readonly maxSize: number
  readonly arguments: boolean
  readonly required: boolean
}

interface UserSettings {
  readonly roles: readonly string[]
  readonly disabled: boolean
}

type Names<Value> = Readonly<Record<string, Value>>

/** The keys of a config, each with the schema of its value. A key that is absent is parsed as undefined. */
interface Sections {
  readonly $schema: z.ZodType<string | undefined>
  readonly expose: z.ZodType<Expose | undefined>
  readonly user: z.ZodType<string>
  readonly http: z.ZodType<HttpSettings>
  readonly envFile: z.ZodType<string | undefined>
  readonly names: z.ZodType<{ readonly maxLength: number }>
  readonly ai: z.ZodType<AiSettings>
  readonly limits: z.ZodType<LimitSettings>
  readonly audit: z.ZodType<AuditSettings>
  readonly dataDir: z.ZodType<string | undefined>
  /** The entries are checked one by one, with `pluginSchema`. */
  readonly plugins: z.ZodType<Names<unknown>>
  /** The entries are checked one by one, with `clientServerSchema`. */
  readonly mcpServers: z.ZodType<Names<unknown>>
  readonly roles: z.ZodType<Names<readonly string[]>>
  readonly users: z.ZodType<Names<UserSettings>>
}

const DEFAULT_LISTEN = '127.0.0.1:2255'
const LISTEN_FAULT = `expected HOST:PORT such as ${DEFAULT_LISTEN} or [::1]:2255`

const http = z.strictObject({
  listen: z
    .string()
    .refine((value) => parseListen(value) !== undefined, LISTEN_FAULT)
    .describe('Where HTTP is served, HOST:PORT; an IPv6 host stands in brackets.')
    .prefault(DEFAULT_LISTEN)
    .transform((value) => parseListen(value) ?? { host: '127.0.0.1', port: 0 }),
  auth: z
    .enum(['none', 'tokens'])
    .describe('none: everybody on this machine is `user`. tokens: each request needs one.')
    .default('none'),
  hosts: z
    .array(text.regex(/^[^\s/]+$/, 'expected a host name, without scheme or path'))
    .describe('Host headers that are accepted besides loopback.')
    .default([]),
  origins: z
    .array(text.refine(isOrigin, 'expected an origin such as https://app.example.com, without a path'))
    .describe('Origin headers that are accepted besides loopback.')
    .default([]),
})

const limits = z.strictObject({
  timeout: wait.describe('How long a call may take without progress.').prefault('60s'),
  maxTimeout: wait
    .describe('How long a call may take at most, however much progress it makes. Default: 10m.')
    .optional(),
  concurrency: concurrency.describe('How many calls of one plugin run at once.').default(32),
  queue: z.int().min(0).max(1_000_000).describe('How many more calls of one plugin may wait.').default(1_000),
})

const audit = z.strictObject({
  keep: duration
    .refine((ms) => ms === 0 || ms >= 86_400_000, 'expected a day or more, such as 30d, or 0 to record nothing')
    .describe('How long the record of a call is kept, in days; 0 records nothing.')
    .prefault('30d'),
  maxSize: size
    .refine((bytes) => bytes >= 64 * 1024 ** 2, 'expected 64MB or more')
    .describe('How much room all records may take; the oldest go first.')
    .prefault('1GB'),
  arguments: z.boolean().describe('Whether the arguments of calls are recorded, without secrets.').default(false),
  required: z
    .boolean()
    .describe('true: a call that can not be recorded is answered with an error. false: it is answered all the same.')
    .default(true),
})

const user = z.strictObject({
  roles: z.array(name).describe('What this user may do, by the names of roles.').default([]),
  disabled: z.boolean().describe('true shuts the user out.').default(false),
})

const base = {
  $schema: z.string().describe('Where this schema is; for editors.').optional(),
  expose: z
    .union([
      z.enum(['catalog', 'all'], 'expected catalog, all, or a list of patterns such as [github_*]'),
      z.array(pattern),
    ])
    .describe('What tools/list shows: the four tools, every tool too, or those whose public name matches a pattern.')
    .optional(),
  user: name.describe('The acting user on stdio, on the command line and on HTTP without auth.').default('owner'),
  http: http.describe('How HTTP is served.').prefault({}),
  envFile: text
    .min(1, 'expected a file')
    .describe('A .env file for the variables of this file; no server is given it.')
    .optional(),
  names: z
    .strictObject({
      maxLength: z.int().min(MIN_NAME_LENGTH).max(MAX_NAME_LENGTH).describe('The longest public name.').default(48),
    })
    .describe('How public names are made.')
    .prefault({}),
  ai: aiSection.describe('What holds for all model providers.').prefault({}),
  limits: limits.describe('What bounds calls.').prefault({}),
  audit: audit.describe('What is recorded of calls.').prefault({}),
  dataDir: text
    .min(1, 'expected a folder')
    .describe('The folder for whatever outlives the process, relative to this file.')
    .optional(),
  roles: record(name, z.array(pattern)).describe('Patterns of permissions, by role.').default({}),
  users: record(name, user).describe('The users, by name.').default({}),
}

/** Each key of a config with its schema; entries of `plugins` and `mcpServers` stay unparsed. */
export const sections: Sections = {
  ...base,
  plugins: record(text, z.unknown()).default({}),
  mcpServers: record(text, z.unknown()).default({}),
}

/** The whole config, entries included. */
export const configSchema: z.ZodObject = z.strictObject({
  ...base,
  plugins: record(text, pluginSchema).describe('What gives tools, by plugin id.').default({}),
  mcpServers: record(text, clientServerSchema)
    .describe("MCP servers as a client's mcp.json has them; each is a plugin of kind mcp.")
    .default({}),
})

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value
}

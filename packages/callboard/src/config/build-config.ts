/** Makes the Config out of expanded values: checks every section, then what sections say of each other. */
import type { z } from 'zod'
import { closestName } from '../closest-name.ts'
import type { Secrets } from '../secrets.ts'
import { buildAi, checkAi } from './build-ai.ts'
import { buildPlugins } from './build-plugins.ts'
import type { AuditConfig, Config, HttpConfig } from './config.ts'
import { sections } from './config-schema.ts'
import type { ConfigSource } from './config-source.ts'
import type { ExpandedConfig } from './expand-source.ts'
import { isLoopback } from './listen.ts'
import { ValueChecker } from './value-checker.ts'

const DEFAULT_MAX_TIMEOUT_MS = 600_000
/** The user who always exists. */
const OWNER = 'owner'

export interface BuildOptions {
  readonly home: string
  readonly secrets: Secrets
  /** Is told of each further file before it is read. */
  readonly opened: (file: string) => void
}

/** The config. Throws one CallboardError with all problems that the source has gathered until here and in here. */
export function buildConfig(source: ConfigSource, { values, dataDir }: ExpandedConfig, options: BuildOptions): Config {
  const checker = new ValueChecker(source)
  for (const key of Object.keys(values)) if (!Object.hasOwn(sections, key)) checker.refuseUnknownKey([key])
  // Every section has a value when it is absent, which stands in for one that is wrong until the problems are thrown.
  const section = <Value>(key: string, schema: z.ZodType<Value>): Value =>
    checker.check(schema, [key], values[key] ?? undefined) ?? schema.parse(undefined)
  const notes = [...source.notes]
  const limits = limitsOf(section('limits', sections.limits), checker)
  const own = section('plugins', sections.plugins)
  const servers = section('mcpServers', sections.mcpServers)
  const plugins = buildPlugins(own, servers, {
    ...options,
    checker,
    notes,
    folder: source.folder,
    timeoutMs: limits.timeoutMs,
  })
  const ai = section('ai', sections.ai)
  // Of a plugin that could not be made it is not known what it serves.
  if (plugins.length === Object.keys(own).length + Object.keys(servers).length) checkAi(ai, plugins, checker)
  section('$schema', sections.$schema)
  section('envFile', sections.envFile)
  section('dataDir', sections.dataDir)
  const config: Config = {
    file: source.file,
    expose: section('expose', sections.expose),
    user: section('user', sections.user),
    http: httpOf(section('http', sections.http), checker),
    names: section('names', sections.names),
    ai: buildAi(ai),
    limits,
    audit: auditOf(section('audit', sections.audit)),
    dataDir,
    plugins,
    roles: new Map(Object.entries(section('roles', sections.roles))),
    users: new Map(Object.entries(section('users', sections.users))),
    secrets: options.secrets,
    notes,
  }
  checkPeople(config, values, checker)
  source.problems.throwIfAny()
  return config
}

function auditOf({ keep, maxSize, arguments: args, required }: z.output<typeof sections.audit>): AuditConfig {
  return { keepMs: keep, maxBytes: maxSize, arguments: args, required }
}

function limitsOf(settings: z.output<typeof sections.limits>, checker: ValueChecker): Config['limits'] {
  const { timeout, concurrency, queue, maxTimeout = Math.max(DEFAULT_MAX_TIMEOUT_MS, timeout) } = settings
  if (maxTimeout < timeout) checker.refuse(['limits', 'maxTimeout'], () => 'expected at least as much as `timeout`')
  return { timeoutMs: timeout, maxTimeoutMs: maxTimeout, concurrency, queue }
}

function httpOf(settings: z.output<typeof sections.http>, checker: ValueChecker): HttpConfig {
  const { listen, auth, hosts, origins } = settings
  if (auth === 'none' && !isLoopback(listen.host)) {
    checker.refuse(
      ['http', 'listen'],
      () =>
        `${listen.host} can be reached from other machines, and \`auth: none\` lets everybody in; set \`auth: tokens\`, or listen on 127.0.0.1`,
    )
  }
  return { ...listen, auth, hosts, origins }
}

function checkPeople({ user, users }: Config, values: Readonly<Record<string, unknown>>, checker: ValueChecker): void {
  const known = new Set([OWNER, ...Object.keys(values.users ?? {})])
  // One that still has a ${ in it is refused for that already.
  if (!known.has(user) && !user.includes('${')) {
    checker.refuse(['user'], () => `no user of this name in \`users\`; known: ${[...known].slice(0, 10).join(', ')}`)
  }
  const roles = new Set(Object.keys(values.roles ?? {}))
  for (const [name, person] of users) {
    person.roles.forEach((role, index) => {
      if (roles.has(role)) return
      checker.refuse(['users', name, 'roles', index], () => {
        const meant = closestName(role, roles)
        return meant === undefined
          ? 'no role of this name in `roles`; add it'
          : `unknown role; did you mean \`${meant}\`?`
      })
    })
  }
}

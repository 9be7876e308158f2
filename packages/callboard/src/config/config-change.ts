/** What is different between two configs of one callboard, and which of it a running one can take in. */
import { isDeepStrictEqual } from 'node:util'
import { CallboardError } from '../errors.ts'
import type { Config, PluginConfig } from './config.ts'
import { formatListen, isLoopback } from './listen.ts'

/**
 * What another config means for one plugin: `restarted` is another way to reach its server or to load it, which takes a
 * new process, session or load; `adjusted` is all that applies to the running one, such as its prefix. Undefined:
 * nothing to do.
 */
export type PluginChange = 'added' | 'removed' | 'restarted' | 'adjusted'

/** Plugins by id, each in the order of the config in which it stands; one that is switched on is added, off removed. */
export interface ConfigChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly restarted: readonly string[]
  readonly adjusted: readonly string[]
  /** The keys outside `plugins` that have another value, such as `expose` or `http.origins`. */
  readonly settings: readonly string[]
  /** One sentence for each key that keeps its old value until a restart. */
  readonly kept: readonly string[]
}

type Setting = readonly [key: string, value: (config: Config) => unknown]

const SETTINGS: readonly Setting[] = [
  ['expose', ({ expose }) => expose],
  ['user', ({ user }) => user],
  ['http.auth', ({ http }) => http.auth],
  ['http.hosts', ({ http }) => http.hosts],
  ['http.origins', ({ http }) => http.origins],
  ['names.maxLength', ({ names }) => names.maxLength],
  ['ai', ({ ai }) => ai],
  ['limits', ({ limits }) => limits],
  ['audit', ({ audit }) => audit],
  ['roles', ({ roles }) => roles],
  ['users', ({ users }) => users],
]

const FIXED: readonly (readonly [key: string, value: (config: Config) => string])[] = [
  ['http.listen', ({ http }) => formatListen(http)],
  ['dataDir', ({ dataDir }) => dataDir],
]

/** What `after` asks for that `before` did not. */
export function configChange(before: Config, after: Config): ConfigChange {
  const asked = new Map(after.plugins.map((plugin) => [plugin.id, plugin]))
  const known = new Map(before.plugins.map((plugin) => [plugin.id, plugin]))
  const gone = before.plugins.filter(({ id }) => !asked.has(id))
  const of = (change: PluginChange): string[] =>
    [...gone, ...after.plugins]
      .filter(({ id }) => pluginChange(known.get(id), asked.get(id)) === change)
      .filter(({ id }) => change !== 'adjusted' || !onlyInherits(known.get(id), asked.get(id), before, after))
      .map(({ id }) => id)
  return {
    added: of('added'),
    removed: of('removed'),
    restarted: of('restarted'),
    adjusted: of('adjusted'),
    settings: SETTINGS.filter(([, value]) => !isDeepStrictEqual(value(before), value(after))).map(([key]) => key),
    kept: FIXED.filter(([, value]) => value(before) !== value(after)).map(
      ([key, value]) => `${key} stays ${value(before)} until a restart; the config says ${value(after)} now`,
    ),
  }
}

/** What one plugin's entry asks for that the one before did not; undefined stands for no entry. */
export function pluginChange(
  before: PluginConfig | undefined,
  after: PluginConfig | undefined,
): PluginChange | undefined {
  const was = before?.enabled === true ? before : undefined
  const is = after?.enabled === true ? after : undefined
  if (was === undefined || is === undefined) return was === is ? undefined : was === undefined ? 'added' : 'removed'
  if (!isDeepStrictEqual(reachOf(was), reachOf(is))) return 'restarted'
  return isDeepStrictEqual(was, is) ? undefined : 'adjusted'
}

/**
 * The config that a callboard which runs with `before` works with from now on: `after`, with what can't change
 * meanwhile. Throws `config` when these two together would let everybody in from other machines.
 */
export function runningConfig(before: Config, after: Config): Config {
  const { host, port } = before.http
  if (after.http.auth === 'none' && !isLoopback(host)) {
    throw new CallboardError(
      'config',
      `http.auth: none lets everybody in, and HTTP is served at ${formatListen(before.http)}, beyond this machine, until a restart; restart to change both`,
    )
  }
  return { ...after, dataDir: before.dataDir, http: { ...after.http, host, port } }
}

/** Whether there is nothing in it at all. */
export function isUnchanged(change: ConfigChange): boolean {
  return Object.values(change).every((part) => part.length === 0)
}

/** What decides which process, session or provider serves the plugin. */
function reachOf(plugin: PluginConfig): unknown {
  switch (plugin.kind) {
    case 'mcp': {
      const { startTimeoutMs: _, ...target } = plugin.mcp
      return target
    }
    case 'local':
      return plugin.local
    case 'external': {
      const { startTimeoutMs: _, ...target } = plugin.external
      return target
    }
    case 'ai':
      return plugin.ai
  }
}

/** A plugin without a timeout of its own has another one with `limits`; that is told once, with these. */
function onlyInherits(
  was: PluginConfig | undefined,
  is: PluginConfig | undefined,
  before: Config,
  after: Config,
): boolean {
  if (was?.timeoutMs !== before.limits.timeoutMs || is?.timeoutMs !== after.limits.timeoutMs) return false
  return isDeepStrictEqual({ ...was, timeoutMs: 0 }, { ...is, timeoutMs: 0 })
}

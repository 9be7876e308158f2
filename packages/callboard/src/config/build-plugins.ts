/** Makes the plugins of a config out of its entries, whether they are Callboard's own or a client's. */
import { messageOf } from '../errors.ts'
import { pluginIdFromKey } from '../tools/names.ts'
import { ALL_TOOLS, type ToolOverride, type ToolSettings } from '../tools/tool-settings.ts'
import { aiProviders } from './build-ai.ts'
import { type ClientTarget, clientServerSchema, readClientServer } from './client-server.ts'
import type { PluginConfig } from './config.ts'
import { pathFrom } from './data-dir.ts'
import { externalTarget } from './external-target.ts'
import { mcpTarget, type TargetOptions } from './mcp-target.ts'
import { checkPluginIds, type PluginPlace } from './plugin-ids.ts'
import { type PluginSettings, pluginSchema } from './plugin-schema.ts'
import { rememberVariable } from './secret-values.ts'
import { pathText, type SourcePath } from './source-node.ts'
import { readEnvFile } from './variables.ts'

const DEFAULT_START_TIMEOUT_MS = 30_000

export interface PluginOptions extends Omit<TargetOptions, 'enabled'> {
  /** Of a call, where a plugin says nothing else; milliseconds. */
  readonly timeoutMs: number
  /** Is given what has no effect. */
  readonly notes: string[]
  /** Is told of an entry's env file before it is read. */
  readonly opened: (file: string) => void
}

type Entries = Readonly<Record<string, unknown>>

/** The plugins, those of `plugins` first, each in the order of the file. What is wrong is added to the problems. */
export function buildPlugins(plugins: Entries, servers: Entries, options: PluginOptions): readonly PluginConfig[] {
  const { checker } = options
  const built: PluginConfig[] = []
  const places: PluginPlace[] = []
  const add = (plugin: PluginConfig | undefined): void => {
    if (plugin !== undefined) built.push(plugin)
  }
  for (const [id, value] of Object.entries(plugins)) {
    const path = ['plugins', id]
    places.push({ id, path })
    const settings = checker.check(pluginSchema, path, value)
    if (settings !== undefined) add(ownPlugin({ id, path }, settings, options))
  }
  for (const [key, value] of Object.entries(servers)) {
    const place = { id: pluginIdFromKey(key), path: ['mcpServers', key] }
    places.push(place)
    const server = checker.check(clientServerSchema, place.path, value)
    if (server !== undefined) add(clientPlugin(place, readClientServer(server), options))
  }
  checkPluginIds(places, checker)
  return built
}

function ownPlugin(
  { id, path }: PluginPlace,
  plugin: PluginSettings,
  options: PluginOptions,
): PluginConfig | undefined {
  const { enabled, prefix, mcp, local, external, ai } = plugin
  const common = {
    id,
    enabled,
    ...(prefix === undefined ? {} : { prefix }),
    timeoutMs: plugin.timeout ?? options.timeoutMs,
    ...(plugin.concurrency === undefined ? {} : { concurrency: plugin.concurrency }),
    tools: toolSettings(plugin.tools),
    ...(plugin.provides === undefined ? {} : { provides: [...new Set(plugin.provides)] }),
  }
  if (mcp !== undefined) {
    const target = mcpTarget(mcp, [...path, 'mcp'], { ...options, enabled })
    const startTimeoutMs = plugin.startTimeout ?? DEFAULT_START_TIMEOUT_MS
    return target && { ...common, kind: 'mcp', mcp: { ...target, startTimeoutMs } }
  }
  if (local !== undefined)
    return { ...common, kind: 'local', local: { path: pathFrom(options.folder, options.home, local) } }
  if (ai !== undefined) {
    return { ...common, kind: 'ai', ai: aiProviders(ai, [...path, 'ai'], { ...options, enabled }) }
  }
  if (external === undefined) return undefined
  const startTimeoutMs = plugin.startTimeout ?? DEFAULT_START_TIMEOUT_MS
  return { ...common, kind: 'external', external: { ...externalTarget(external, options), startTimeoutMs } }
}

function clientPlugin(
  { id, path }: PluginPlace,
  target: ClientTarget,
  options: PluginOptions,
): PluginConfig | undefined {
  const { enabled, settings, envFile } = target
  for (const note of target.notes) options.notes.push(`${pathText(path)}: ${note}`)
  const env = enabled && envFile !== undefined ? serverEnv(envFile, [...path, 'envFile'], options) : {}
  const given = settings.command === undefined ? settings : { ...settings, env: { ...env, ...settings.env } }
  const mcp = mcpTarget(given, path, { ...options, enabled })
  if (mcp === undefined) return undefined
  return {
    id,
    enabled,
    timeoutMs: options.timeoutMs,
    tools: ALL_TOOLS,
    kind: 'mcp',
    mcp: { ...mcp, startTimeoutMs: DEFAULT_START_TIMEOUT_MS },
  }
}

function serverEnv(written: string, path: SourcePath, options: PluginOptions): Record<string, string> {
  const file = pathFrom(options.folder, options.home, written)
  options.opened(file)
  try {
    const env = Object.entries(readEnvFile(file)).filter((entry): entry is [string, string] => entry[1] !== undefined)
    for (const [name, value] of env) rememberVariable(name, value, options.secrets)
    return Object.fromEntries(env)
  } catch (thrown) {
    options.checker.refuse(path, () => `${file} cannot be read (${messageOf(thrown)}); correct the path`)
    return {}
  }
}

function toolSettings(settings: PluginSettings['tools']): ToolSettings {
  if (settings === undefined) return ALL_TOOLS
  const overrides = Object.entries(settings.overrides).map(([name, { timeout, ...rest }]): [string, ToolOverride] => [
    name,
    timeout === undefined ? rest : { ...rest, timeoutMs: timeout },
  ])
  return { keep: settings.keep, drop: settings.drop, overrides: new Map(overrides) }
}

/** Finds the tool that a name on the command line stands for, starting as little as possible. */

import type { CatalogTool } from '../../catalog/catalog-tool.ts'
import { didYouMean } from '../../catalog/did-you-mean.ts'
import { CallboardError } from '../../errors.ts'
import { permissionOf } from '../../gate/permissions.ts'
import type { PluginStatus } from '../../host.ts'
import { isServing } from '../../plugins/is-serving.ts'
import { defaultPrefix, sanitizeToolName } from '../../tools/names.ts'
import { type CommandContext, warn } from './command-context.ts'
import { isEnabled, reasonOf, startUnknown } from './start-plugins.ts'

async function resolve({ host, user }: CommandContext, name: string): Promise<CatalogTool | undefined> {
  return (await host.view(user, 'cli')).resolve(name)
}

/** Whether the tool can be a plugin's, as far as its name tells: which of the unknown plugins are started first. */
function mayHave({ host }: CommandContext, name: string): (status: PluginStatus) => boolean {
  if (name.startsWith('plugin:')) return ({ id }) => name.startsWith(`plugin:${id}:`)
  const prefixes = new Map(host.config.plugins.map(({ id, kind, prefix }) => [id, prefix ?? defaultPrefix(kind, id)]))
  return ({ id }) => {
    const prefix = prefixes.get(id) ?? ''
    // Where characters that names can't have were replaced, nothing can be told.
    return prefix === '' || sanitizeToolName(prefix) !== prefix || name.startsWith(prefix)
  }
}

/**
 * The tool with this public or namespaced name, if the acting user has it. Only when nobody has it are plugins started
 * of which nothing is known: those first to which the name points. One that does not come up is a warning, but for the
 * one that {@link whyUnknown} names.
 */
export async function findTool(context: CommandContext, name: string): Promise<CatalogTool | undefined> {
  const known = await resolve(context, name)
  if (known) return known
  const candidate = mayHave(context, name)
  const reasons = [...(await startUnknown(context, candidate))]
  let found = await resolve(context, name)
  // A namespaced name says whose the tool is, so no other plugin needs to be asked.
  if (!found && !name.startsWith('plugin:')) {
    reasons.push(...(await startUnknown(context, (status) => !candidate(status))))
    found = await resolve(context, name)
  }
  const why = found ? undefined : await whyUnknown(context, name)
  for (const reason of reasons) if (reason !== why) warn(context, reason)
  return found
}

/**
 * Why the tool can't be known: the plugin to which its name points is not up and has told no tools yet. Undefined where
 * the name points nowhere, or to a tool that the acting user may not use.
 */
export async function whyUnknown(context: CommandContext, name: string): Promise<string | undefined> {
  const { host, user } = context
  for (const status of host.plugins()) {
    const prefix = name.startsWith('plugin:') ? `plugin:${status.id}:` : `${status.id}_`
    if (!name.startsWith(prefix) || isServing(status.state) || status.tools > 0 || !isEnabled(status)) continue
    const permission = permissionOf({ package: status.id, name: name.slice(prefix.length), action: '' })
    if (await host.allows(user, permission)) return reasonOf(status)
  }
  return undefined
}

/**
 * As {@link findTool}, for commands that need the tool.
 * @throws CallboardError `not_found`, with names that are close
 */
export async function requireTool(context: CommandContext, name: string): Promise<CatalogTool> {
  const found = await findTool(context, name)
  if (found) return found
  const why = await whyUnknown(context, name)
  if (why !== undefined) throw new CallboardError('unavailable', why)
  const view = await context.host.view(context.user, 'cli')
  const guess = await didYouMean(view, name, { surface: 'cli', signal: context.signal })
  throw new CallboardError('not_found', `no tool named ${JSON.stringify(name)}${guess}`)
}

/**
 * As {@link requireTool}, for commands that tell a tool's public name: plugins of which nothing is known are started
 * where they may have a tool of the same one, since a clash gives both another.
 */
export async function requireNamedTool(context: CommandContext, name: string): Promise<CatalogTool> {
  const { entry } = await requireTool(context, name)
  for (const reason of await startUnknown(context, mayHave(context, entry.name))) warn(context, reason)
  return requireTool(context, name)
}

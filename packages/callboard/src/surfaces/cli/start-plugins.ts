/** Starts the plugins that a command needs, and says in a line which of them could not be started. */

import type { PluginStatus } from '../../host.ts'
import { isServing } from '../../plugins/is-serving.ts'
import { type CommandContext, untilAborted } from './command-context.ts'
import { visiblePlugins } from './visible-plugins.ts'

/** Why a plugin does not serve calls, in one line. */
export function reasonOf(status: PluginStatus): string {
  const what = status.state === 'failed' ? 'could not be started' : `is ${status.state}`
  return `plugin "${status.id}" ${what}${status.reason === undefined ? '' : `: ${status.reason}`}`
}

/**
 * Starts these plugins, or all, and resolves when each has started or failed, or when the command is to end. Those of a
 * host that serves already are waited for while they start, and else left to it: it starts again what went down.
 */
export async function startPlugins(context: CommandContext, ids?: readonly string[]): Promise<void> {
  const { host, signal, running } = context
  const wanted = running === undefined ? ids : comingUp(context).filter((id) => ids?.includes(id) ?? true)
  if (wanted?.length === 0) return
  await untilAborted(host.start(wanted), signal)
}

function comingUp(context: CommandContext): readonly string[] {
  return context.host
    .plugins()
    .filter((status) => (status.state === 'starting' || status.state === 'stopped') && isEnabled(status))
    .map(({ id }) => id)
}

/** Whether the plugin is switched on, in the config and since. */
export function isEnabled({ state }: PluginStatus): boolean {
  return state !== 'disabled'
}

/**
 * Starts those plugins of which no tool is known yet; what is known is shown without a process. Resolves with a
 * sentence for each that is not up then, also one that had failed before it could be started, where the acting user may
 * know of it.
 * @param wanted which plugins matter to the command
 */
export async function startUnknown(
  context: CommandContext,
  wanted: (status: PluginStatus) => boolean = () => true,
): Promise<readonly string[]> {
  const unknown = context.host
    .plugins()
    .filter((status) => status.tools === 0 && !isServing(status.state) && isEnabled(status) && wanted(status))
  await startPlugins(
    context,
    unknown.filter((status) => status.state !== 'failed').map((status) => status.id),
  )
  const ids = new Set(unknown.map((status) => status.id))
  if (ids.size === 0) return []
  const visible = await visiblePlugins(context)
  return context.host
    .plugins()
    .filter(({ id, state }) => ids.has(id) && visible.has(id) && !isServing(state))
    .map(reasonOf)
}

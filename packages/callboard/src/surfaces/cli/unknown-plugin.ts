/** Says that a filter names a plugin which there is not for the acting user; the answer is empty then, and no error. */
import { nearestOrAll } from '../../nearest-or-all.ts'
import { type CommandContext, warn } from './command-context.ts'
import { visiblePlugins } from './visible-plugins.ts'

/** One that the user may not know of is as unknown as one that is not there. */
export async function noteUnknownPlugin(context: CommandContext, pluginId: string): Promise<void> {
  const ids = [...(await visiblePlugins(context))]
  if (ids.includes(pluginId)) return
  warn(context, `no plugin "${pluginId}" in the config; ${nearestOrAll(pluginId, ids)}`)
}

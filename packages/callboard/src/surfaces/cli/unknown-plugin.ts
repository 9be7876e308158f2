/** Says that a filter names a plugin which the config does not have; the answer is empty then, and no error. */
import { closestName } from '../../closest-name.ts'
import { type CommandContext, warn } from './command-context.ts'

export function noteUnknownPlugin(context: CommandContext, pluginId: string): void {
  const ids = context.host.config.plugins.map(({ id }) => id)
  if (ids.includes(pluginId)) return
  const near = closestName(pluginId, ids)
  const guess = near === undefined ? `there are ${ids.join(', ') || 'none'}` : `did you mean "${near}"?`
  warn(context, `no plugin "${pluginId}" in the config; ${guess}`)
}

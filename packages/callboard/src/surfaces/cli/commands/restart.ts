/** `callboard plugins restart ID`: ends one plugin of the running host and starts it anew. */

import { CallboardError } from '../../../errors.ts'
import { isServing } from '../../../plugins/is-serving.ts'
import { type CommandContext, pluginStates, requireOwner, untilAborted } from '../command-context.ts'
import { writePlugins } from './plugins.ts'

/** 0 when the plugin is up again, else 69. */
export async function restart(context: CommandContext, id: string): Promise<number> {
  requireOwner(context)
  const { host, running, otherHost, signal } = context
  if (otherHost !== undefined)
    throw new CallboardError(
      'unavailable',
      `plugin "${id}" is not restarted: process ${otherHost.pid}, which serves ${otherHost.config}, answers the commands of ${host.config.dataDir}, so a host of this config can't be reached, if one runs; restart that host as a whole, or give this config a dataDir of its own`,
    )
  if (running === undefined)
    throw new CallboardError(
      'unavailable',
      `no host serves this config, so there is no plugin "${id}" to restart; one is started by: callboard serve`,
    )
  await untilAborted(host.restart(id), signal)
  const states = pluginStates(context).filter((status) => status.id === id)
  writePlugins(context, states)
  return states.every(({ state }) => isServing(state)) ? 0 : new CallboardError('unavailable', '').exitCode
}

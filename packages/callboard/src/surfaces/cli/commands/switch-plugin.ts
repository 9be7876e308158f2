/** `callboard plugins enable|disable ID`: switches one plugin on or off, in the running host at once, and for good. */

import { CallboardError } from '../../../errors.ts'
import { isServing } from '../../../plugins/is-serving.ts'
import { type CommandContext, pluginStates, requireOwner, untilAborted } from '../command-context.ts'
import { writePlugins } from './plugins.ts'

/** 0 when it is switched; 69 when it is on again in the running host and does not come up. */
export async function switchPlugin(context: CommandContext, id: string, isOn: boolean): Promise<number> {
  requireOwner(context)
  const { host, running, signal } = context
  host.switches.setPlugin(id, isOn)
  const isStarted = isOn && running !== undefined
  if (isStarted) await untilAborted(host.start([id]), signal)
  const states = pluginStates(context).filter((status) => status.id === id)
  writePlugins(context, states)
  const isWell = !isStarted || states.every(({ state }) => isServing(state))
  return isWell ? 0 : new CallboardError('unavailable', '').exitCode
}

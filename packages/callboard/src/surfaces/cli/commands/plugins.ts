/** `callboard plugins`: starts every plugin and tells how each one is. */
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, pluginStates, statusToJson, writeJson } from '../command-context.ts'
import { writeTable } from '../output/table.ts'
import { startPlugins } from '../start-plugins.ts'

/** Why a state is so, or since when. */
function remark({ reason, since }: PluginStatus): string {
  return reason ?? new Date(since).toLocaleTimeString('en-GB')
}

/** A state that was not tried says nothing, and no other process is asked, so this starts them all. */
export async function plugins(context: CommandContext): Promise<number> {
  await startPlugins(context)
  const states = pluginStates(context)
  if (context.json)
    writeJson(context, {
      plugins: states.map(statusToJson),
    })
  else
    writeTable(
      context.terminal.stdout,
      states.map((status) => [status.id, status.kind, status.state, String(status.tools), remark(status)]),
      { heads: ['PLUGIN', 'KIND', 'STATE', 'TOOLS', 'SINCE OR REASON'] },
    )
  return 0
}

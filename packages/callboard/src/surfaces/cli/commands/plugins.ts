/** `callboard plugins`: tells how each plugin is, in the running host, or after starting every one. */
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, pluginStates, statusToJson, writeJson } from '../command-context.ts'
import { localTime } from '../output/local-time.ts'
import { writeTable } from '../output/table.ts'
import { startPlugins } from '../start-plugins.ts'

/** The states as rows, as `plugins` and what changes a state write them. */
export function writePlugins(context: CommandContext, states: readonly PluginStatus[]): void {
  if (context.json)
    writeJson(context, {
      plugins: states.map(statusToJson),
    })
  else
    writeTable(
      context.terminal.stdout,
      states.map(({ id, kind, state, tools, since, reason }) => [
        id,
        kind,
        state,
        String(tools),
        localTime(since),
        reason ?? '',
      ]),
      { heads: ['PLUGIN', 'KIND', 'STATE', 'TOOLS', 'SINCE', 'REASON'] },
    )
}

/**
 * The states of a host that serves are those of its plugins. Without one a state that was not tried says nothing, so this
 * starts them all.
 */
export async function plugins(context: CommandContext): Promise<number> {
  if (context.running === undefined) await startPlugins(context)
  writePlugins(context, pluginStates(context))
  return 0
}

/** `callboard plugins`: tells how each plugin is, in the running host, or after starting every one. */
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, pluginStates, statusToJson, writeJson } from '../command-context.ts'
import { localTime } from '../output/local-time.ts'
import { writeTable } from '../output/table.ts'
import { startPlugins } from '../start-plugins.ts'
import { visiblePlugins } from '../visible-plugins.ts'

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
      { heads: ['PLUGIN', 'KIND', 'STATE', 'TOOLS', 'SINCE', 'REASON'], cut: true },
    )
}

/**
 * The states of a host that serves are those of its plugins. Without one a state that was not tried says nothing, so
 * this starts them all. Plugins that the user may not know of are not shown, and tools that he may not use are not
 * counted.
 */
export async function plugins(context: CommandContext): Promise<number> {
  if (context.running === undefined) await startPlugins(context)
  const [visible, view] = await Promise.all([visiblePlugins(context), context.host.view(context.user, 'cli')])
  const states = pluginStates(context).filter(({ id }) => visible.has(id))
  writePlugins(
    context,
    states.map((status) => ({ ...status, tools: view.catalogCount(status.id) })),
  )
  return 0
}

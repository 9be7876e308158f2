/** `callboard plugins`: starts every plugin and tells how each one is. */
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, writeJson } from '../command-context.ts'
import { writeTable } from '../output/table.ts'
import { startPlugins } from '../start-plugins.ts'

/** A plugin with what the config says of it; one that is switched off has no state of its own. */
type Row = PluginStatus | { readonly id: string; readonly kind: string; readonly state: 'disabled'; readonly tools: 0 }

/** When a state began or why it is so. */
function remark(row: Row): string {
  if (row.state === 'disabled') return ''
  return row.reason ?? new Date(row.since).toLocaleTimeString('en-GB')
}

function rowsOf({ host }: CommandContext): readonly Row[] {
  const running = host.plugins()
  const ids = new Set(running.map((status) => status.id))
  const disabled = host.config.plugins
    .filter((plugin) => !ids.has(plugin.id))
    .map(({ id, kind }) => ({ id, kind, state: 'disabled', tools: 0 }) as const)
  return [...running, ...disabled].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A state that was not tried says nothing, and no other process is asked, so this starts them all. */
export async function plugins(context: CommandContext): Promise<number> {
  await startPlugins(context)
  const rows = rowsOf(context)
  if (context.json)
    writeJson(context, {
      plugins: rows.map((row) => ('since' in row ? { ...row, since: new Date(row.since).toISOString() } : row)),
    })
  else
    writeTable(
      context.terminal.stdout,
      rows.map((row) => [row.id, row.kind, row.state, String(row.tools), remark(row)]),
      { heads: ['PLUGIN', 'KIND', 'STATE', 'TOOLS', 'SINCE OR REASON'] },
    )
  return 0
}

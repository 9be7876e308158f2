/** `callboard tools`: switches one tool on or off, in the running host at once, and for good, or lists what is off. */
import type { SwitchedOff } from '../../../store/switch-store.ts'
import { type CommandContext, requireOwner, warn, writeJson } from '../command-context.ts'
import { findTool, whyUnknown } from '../find-tool.ts'
import { localTime } from '../output/local-time.ts'
import { writeTable } from '../output/table.ts'

export async function switchTool(context: CommandContext, name: string, isOn: boolean): Promise<number> {
  requireOwner(context)
  // Its plugin is started where nothing is known of it yet.
  const isKnown = isOn || (await findTool(context, name)) !== undefined
  const why = isKnown ? undefined : await whyUnknown(context, name)
  if (why !== undefined) warn(context, why)
  const tool = await context.host.switches.setTool(name, isOn)
  const state = isOn ? 'enabled' : 'disabled'
  if (context.json) writeJson(context, { tool, state })
  else writeTable(context.terminal.stdout, [[tool, state]])
  return 0
}

/** What is switched off is in no list of tools, so here is one. */
export async function listSwitchedTools(context: CommandContext): Promise<number> {
  requireOwner(context)
  const tools = context.host.switches.all().filter(({ kind }) => kind === 'tool')
  if (context.json) writeJson(context, { tools: tools.map(toJson) })
  else if (tools.length === 0) context.terminal.stderr.write('no tool is switched off\n')
  else
    writeTable(
      context.terminal.stdout,
      tools.map(({ name, publicName = '', since }) => [name, 'disabled', localTime(since), publicName]),
      { heads: ['TOOL', 'STATE', 'SINCE', 'PUBLIC NAME'] },
    )
  return 0
}

function toJson({ name, publicName, since }: SwitchedOff): Readonly<Record<string, unknown>> {
  return { tool: name, state: 'disabled', since: new Date(since).toISOString(), publicName: publicName ?? null }
}

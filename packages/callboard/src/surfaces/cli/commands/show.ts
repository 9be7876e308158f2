/** `callboard show TOOL`: one tool with all its names, hints and arguments. */
import { type CommandContext, writeJson } from '../command-context.ts'
import { requireNamedTool } from '../find-tool.ts'
import { detailsOf, detailsToJson, writeDetails } from './tool-details.ts'

export async function show(context: CommandContext, name: string): Promise<number> {
  const details = detailsOf(await requireNamedTool(context, name))
  if (context.json) writeJson(context, detailsToJson(details))
  else writeDetails(context, details)
  return 0
}

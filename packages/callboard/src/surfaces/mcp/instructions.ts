/** What a client tells its model about this server: how the four tools find and run all others. */
import type { Expose } from '../../config/config.ts'

export function instructionsFor(expose: Expose): string {
  return [expose === 'all' ? ALL_LISTED : FEW_LISTED, ...HOW_TO].join('\n')
}

const FEW_LISTED = 'Callboard stands in front of many tools; only a few of them are in your list of tools.'
const ALL_LISTED = 'Callboard stands in front of many tools, all of them in your list of tools, to be called by name.'
const HOW_TO = [
  'When a task needs something that you have no tool for, call search_mcp_tools with what you want to do before you say that it cannot be done.',
  'get_mcp_tool shows the arguments of what was found; call_mcp_tool runs it and answers exactly what that tool answers.',
  'list_mcp_tools shows what there is, plugin by plugin.',
]

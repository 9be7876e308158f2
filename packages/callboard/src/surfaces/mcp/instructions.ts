/** What a client tells its model about this server: how the four tools find and run all others. */

export const instructions: string = [
  'Callboard stands in front of many tools; only a few of them are in your list of tools.',
  'When a task needs something that you have no tool for, call search_mcp_tools with what you want to do before you say that it cannot be done.',
  'get_mcp_tool shows the arguments of what was found; call_mcp_tool runs it and answers exactly what that tool answers.',
  'list_mcp_tools shows what there is, plugin by plugin.',
].join('\n')

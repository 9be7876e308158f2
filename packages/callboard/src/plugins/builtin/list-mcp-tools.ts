/** `list_mcp_tools`: one page of the catalogue, in order of name. */
import type { ToolCall, ToolResult } from '../plugin.ts'
import { type BuiltinTool, lookingTool } from './builtin-tool.ts'
import { answerPage, pageSchema, rangeOf } from './catalog-page.ts'
import { catalogRow } from './catalog-row.ts'
import { readLimit, readOffset, readText } from './read-arguments.ts'

const LIMIT = { default: 50, max: 200 }

const definition = lookingTool(
  'list_mcp_tools',
  {
    title: 'List tools',
    description:
      'Lists the tools that can be run here, a page at a time in order of name, and the ids of the plugins they come from. ' +
      'Use it to look around, or with `plugin` to see all that one plugin can do; ' +
      'to find a tool for a task, search_mcp_tools is faster.',
  },
  {
    inputSchema: {
      type: 'object',
      properties: {
        plugin: { type: 'string', description: 'Only tools of the plugin with this exact id. Default: all' },
        offset: { type: 'integer', description: 'Tools to skip: `nextOffset` of the page before. Default 0' },
        limit: { type: 'integer', description: `Tools at most. Default ${LIMIT.default}, at most ${LIMIT.max}` },
      },
      additionalProperties: false,
    },
    outputSchema: pageSchema({ pluginIds: { type: 'array', items: { type: 'string' } } }, ['pluginIds']),
  },
)

function run({ arguments: args, catalog }: ToolCall): ToolResult {
  const notes: string[] = []
  const plugin = readText(args, 'plugin')
  const offset = readOffset(args, notes)
  const limit = readLimit(args, LIMIT, notes)
  const pluginIds = catalog.listPluginIds()
  if (plugin !== '' && !pluginIds.includes(plugin))
    notes.push('No plugin with this id has tools here; see the ids below.')
  const tools = catalog.listCatalog(plugin, offset, limit).map((entry) => catalogRow(entry, catalog))
  const page = { tools, total: catalog.catalogCount(plugin), offset, limit, notes }
  return answerPage(`Tools ${rangeOf(page)}.`, page, {
    lines: ['', `Plugins: ${pluginIds.join(', ')}`],
    data: { pluginIds },
  })
}

export const listMcpTools: BuiltinTool = { definition, run }

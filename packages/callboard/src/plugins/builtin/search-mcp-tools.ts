/** `search_mcp_tools`: the tools that match some words or a whole sentence, best first. */
import type { ToolCategory } from '@callboard/sdk'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { namedPlugins, usefulMatches } from '../../catalog/useful-matches.ts'
import { CallboardError } from '../../errors.ts'
import type { ToolCall, ToolResult } from '../plugin.ts'
import { BUILTIN_ID, type BuiltinTool, lookingTool } from './builtin-tool.ts'
import { answerPage, type CatalogPage, pageSchema, rangeOf } from './catalog-page.ts'
import { catalogRow } from './catalog-row.ts'
import { cutText } from './markdown-text.ts'
import { readLimit, readOffset, readRequiredText, readText } from './read-arguments.ts'

/** No model has a use for how many more matches there are. */
const MOST_TOLD = 10_000

const LIMIT = { default: 20, max: 200 }
const QUERY_SHOWN = 80
const CATEGORIES: readonly ToolCategory[] = ['tool', 'ai', 'stream', 'external']

const definition = lookingTool(
  'search_mcp_tools',
  {
    title: 'Search tools',
    description:
      'Finds the tools for a task. Search here before you say that something cannot be done: most tools that can be run ' +
      'are not in your own list of tools. Takes a name, some words or a whole sentence ("open a bug in our tracker"). ' +
      'The best matches come first, each with the arguments it requires; run one with call_mcp_tool, ' +
      'after get_mcp_tool where its arguments are not plain.',
  },
  {
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to do, or part of a name' },
        limit: { type: 'integer', description: `Matches at most. Default ${LIMIT.default}, at most ${LIMIT.max}` },
        plugin: { type: 'string', description: 'Only tools of the plugin with this exact id' },
        category: {
          type: 'string',
          enum: CATEGORIES,
          description:
            'Only `ai` (answered by a model), `stream` (answered in pieces), `external` (of a server), `tool` (other)',
        },
        offset: { type: 'integer', description: 'Matches to skip. Default 0' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: pageSchema({
      nearestPlugins: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only where nothing matches well: the plugins of the best matches; empty where there are none',
      },
    }),
  },
)

function readCategory(args: ToolCall['arguments']): ToolCategory | undefined {
  const text = readText(args, 'category')
  if (text === '') return undefined
  const category = CATEGORIES.find((known) => known === text)
  if (category) return category
  throw new CallboardError('invalid_arguments', `argument "category" must be one of ${CATEGORIES.join(', ')}`)
}

async function run({ arguments: args, catalog, signal }: ToolCall): Promise<ToolResult> {
  const notes: string[] = []
  const query = readRequiredText(args, 'query', 'what the tool should do; list_mcp_tools shows all tools')
  const plugin = readText(args, 'plugin')
  const category = readCategory(args)
  const offset = readOffset(args, notes)
  const limit = readLimit(args, LIMIT, notes)
  const wanted = { ...(plugin !== '' && { plugin }), ...(category && { category }), offset, limit }
  await catalog.prepare('search', signal)
  const found = catalog.search(query, wanted)
  const { entries, nearestPlugins } = usefulMatches(found, BUILTIN_ID)
  const tools = entries.map((entry) => catalogRow(entry, catalog))
  const page = { tools, total: found.total, offset, limit, notes }
  const shown = cutText(query, QUERY_SHOWN)
  if (!nearestPlugins) return answerPage(`Matches for "${shown}", best first: ${rangeOf(page, MOST_TOLD)}.`, page)
  return answerPage([weakHeadline(shown, page), nearestLine(nearestPlugins, catalog)].join(' '), page, {
    data: { nearestPlugins },
  })
}

function weakHeadline(query: string, page: CatalogPage): string {
  if (page.total === 0) return `Nothing matches "${query}".`
  return `Nothing matches "${query}" well; what comes nearest: ${rangeOf(page, MOST_TOLD)}.`
}

function nearestLine(ids: readonly string[], catalog: CatalogView): string {
  if (ids.length === 0) return 'Try other words, or look around with list_mcp_tools.'
  return `Try other words, or list the tools of a plugin with list_mcp_tools: ${namedPlugins(ids, catalog)}.`
}

export const searchMcpTools: BuiltinTool = { definition, run }

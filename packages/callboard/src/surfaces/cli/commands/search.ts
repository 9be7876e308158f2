/** `callboard search`: the tools that fit a few words, best first. */
import type { ToolCategory } from '@callboard/sdk'
import type { CatalogView } from '../../../catalog/catalog-view.ts'
import { isBlank } from '../../../catalog/is-blank.ts'
import { namedPlugins, usefulMatches } from '../../../catalog/useful-matches.ts'
import { CallboardError } from '../../../errors.ts'
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, warn } from '../command-context.ts'
import { startUnknown } from '../start-plugins.ts'
import { writePage, writePageJson } from './page.ts'

export interface SearchCommandOptions {
  readonly plugin?: string
  readonly category?: ToolCategory
  readonly offset?: number
  readonly limit: number
}

export async function search(
  context: CommandContext,
  words: readonly string[],
  options: SearchCommandOptions,
): Promise<number> {
  const query = words.join(' ').trim()
  if (isBlank(query))
    throw new CallboardError('usage', 'the query is empty; give a few words, or see everything with `callboard list`')
  const wanted = ({ id }: PluginStatus) => options.plugin === undefined || options.plugin === id
  for (const reason of await startUnknown(context, wanted)) warn(context, reason)
  const { host, user, terminal, signal } = context
  const { limit, ...rest } = options
  const view = await host.view(user, 'cli')
  await view.prepare('search', signal)
  const found = view.search(query, limit === 0 ? rest : options)
  const { entries, nearestPlugins } = usefulMatches(found)
  const page = { entries, total: found.total, offset: options.offset ?? 0 }
  if (context.json) {
    writePageJson(context, page, { query, ...(nearestPlugins && { nearestPlugins }) })
    return 0
  }
  writePage(context, page)
  if (nearestPlugins) terminal.stderr.write(`${weakLine(page.total, nearestPlugins, view)}\n`)
  return 0
}

function weakLine(total: number, ids: readonly string[], view: CatalogView): string {
  const said = total === 0 ? 'no tool matches' : 'no tool matches well'
  if (ids.length === 0) return said
  return `${said}; try other words, or \`callboard list --plugin ID\`: ${namedPlugins(ids, view)}`
}

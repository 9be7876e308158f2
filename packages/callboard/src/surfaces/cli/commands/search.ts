/** `callboard search`: the tools that fit a few words, best first. */
import type { ToolCategory } from '@callboard/sdk'
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
  if (query === '')
    throw new CallboardError('usage', 'the query is empty; give a few words, or see everything with `callboard list`')
  const wanted = ({ id }: PluginStatus) => options.plugin === undefined || options.plugin === id
  for (const reason of await startUnknown(context, wanted)) warn(context, reason)
  const { host, user, terminal, signal } = context
  const { limit, ...rest } = options
  const view = await host.view(user, 'cli')
  await view.prepare('search', signal)
  const found = view.search(query, limit === 0 ? rest : options)
  const page = { ...found, offset: options.offset ?? 0 }
  if (context.json) writePageJson(context, page, { query })
  else {
    writePage(context, page)
    if (page.total === 0) terminal.stderr.write('no tool matches\n')
  }
  return 0
}

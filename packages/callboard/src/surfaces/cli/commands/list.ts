/** `callboard list`: every tool of the acting user, or one page of them. */
import type { CatalogEntry, ToolCategory } from '@callboard/sdk'
import { listedName } from '../../../catalog/listed-name.ts'
import type { PluginStatus } from '../../../host.ts'
import { type CommandContext, warn, writeJson } from '../command-context.ts'
import { oneLine } from '../output/plain-text.ts'
import { writeTable } from '../output/table.ts'
import { startUnknown } from '../start-plugins.ts'
import { noteUnknownPlugin } from '../unknown-plugin.ts'
import { type ToolPage, toolRows, writePage, writePageFooter, writePageJson } from './page.ts'

export interface ListOptions {
  readonly plugins?: boolean
  readonly plugin?: string
  readonly category?: ToolCategory
  readonly offset?: number
  /** Absent or 0: all. */
  readonly limit?: number
}

/** The wanted tools, sorted by the names that are shown. */
async function readPage({ host, user }: CommandContext, options: ListOptions): Promise<ToolPage> {
  const view = await host.view(user, 'cli')
  const wanted = view
    .listCatalog(options.plugin ?? '', 0, 0)
    .filter((entry) => options.category === undefined || entry.category === options.category)
    .sort((a, b) => (listedName(a, 'cli') < listedName(b, 'cli') ? -1 : 1))
  const offset = options.offset ?? 0
  return {
    entries: wanted.slice(offset, options.limit ? offset + options.limit : undefined),
    total: wanted.length,
    offset,
  }
}

function writeGroups(
  { terminal: { stdout } }: CommandContext,
  groups: ReadonlyMap<string, readonly CatalogEntry[]>,
  countOf: (pluginId: string) => number,
): void {
  for (const [id, entries] of groups) {
    const total = countOf(id)
    const all = `${total} ${total === 1 ? 'tool' : 'tools'}`
    const count = entries.length === total ? all : `${entries.length} of ${all}`
    if (stdout.isTerminal) {
      stdout.write(`${stdout.style('bold', oneLine(id))} (${count})\n`)
      writeTable(stdout, toolRows(entries), { indent: '  ', cut: true })
    } else writeTable(stdout, [[id, count], ...toolRows(entries).map((row) => ['', ...row])])
  }
}

export async function list(context: CommandContext, options: ListOptions): Promise<number> {
  const wanted = ({ id }: PluginStatus) => options.plugin === undefined || options.plugin === id
  for (const reason of await startUnknown(context, wanted)) warn(context, reason)
  if (options.plugin !== undefined) await noteUnknownPlugin(context, options.plugin)
  const page = await readPage(context, options)
  if (!options.plugins) {
    if (context.json) writePageJson(context, page)
    else writePage(context, page)
    return 0
  }
  const groups = Map.groupBy(page.entries, (entry) => entry.pluginId)
  if (context.json)
    writeJson(context, { plugins: [...groups].map(([id, tools]) => ({ id, tools })), total: page.total })
  else {
    const view = await context.host.view(context.user, 'cli')
    writeGroups(context, groups, (id) => view.catalogCount(id))
    writePageFooter(context, page)
  }
  return 0
}

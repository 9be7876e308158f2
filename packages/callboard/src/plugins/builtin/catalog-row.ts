/** One tool as the list and the search show it: short enough that fifty of them fit a model's attention. */
import type { CatalogEntry, JsonSchema } from '@callboard/sdk'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { cutText } from './markdown-text.ts'

const DESCRIPTION_MAX = 160
/** More would push every other tool of the answer out of sight; the schema has them all. */
const REQUIRED_SHOWN = 20
const REQUIRED_NAME_MAX = 80

export interface CatalogRow {
  readonly name: string
  readonly description: string
  readonly pluginId: string
  readonly category: string
  readonly providers: readonly string[]
  /** The first ones, where there are many. */
  readonly required: readonly string[]
  /** How many more are required; absent when none are. */
  readonly moreRequired?: number
}

/** The JSON Schema of a {@link CatalogRow}. */
export const catalogRowSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'The name to call it by' },
    description: { type: 'string', description: 'Cut when it is long' },
    pluginId: { type: 'string' },
    category: { enum: ['tool', 'ai', 'stream', 'external'] },
    providers: { type: 'array', items: { type: 'string' } },
    required: { type: 'array', items: { type: 'string' }, description: 'The arguments it cannot do without' },
    moreRequired: { type: 'integer', description: 'How many more it cannot do without; get_mcp_tool shows them' },
  },
  required: ['name', 'description', 'pluginId', 'category', 'providers', 'required'],
}

function requiredArguments(view: CatalogView, name: string): Pick<CatalogRow, 'required' | 'moreRequired'> {
  const tool = view.resolve(name)
  const required = tool && inputSchemaOf(tool.definition).required
  const names = Array.isArray(required) ? required.filter((argument) => typeof argument === 'string') : []
  const shown = names.slice(0, REQUIRED_SHOWN)
  return {
    required: shown.map((argument) =>
      argument.length > REQUIRED_NAME_MAX ? cutText(argument, REQUIRED_NAME_MAX) : argument,
    ),
    ...(names.length > shown.length && { moreRequired: names.length - shown.length }),
  }
}

export function catalogRow(entry: CatalogEntry, view: CatalogView): CatalogRow {
  const { name, pluginId, category, providers } = entry
  const description = cutText(entry.description || (entry.title ?? ''), DESCRIPTION_MAX)
  return { name, description, pluginId, category, providers, ...requiredArguments(view, name) }
}

/** The head that goes with {@link rowCells}. */
export const rowHead: readonly string[] = ['tool', 'plugin', 'required', 'description']

export function rowCells(row: CatalogRow): string[] {
  const providers = row.providers.length > 0 ? ` (providers: ${row.providers.join(', ')})` : ''
  const more = row.moreRequired === undefined ? '' : ` and ${row.moreRequired} more`
  return [`\`${row.name}\``, row.pluginId, row.required.join(', ') + more, row.description + providers]
}

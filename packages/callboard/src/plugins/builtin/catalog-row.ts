/** One tool as the list and the search show it: short enough that fifty of them fit a model's attention. */
import type { CatalogEntry, JsonSchema } from '@callboard/sdk'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { argumentType } from './argument-type.ts'
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
  /** The types of these, in their order; empty where the schema does not say in a word. */
  readonly types: readonly string[]
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
    types: { type: 'array', items: { type: 'string' }, description: 'Of these arguments, in their order' },
    moreRequired: { type: 'integer', description: 'How many more it cannot do without; get_mcp_tool shows them' },
  },
  required: ['name', 'description', 'pluginId', 'category', 'providers', 'required', 'types'],
}

type RequiredArguments = Pick<CatalogRow, 'required' | 'types' | 'moreRequired'>

function requiredArguments(view: CatalogView, name: string): RequiredArguments {
  const tool = view.resolve(name)
  const { required, properties } = tool ? inputSchemaOf(tool.definition) : {}
  const schemas = new Map(typeof properties === 'object' && properties !== null ? Object.entries(properties) : [])
  const names = Array.isArray(required) ? required.filter((argument) => typeof argument === 'string') : []
  const shown = names.slice(0, REQUIRED_SHOWN)
  return {
    required: shown.map((argument) =>
      argument.length > REQUIRED_NAME_MAX ? cutText(argument, REQUIRED_NAME_MAX) : argument,
    ),
    types: shown.map((argument) => argumentType(schemas.get(argument))),
    ...(names.length > shown.length && { moreRequired: names.length - shown.length }),
  }
}

export function catalogRow(entry: CatalogEntry, view: CatalogView): CatalogRow {
  const { name, pluginId, category, providers } = entry
  const description = cutText(entry.description || (entry.title ?? ''), DESCRIPTION_MAX)
  return { name, description, pluginId, category, providers, ...requiredArguments(view, name) }
}

/** The head that goes with {@link rowCells}. */
export const rowHead: readonly string[] = ['tool', 'plugin', 'category', 'required', 'description']

export function rowCells(row: CatalogRow): string[] {
  const providers = row.providers.length > 0 ? ` (providers: ${row.providers.join(', ')})` : ''
  const more = row.moreRequired === undefined ? '' : ` and ${row.moreRequired} more`
  const required = row.required.map((name, i) => (row.types[i] ? `${name}: ${row.types[i]}` : name))
  return [`\`${row.name}\``, row.pluginId, row.category, required.join(', ') + more, row.description + providers]
}

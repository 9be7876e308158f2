/** One tool as the list and the search show it: short enough that fifty of them fit a model's attention. */
import type { CatalogEntry, JsonSchema } from '@callboard/sdk'
import type { CatalogView } from '../../catalog/catalog-view.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { cutText } from './markdown-text.ts'

const DESCRIPTION_MAX = 160

export interface CatalogRow {
  readonly name: string
  readonly description: string
  readonly pluginId: string
  readonly category: string
  readonly providers: readonly string[]
  readonly required: readonly string[]
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
  },
  required: ['name', 'description', 'pluginId', 'category', 'providers', 'required'],
}

function requiredArguments(view: CatalogView, name: string): string[] {
  const tool = view.resolve(name)
  const required = tool && inputSchemaOf(tool.definition).required
  return Array.isArray(required) ? required.filter((argument) => typeof argument === 'string') : []
}

export function catalogRow(entry: CatalogEntry, view: CatalogView): CatalogRow {
  const { name, pluginId, category, providers } = entry
  const description = cutText(entry.description || (entry.title ?? ''), DESCRIPTION_MAX)
  return { name, description, pluginId, category, providers, required: requiredArguments(view, name) }
}

/** The head that goes with {@link rowCells}. */
export const rowHead: readonly string[] = ['tool', 'plugin', 'required', 'description']

export function rowCells(row: CatalogRow): string[] {
  const providers = row.providers.length > 0 ? ` (providers: ${row.providers.join(', ')})` : ''
  return [`\`${row.name}\``, row.pluginId, row.required.join(', '), row.description + providers]
}

/** What search reads of a tool: its fields, each with the weight that a word in it has. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'

export interface SearchableTool {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
}

/** A part of a tool's text. `weight` is what one word counts; `evenness` from 0 to 1 is how much a long text dilutes it. */
export interface SearchField {
  readonly weight: number
  readonly evenness: number
  readonly text: (tool: SearchableTool) => string
}

/** The field whose words say what the tool is called: stop words count here. */
export const NAME_FIELD = 0

export const SEARCH_FIELDS: readonly SearchField[] = [
  { weight: 3, evenness: 0.5, text: ({ entry }) => entry.declaredName },
  {
    weight: 2,
    evenness: 0.5,
    text: ({ entry, definition }) => [entry.title ?? '', ...(definition.tags ?? [])].join(' '),
  },
  { weight: 1, evenness: 0.6, text: ({ entry }) => entry.description },
  { weight: 0.4, evenness: 0.75, text: ({ definition }) => argumentsOf(definition).join(' ') },
  { weight: 0.7, evenness: 0.3, text: ({ entry }) => entry.pluginId },
]

/** The names of the arguments and what is said of them. Schemas come from outside: whatever is not as it should be is passed over. */
function argumentsOf(definition: ToolDefinition): string[] {
  if (definition.args) return definition.args.map((arg) => `${arg.name} ${arg.description ?? ''}`)
  const properties = definition.inputSchema?.properties
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([name, property]) => {
    const description = isObject(property) ? property.description : undefined
    return typeof description === 'string' ? `${name} ${description}` : name
  })
}

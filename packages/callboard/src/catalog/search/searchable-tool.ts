/** What search reads of a tool: its fields, each with the weight that a word in it has. */
import type { CatalogEntry, ToolDefinition } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'

/** A tool as search is given it. */
export interface SearchableTool {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
  /** Of a tool that several model providers serve: the tool as each of them does. The words of all of them find it. */
  readonly offers?: readonly SearchableTool[]
}

/** A part of a tool's text. */
export interface SearchField {
  /** What one word counts. */
  readonly weight: number
  /** From 0 to 1: how much a long text dilutes that. */
  readonly evenness: number
  /**
   * How many telling words it has as a rule, from the lists of real servers. Not the mean of the tools that are here:
   * it would tell whoever searches of those that they may not see.
   */
  readonly usual: number
  readonly texts: (tool: SearchableTool) => readonly string[]
}

/** The field whose words say what the tool is called: stop words count here. */
export const NAME_FIELD = 0

/** All that is searched of a tool; a field is known by its place here. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  { weight: 3, evenness: 0.5, usual: 3, texts: ({ entry }) => [entry.declaredName] },
  {
    weight: 2,
    evenness: 0.5,
    usual: 3,
    texts: ofAll(({ entry, definition }) => [entry.title ?? '', ...(definition.tags ?? [])]),
  },
  { weight: 1, evenness: 0.5, usual: 12, texts: ofAll(({ entry }) => [entry.description]) },
  { weight: 0.5, evenness: 0.5, usual: 18, texts: ofAll(({ definition }) => argumentsOf(definition)) },
  { weight: 1, evenness: 0.5, usual: 2, texts: ofAll(({ entry }) => [entry.pluginId]) },
  // Many models are no reason for each of them to say less.
  { weight: 1, evenness: 0, usual: 2, texts: ofAll(providersAndModels) },
]

/** What the texts are of a tool, or of each of its offers, the same text once. */
function ofAll(texts: SearchField['texts']): SearchField['texts'] {
  return (tool) => (tool.offers === undefined ? texts(tool) : [...new Set(tool.offers.flatMap(texts))])
}

/** The model providers that serve the tool, and what may be chosen of them: the values that its arguments may have. */
function providersAndModels({ entry, definition }: SearchableTool): readonly string[] {
  const properties = definition.inputSchema?.properties
  if (entry.providers.length === 0 || !isObject(properties)) return entry.providers
  const values = Object.values(properties).flatMap((one) => (isObject(one) && Array.isArray(one.enum) ? one.enum : []))
  return [...entry.providers, ...values.filter((value) => typeof value === 'string')]
}

/**
 * The names of the arguments and what is said of them. Schemas come from outside: whatever is not as it should be is
 * passed over.
 */
function argumentsOf(definition: ToolDefinition): string[] {
  if (definition.args) return definition.args.flatMap(({ name, description = '' }) => [name, description])
  const properties = definition.inputSchema?.properties
  if (!isObject(properties)) return []
  const texts: string[] = []
  for (const name of Object.keys(properties)) {
    const property = properties[name]
    const description = isObject(property) ? property.description : undefined
    texts.push(name)
    if (typeof description === 'string') texts.push(description)
  }
  return texts
}

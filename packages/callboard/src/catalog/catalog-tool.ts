/** One tool of the catalogue: as its plugin gives it, or one for all model providers that serve it. */
import type { CatalogEntry, ToolCategory, ToolDefinition } from '@callboard/sdk'
import { namespacedName } from '../tools/names.ts'

/** One tool in a snapshot: the entry that is shown, without `schema`, and the definition behind it. */
export interface CatalogTool {
  readonly entry: CatalogEntry
  readonly definition: ToolDefinition
  /**
   * Of a tool that several model providers serve: the tool as each of them serves it, the preferred one first, which
   * `entry` and `definition` are of.
   */
  readonly offers?: readonly CatalogTool[]
}

/** What a tool is shown by. */
interface ToolParts {
  /** The public one. */
  readonly name: string
  readonly definition: ToolDefinition
  readonly category: ToolCategory
  /** The model provider that serves it, where it needs one. */
  readonly provider?: string
}

/** The tool with the entry that its definition stands for. */
export function catalogTool({ name, definition, category, provider }: ToolParts): CatalogTool {
  const { package: pluginId, name: declaredName, title } = definition
  const entry = {
    name,
    description: definition.description ?? '',
    pluginId,
    category,
    providers: provider === undefined ? [] : [provider],
    namespacedName: namespacedName(pluginId, declaredName),
    declaredName,
    ...(title !== undefined && { title }),
  }
  return { entry, definition }
}

type Accept = (tool: CatalogTool) => boolean

/**
 * The tool as each of its providers serves it, the preferred one first; one without providers is its own only offer.
 */
export function offersOf(tool: CatalogTool): readonly CatalogTool[] {
  return tool.offers ?? [tool]
}

/** The tool as this provider serves it. */
export function offerOf(tool: CatalogTool, provider: string): CatalogTool | undefined {
  return offersOf(tool).find(({ entry }) => entry.providers.includes(provider))
}

/**
 * One tool for these offers, of which there is at least one, each of one provider and the preferred one first. It is
 * shown as the preferred one is, with the providers of all, sorted.
 */
export function mergedTool(offers: readonly [CatalogTool, ...CatalogTool[]]): CatalogTool {
  const [first] = offers
  if (offers.length === 1) return first
  const providers = offers.flatMap(({ entry }) => entry.providers).sort()
  return { entry: { ...first.entry, providers }, definition: first.definition, offers }
}

/**
 * What is left of the tool when only the accepted offers are; undefined when nothing is, the tool itself when all are.
 */
export function narrowedTool(tool: CatalogTool, accept: Accept): CatalogTool | undefined {
  if (tool.offers === undefined) return accept(tool) ? tool : undefined
  const [first, ...rest] = tool.offers.filter(accept)
  if (first === undefined) return undefined
  return rest.length + 1 === tool.offers.length ? tool : mergedTool([first, ...rest])
}

/** The tool as each plugin that gives it has it; the tool itself where one plugin alone does. */
export function bridgeTools(tool: CatalogTool): readonly CatalogTool[] {
  const byPlugin = Map.groupBy(offersOf(tool), ({ entry }) => entry.namespacedName)
  if (byPlugin.size === 1) return [tool]
  return [...byPlugin.values()].flatMap(([first, ...rest]) => (first === undefined ? [] : mergedTool([first, ...rest])))
}

/** What is worth showing of a page of matches: all of it, or a few and the plugins that come nearest where nothing matches well. */
import type { CatalogEntry, ToolCatalog } from '@callboard/sdk'
import type { SearchPage } from './catalog-view.ts'

/** The best match fits less than this: most likely nothing here is of use. */
const LEAST_LIKENESS = 0.25
/** Where nothing matches well, so many matches are shown at most, and so many plugins named. */
const WEAK_SHOWN = 5
const PLUGINS_NAMED = 5

/** What to show of a search. */
export interface UsefulMatches {
  readonly entries: readonly CatalogEntry[]
  /** Only where nothing matches well: the ids of some plugins, those of the best matches first; without matches, the first there are. */
  readonly nearestPlugins?: readonly string[]
}

/** @param likeness of a `SearchPage` */
export function fitsWell(likeness: number): boolean {
  return likeness >= LEAST_LIKENESS
}

/**
 * @param catalog where the page was found
 * @param without a plugin that is never the nearest
 */
export function usefulMatches(
  { entries, likeness }: SearchPage,
  catalog: ToolCatalog,
  without?: string,
): UsefulMatches {
  if (fitsWell(likeness)) return { entries }
  const ids = entries.length > 0 ? entries.map(({ pluginId }) => pluginId) : catalog.listPluginIds()
  const nearestPlugins = [...new Set(ids)].filter((id) => id !== without).slice(0, PLUGINS_NAMED)
  return { entries: entries.slice(0, WEAK_SHOWN), nearestPlugins }
}

/** These plugins, each with the number of its tools: `mail (12), files (3)`. */
export function namedPlugins(ids: readonly string[], catalog: ToolCatalog): string {
  return ids.map((id) => `${id} (${catalog.catalogCount(id)})`).join(', ')
}

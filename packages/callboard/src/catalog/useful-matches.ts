/**
 * What is worth showing of a page of matches: all of it, or a few and the plugins of the best ones where nothing
 * matches well.
 */
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
  /**
   * Only where nothing matches well: the ids of some plugins, those of the best matches first; none where nothing
   * matches at all.
   */
  readonly nearestPlugins?: readonly string[]
}

/** @param likeness of a `SearchPage` */
export function fitsWell(likeness: number): boolean {
  return likeness >= LEAST_LIKENESS
}

/** @param without a plugin that is never the nearest */
export function usefulMatches({ entries, likeness }: SearchPage, without?: string): UsefulMatches {
  if (fitsWell(likeness)) return { entries }
  const ids = new Set(entries.map(({ pluginId }) => pluginId))
  const nearestPlugins = [...ids].filter((id) => id !== without).slice(0, PLUGINS_NAMED)
  return { entries: entries.slice(0, WEAK_SHOWN), nearestPlugins }
}

/** These plugins, each with the number of its tools: `mail (12), files (3)`. */
export function namedPlugins(ids: readonly string[], catalog: ToolCatalog): string {
  return ids.map((id) => `${id} (${catalog.catalogCount(id)})`).join(', ')
}

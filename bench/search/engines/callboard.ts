/** Callboard's own search, as its catalogue asks for it, and the same without the vectors of words. */
import { createSearchIndex } from '../../../packages/callboard/src/catalog/search/create-search-index.ts'
import { LiveSearch, type LiveSearchOptions } from '../../../packages/callboard/src/catalog/search/live-search.ts'
import type { SearchableTool } from '../../../packages/callboard/src/catalog/search/searchable-tool.ts'
import { wholeScope } from '../../../packages/callboard/src/catalog/search/whole-scope.ts'
import { sortedTools } from '../../../packages/callboard/src/catalog/tool-lists.ts'
import { fitsWell } from '../../../packages/callboard/src/catalog/useful-matches.ts'
import type { Engine } from '../engine.ts'
import { catalogOf } from '../tool-set.ts'

function engine(name: string, options: LiveSearchOptions): Engine {
  return {
    name,
    take(tools) {
      const catalog = catalogOf(tools)
      const ids = new Map<SearchableTool, string>(catalog.map(({ tool, id }) => [tool, id]))
      const listed = sortedTools([...ids.keys()])
      return () => {
        const index = createSearchIndex(listed, new LiveSearch(options))
        const scope = wholeScope(listed.length)
        index.search({ query: 'first', scope, most: 1 })
        return {
          search: (query, limit) =>
            index.search({ query, scope, most: limit }).tools.map((tool) => ids.get(tool) ?? ''),
          fitsWell: (query) => fitsWell(index.search({ query, scope, most: 1 }).likeness),
        }
      }
    },
  }
}

export const callboard: Engine = engine('Callboard', {})
export const callboardWithoutVectors: Engine = engine('Callboard without vectors', { vectors: () => undefined })

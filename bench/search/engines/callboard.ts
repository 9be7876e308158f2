/** Callboard's own search, as its catalogue asks for it. */
import { createSearchIndex } from '../../../packages/callboard/src/catalog/search/create-search-index.ts'
import { wholeScope } from '../../../packages/callboard/src/catalog/search/whole-scope.ts'
import type { Engine } from '../engine.ts'
import { catalogOf } from '../tool-set.ts'

export const callboard: Engine = {
  name: 'Callboard',
  take(tools) {
    const catalog = catalogOf(tools)
    const listed = catalog.map(({ tool }) => tool)
    return () => {
      const index = createSearchIndex(listed)
      const scope = wholeScope(listed.length)
      index.search({ query: 'first', scope, most: 1 })
      return {
        search: (query, limit) =>
          index.search({ query, scope, most: limit }).positions.map((position) => catalog[position]?.id ?? ''),
      }
    }
  },
}

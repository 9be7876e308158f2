/** Callboard's own search, as its catalogue asks for it. */
import { createSearchIndex } from '../../../packages/callboard/src/catalog/search/create-search-index.ts'
import type { Engine } from '../engine.ts'
import { catalogOf } from '../tool-set.ts'

export const callboard: Engine = {
  name: 'Callboard',
  take(tools) {
    const catalog = catalogOf(tools)
    const listed = catalog.map(({ tool }) => tool)
    return () => {
      const index = createSearchIndex(listed)
      index.search('first', () => true, 1)
      return {
        search: (query, limit) =>
          index.search(query, () => true, limit).positions.map((position) => catalog[position]?.id ?? ''),
      }
    }
  },
}

/**
 * Makes the search index of a list of tools; what it needs for an answer is read when such an answer is first asked
 * for.
 */
import type { SortedList } from '../sorted-list.ts'
import { LiveSearch } from './live-search.ts'
import type { SearchIndex } from './search-index.ts'
import type { SearchableTool } from './searchable-tool.ts'

/**
 * @param tools sorted by public name; at most 8,388,608
 * @param search what indexes of similar lists have read already; left out, this one reads everything itself
 */
export function createSearchIndex(
  tools: SortedList<SearchableTool>,
  search: LiveSearch = new LiveSearch(),
): SearchIndex {
  return {
    search: (request) => search.search(tools, request),
    suggest: (name, limit, accepts) => search.suggest(tools, name, limit, accepts),
    prepare: (answer, signal) => search.prepare(tools, answer, signal),
  }
}

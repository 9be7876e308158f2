/** The scope of whoever may know of every tool. */
import type { SearchScope } from './search-index.ts'

/** @param size how many tools the list has */
export function wholeScope(size: number): SearchScope {
  return { size, isWhole: true, has: () => true }
}

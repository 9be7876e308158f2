/** The catalogue as one user sees it on one surface; every request works on one. */
import type { CatalogEntry, ToolCatalog, ToolCategory } from '@callboard/sdk'
import type { CatalogTool } from './snapshot.ts'

/** Which of the matches of a search are wanted. */
export interface SearchOptions {
  readonly plugin?: string
  readonly category?: ToolCategory
  /** Matches to skip. */
  readonly offset?: number
  /** Matches at most; absent means all. */
  readonly limit?: number
}

export interface SearchPage {
  readonly entries: readonly CatalogEntry[]
  /** How many match in all. */
  readonly total: number
}

export interface CatalogView extends ToolCatalog {
  /** Every tool of the view, sorted by public name. */
  readonly tools: readonly CatalogTool[]
  /** The tool with this public or namespaced name. */
  resolve(name: string): CatalogTool | undefined
  /** Public names close to one that is not there, best first: where a clash took the name away its new names, then names that look like it. */
  suggest(name: string, limit: number): readonly string[]
  /** One page of the matches, ranked as `searchCatalog` ranks them. */
  search(query: string, options?: SearchOptions): SearchPage
}

/** The one interface to search: what a catalogue may ask of it, whatever stands behind. */
import type { SearchableTool } from './searchable-tool.ts'

/** Whether the tool at this position of the list may be found. It is asked before anything is ranked or counted. */
export type AcceptPosition = (position: number) => boolean

/** The tools that whoever searches may know of. The same object stands for the same tools of the same list. */
export interface SearchScope {
  /** How many they are. */
  readonly size: number
  /** Whether they are all tools of the list. */
  readonly isWhole: boolean
  has(position: number): boolean
}

/** What is searched for, and where. */
export interface SearchRequest {
  readonly query: string
  readonly scope: SearchScope
  /** Which tools of the scope are wanted; left out, all. */
  readonly accepts?: (tool: SearchableTool) => boolean
  /** Matches wanted, 0 or more; asking for a few is quicker. */
  readonly most: number
}

/** What was found. */
export interface SearchMatches {
  /** The best matches, best first. */
  readonly tools: readonly SearchableTool[]
  /** How many match in all. */
  readonly total: number
  /**
   * How well the best of them fits, from 0 to 1: how much of what the query asks for it has in words, and how close it
   * is in meaning where that is known. 1 where a name or a description contains the whole query; with little of it,
   * what was found is likely to be of no use.
   */
  readonly likeness: number
}

/**
 * Search over a fixed list of tools that is sorted by public name. Ties are by position in the list, and so by name.
 * Nothing throws, whatever is typed; the same list and request give the same answer. One index serves every view of a
 * list. What is not in the scope has no part in an answer: how rare a word is is counted in the scope alone.
 */
export interface SearchIndex {
  /**
   * The wanted tools that match, each once, best first: names that equal the query (literally, then with `_ - . /` and
   * spaces alike, then the declared or namespaced name), names that contain it, descriptions that contain it, all
   * without regard to case and to space around the query, and then whatever shares words with it. Nothing matches white
   * space.
   */
  search(request: SearchRequest): SearchMatches
  /** At most `limit` accepted tools with a name close to one that is not there, closest first. */
  suggest(name: string, limit: number, accepts: AcceptPosition): readonly SearchableTool[]
  /**
   * Reads what `search` or `suggest` needs in steps of some 5 ms, with everybody else's turn between them. What is left
   * to read they read themselves, all at once.
   */
  prepare(answer: 'search' | 'suggest', signal?: AbortSignal): Promise<void>
}

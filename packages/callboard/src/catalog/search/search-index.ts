/** The one interface to search: what a catalogue may ask of it, whatever stands behind. */

/** Whether the tool at this position of the list may be found. It is asked before anything is ranked or counted. */
export type AcceptPosition = (position: number) => boolean

export interface SearchMatches {
  /** The best matches, best first. */
  readonly positions: readonly number[]
  /** How many match in all. */
  readonly total: number
}

/**
 * Search over a fixed list of tools that is sorted by public name. Tools are given by their position in the list, so that
 * ties by position are ties by name. Nothing throws, whatever is typed; the same list and query give the same answer.
 * One index serves every view of a list: how rare a word is is counted over the whole list, so what is not accepted can
 * shift the order inside a tier, but is never found.
 */
export interface SearchIndex {
  /**
   * The accepted tools that match, each once, best first: names that equal the query (literally, then with `_ - . /` and
   * spaces alike, then the declared or namespaced name), names that contain it, descriptions that contain it, all without
   * regard to case and to space around the query, and then whatever shares words with it. Nothing matches white space.
   * @param most matches wanted, 0 or more; asking for a few is quicker
   */
  search(query: string, accepts: AcceptPosition, most: number): SearchMatches
  /** At most `limit` accepted tools with a name close to one that is not there, closest first. */
  suggest(name: string, limit: number, accepts: AcceptPosition): readonly number[]
  /**
   * Reads what `search` or `suggest` needs in steps of some 5 ms, with everybody else's turn between them. What is left to
   * read they read themselves, all at once.
   */
  prepare(answer: 'search' | 'suggest', signal?: AbortSignal): Promise<void>
}

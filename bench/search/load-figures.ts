/** What an engine takes for a number of tools. */

export interface LoadFigures {
  readonly engine: string
  readonly tools: number
  /** Milliseconds until every tool can be found. */
  readonly buildMs: number
  /** Bytes of the index, without the tools that it was made from. */
  readonly bytes: number
  /** Milliseconds of a search for twenty hits: the median, and what one in twenty takes longer than. */
  readonly p50: number
  readonly p95: number
}

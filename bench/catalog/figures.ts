/** What the catalogue benchmark finds out about one number of tools. */

/** The median and the 95th percentile, in milliseconds. */
export interface Timing {
  readonly p50: number
  readonly p95: number
}

export interface CatalogFigures {
  readonly tools: number
  /** Milliseconds until the catalogue stands: every plugin registered, its tools named and sorted. */
  readonly snapshotMs: number
  /** Milliseconds until search and suggestions have read everything, step by step. */
  readonly indexMs: number
  /** The longest of these steps, in milliseconds. */
  readonly stallMs: number
  /** Bytes of the definitions alone. */
  readonly definitionBytes: number
  /** Bytes of the registry, the names, and the snapshot: entries, lists and tables. */
  readonly snapshotBytes: number
  /** Bytes of the index of search and suggestions. */
  readonly indexBytes: number
  /** A page of 50 anywhere in the list. */
  readonly list: Timing
  /** One entry with its schema, by public or namespaced name. */
  readonly get: Timing
  /** A search for a page of 20. */
  readonly search: Timing
  /** A search for every match. */
  readonly searchAll: Timing
  readonly suggest: Timing
  readonly changes: ChangeFigures
}

/** After all tools of one plugin of 200 became others. */
export interface ChangeFigures {
  /** Until there is a new snapshot. */
  readonly snapshot: Timing
  /** The next search, for every match. */
  readonly search: Timing
  /** The same search when nothing changed. */
  readonly searchAgain: Timing
  /** The next view of a user who may use about nine tools in ten, until it has its list. */
  readonly filteredView: Timing
  /** The same view made from nothing. */
  readonly filteredAnew: Timing
  /** The next first page of `tools/list` with `expose: all`. */
  readonly firstPage: Timing
  /** That page when it was asked for before. */
  readonly samePage: Timing
}

/** What the catalogue benchmark finds out about one number of tools. */

/** The median and the 95th percentile, in milliseconds. */
export interface Timing {
  readonly p50: number
  readonly p95: number
}

export interface CatalogFigures {
  readonly tools: number
  /** Milliseconds until the snapshot stands, from definitions and names. */
  readonly snapshotMs: number
  /** Milliseconds that the first search and the first suggestion spend on their index. */
  readonly indexMs: number
  /** Bytes of the definitions alone. */
  readonly definitionBytes: number
  /** Bytes of the snapshot: entries, lists and tables. */
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
  /** A new snapshot after one plugin's tools were replaced. */
  readonly change: Timing
  /** A view that accepts nine tools in ten, until it has its list. */
  readonly filteredView: Timing
}

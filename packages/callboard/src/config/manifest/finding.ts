/** One thing that is found in a plugin's manifest. */

export interface Finding {
  /** A dotted id that stays the same from version to version; docs/manifest.md lists them all. */
  readonly rule: string
  /** `error`: the plugin is not loaded. `note`: it is, and its author should know something. */
  readonly level: 'error' | 'note'
  /** Names the place inside the document, what was expected, and the mend; one line without control characters. */
  readonly message: string
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
}

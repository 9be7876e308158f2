/** The port of the audit: a row for each call and each refusal, in the order in which they were answered. */

/**
 * One row. `outcome` and `surface` are texts here, because a row may be older or newer than the program that reads it.
 */
export interface AuditRow {
  /** When the call began, in milliseconds since the epoch. */
  readonly time: number
  readonly user: string
  readonly surface: string
  /** The namespaced name, or what the caller wrote where there is no such tool. */
  readonly tool: string
  /** Undefined where there is no such tool. */
  readonly plugin: string | undefined
  readonly outcome: string
  readonly durationMs: number
  /** Characters of JSON, about. */
  readonly argumentsSize: number
  /** The same of the result; undefined where there is none. */
  readonly resultSize: number | undefined
  /** The tool through which the call came. */
  readonly via: string | undefined
  /** The model provider that served it. */
  readonly provider: string | undefined
  /** What the model of an AI tool did, where it answered. */
  readonly ai?:
    | {
        readonly model?: string
        readonly finishReason?: string
        readonly inputTokens?: number
        readonly outputTokens?: number
      }
    | undefined
  /** JSON without secrets; undefined where they are not kept. */
  readonly arguments?: string | undefined
}

/** A place between two rows, of no meaning to anybody but the store that gave it. */
export interface AuditPlace {
  readonly file: string
  readonly offset: number
}

/** Some rows that follow one another, and where they stand. */
export interface AuditPiece {
  readonly rows: readonly AuditRow[]
  /** Right before the first of them. */
  readonly start: AuditPlace
  /** Right after the last of them. */
  readonly end: AuditPlace
  /** Among them, what could not be read as rows. */
  readonly unreadable: number
}

/** What pruning leaves. */
export interface AuditBounds {
  /** Calls that ended before this time go, in milliseconds since the epoch; a day later at most. */
  readonly endedBefore: number
  /** The oldest rows go while the rows take more room than this. */
  readonly maxBytes: number
}

/** Goes on with the rows to come. */
export interface AuditFollower extends AsyncDisposable {
  /**
   * Some rows that have come since; undefined when there are none yet. Every row comes once, also of a file that is
   * moved away; those that several processes append at a time are not in the order of their answers. Rejects with
   * `CallboardError` (`internal`).
   */
  next(): Promise<AuditPiece | undefined>
}

/** Several processes may append to one audit and read it at the same time. */
export interface AuditStore extends Disposable {
  /**
   * Keeps these rows, in a moment and without waiting for anybody. What is kept survives the death of the process, not
   * that of the machine. Throws `CallboardError` (`internal`) when they can't be kept; some of them may be there all
   * the same.
   */
  append(rows: readonly AuditRow[]): void
  /**
   * Some rows right before a place, or the newest ones; undefined when there are none. Bounded, so that reading
   * everything blocks nobody.
   */
  before(place?: AuditPlace): Promise<AuditPiece | undefined>
  /** Some rows right after a place, or the oldest ones; undefined when there are none yet. */
  after(place?: AuditPlace): Promise<AuditPiece | undefined>
  /** Everything right after a place, or from the oldest row on, as it comes. */
  follow(place?: AuditPlace): AuditFollower
  /** Deletes what is beyond the bounds, from the oldest rows on. What was appended last stays for a day. */
  prune(bounds: AuditBounds): Promise<void>
}

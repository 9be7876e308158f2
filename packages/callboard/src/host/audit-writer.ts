/** Writes the rows of the audit: all that one turn of the event loop has to record goes together. */
import { messageOf } from '../errors.ts'
import type { AuditRow, AuditStore } from '../store/audit-store.ts'

export interface AuditWriterOptions {
  readonly store: Pick<AuditStore, 'append'>
  /** Told when rows can't be kept where they could before, with the reason, and with undefined when they can again. */
  readonly onTrouble: (reason: string | undefined) => void
  /** What those are told whose rows could not be kept; undefined has them go on as if they were. */
  readonly failureOf: (error: unknown) => Error | undefined
}

interface Batch {
  readonly rows: AuditRow[]
  readonly kept: PromiseWithResolvers<void>
}

export class AuditWriter {
  readonly #options: AuditWriterOptions
  #batch: Batch | undefined
  #trouble: string | undefined

  constructor(options: AuditWriterOptions) {
    this.#options = options
  }

  /** Why the last rows could not be kept; undefined where they could. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /**
   * Resolves when the row is kept, so that it survives the death of this process. Where it can't be, what becomes of
   * the promise is for `failureOf` to say, once for all rows that were to be written together.
   */
  write(row: AuditRow): Promise<void> {
    if (this.#batch === undefined) {
      this.#batch = { rows: [], kept: Promise.withResolvers() }
      // Comes after everything that is settled already: the answers that one chunk of a server brought are recorded
      // together.
      process.nextTick(() => this.flush())
    }
    this.#batch.rows.push(row)
    return this.#batch.kept.promise
  }

  /** Writes what waits, without waiting for more. */
  flush(): void {
    const batch = this.#batch
    if (batch === undefined) return
    this.#batch = undefined
    try {
      this.#options.store.append(batch.rows)
      this.#turn(undefined)
      batch.kept.resolve()
    } catch (error) {
      this.#turn(messageOf(error))
      const failure = this.#options.failureOf(error)
      if (failure === undefined) batch.kept.resolve()
      else batch.kept.reject(failure)
    }
  }

  #turn(trouble: string | undefined): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.#options.onTrouble(trouble)
  }
}

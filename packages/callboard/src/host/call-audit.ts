/**
 * The audit of a host: logs, tells and records its calls as the config says, and keeps the rows within their bounds.
 */
import type { AuditConfig } from '../config/config.ts'
import { CallboardError } from '../errors.ts'
import { recordedArguments } from '../invoke/arguments/recorded-arguments.ts'
import type { CallRecord, RecordedCall } from '../invoke/call-record.ts'
import { logCall } from '../invoke/log-call.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import type { AuditRow, AuditStore } from '../store/audit-store.ts'
import { AuditPruning } from './audit-pruning.ts'
import { AuditWriter } from './audit-writer.ts'
import { Listeners } from './listeners.ts'
import { type AuditBatch, type AuditQuery, readAudit } from './read-audit.ts'

export interface CallAuditOptions {
  /** Closed with the audit. */
  readonly store: AuditStore
  /** As it is at this moment. */
  readonly config: () => AuditConfig
  readonly secrets: Secrets
  readonly log: Log
}

export class CallAudit implements AsyncDisposable {
  readonly #options: CallAuditOptions
  readonly #writer: AuditWriter
  readonly #pruning: AuditPruning
  readonly #listeners = new Listeners<[CallRecord]>()

  constructor(options: CallAuditOptions) {
    const { store, config, log } = options
    this.#options = options
    this.#writer = new AuditWriter({
      store,
      onTrouble: (reason) => this.#tell(reason),
      failureOf: (error) => (config().required ? unrecorded(error) : undefined),
    })
    this.#pruning = new AuditPruning({ store, bounds: config, log })
  }

  /** Whether records could not be kept lately, where none may be missing. */
  get isBroken(): boolean {
    return this.#writer.trouble !== undefined && this.#options.config().required
  }

  /** What a person should know of it, one sentence each. */
  reports(): readonly string[] {
    const { trouble } = this.#writer
    return trouble === undefined ? [] : [`calls can't be recorded: ${trouble}`]
  }

  /** Begins to keep the rows within their bounds, which the first record does otherwise. */
  start(): void {
    this.#pruning.start()
  }

  /** Calls `listener` after each call. Returns the way to stop that. */
  onCall(listener: (record: CallRecord) => void): () => void {
    return this.#listeners.add(listener)
  }

  /**
   * Resolves when the record is kept; undefined where none is to be. Rejects with `unavailable` where it must be kept
   * and can't; the reason is in the log, and no business of the caller.
   */
  record(record: CallRecord, call: RecordedCall): Promise<void> | undefined {
    const config = this.#options.config()
    if (record.outcome !== 'started') {
      logCall(this.#options.log, record)
      this.#listeners.tell(record)
    }
    this.#pruning.start()
    return config.keepMs === 0 ? undefined : this.#writer.write(this.#rowOf(record, call, config))
  }

  /** As `readAudit` does. */
  read(query: AuditQuery): AsyncIterable<AuditBatch> {
    return readAudit(this.#options.store, query)
  }

  /** Writes what waits, and closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#writer.flush()
    await this.#pruning[Symbol.asyncDispose]()
    this.#options.store[Symbol.dispose]()
  }

  #rowOf(record: CallRecord, { tool, arguments: args }: RecordedCall, config: AuditConfig): AuditRow {
    const { secrets } = this.#options
    // What a caller writes in place of a name may be anything.
    if (tool === undefined) return { ...record, tool: secrets.redact(record.tool) }
    return config.arguments ? { ...record, arguments: recordedArguments(args, tool, secrets) } : record
  }

  #tell(reason: string | undefined): void {
    const { log } = this.#options
    if (reason === undefined) log.warn('calls can be recorded again')
    else log.error({ reason }, "calls can't be recorded")
  }
}

function unrecorded(error: unknown): CallboardError {
  return new CallboardError(
    'unavailable',
    "the call can't be recorded, and none is run or answered without that; the owner finds the reason with `callboard doctor` and in the log",
    { cause: error },
  )
}

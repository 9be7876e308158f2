/** Keeps the audit within its bounds while there is a host. */
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { AuditStore } from '../store/audit-store.ts'

/** Between two looks at the bounds; a busy host may write some hundred megabytes in this time. */
const EVERY_MS = 60_000

export interface AuditPruningOptions {
  readonly store: Pick<AuditStore, 'prune'>
  /** What may be kept at this moment. */
  readonly bounds: () => { readonly keepMs: number; readonly maxBytes: number }
  readonly log: Log
}

export class AuditPruning implements AsyncDisposable {
  readonly #options: AuditPruningOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(options: AuditPruningOptions) {
    this.#options = options
  }

  /** Looks at the bounds now, and again and again. Harmless when it does already. */
  start(): void {
    if (this.#timer !== undefined) return
    // A process that has nothing else to do must not stay for this.
    this.#timer = setInterval(() => this.#look(), EVERY_MS).unref()
    this.#look()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #look(): void {
    this.#running ??= this.#prune().finally(() => {
      this.#running = undefined
    })
  }

  async #prune(): Promise<void> {
    const { store, bounds, log } = this.#options
    const { keepMs, maxBytes } = bounds()
    try {
      await store.prune({ endedBefore: Date.now() - keepMs, maxBytes })
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the audit was not pruned')
    }
  }
}

/** When a plugin that went down is started again, and when no more. */

/** A plugin that stayed up this long has recovered: its next restart is a quick one again. */
const STEADY_MS = 30_000
/**
 * The nine waits between ten failures take 61 to 72 seconds, besides the starts themselves: long enough for a database
 * that is away for a minute, too short for a broken command to wear out a machine over night.
 */
const GIVE_UP_AFTER = 10
const GROWTH = 2.1
/** Each wait is shorter by up to this part of it, so that plugins that went down together do not come back together. */
const JITTER = 0.15

export interface RestartOptions {
  /** The longest first wait before a restart (100); the waits grow, with jitter, up to `maxDelayMs` (60000). */
  readonly initialDelayMs?: number
  readonly maxDelayMs?: number
  /** After so many failures in a row, with no steady time up between them, a plugin is given up. */
  readonly giveUpAfter?: number
  /** How long a plugin must stay up to have recovered. */
  readonly steadyMs?: number
}

/** The failures of one plugin and what follows from them. */
export class RestartPlan {
  readonly #initialDelayMs: number
  readonly #maxDelayMs: number
  readonly #giveUpAfter: number
  readonly #steadyMs: number
  #waits = 0
  #upSince: number | undefined
  #failures = 0

  constructor({
    initialDelayMs = 100,
    maxDelayMs = 60_000,
    giveUpAfter = GIVE_UP_AFTER,
    steadyMs = STEADY_MS,
  }: RestartOptions) {
    this.#initialDelayMs = initialDelayMs
    this.#maxDelayMs = maxDelayMs
    this.#giveUpAfter = giveUpAfter
    this.#steadyMs = steadyMs
  }

  /** How often in a row it went down or did not start. */
  get failures(): number {
    return this.#failures
  }

  /** Whether that is enough. */
  get isHopeless(): boolean {
    return this.#failures >= this.#giveUpAfter
  }

  /** It has started. */
  wentUp(): void {
    this.#upSince = Date.now()
  }

  /** It went down or did not start, which is its first failure where it had been up for a steady time. */
  wentDown(): void {
    if (this.#upSince !== undefined && Date.now() - this.#upSince >= this.#steadyMs) this.forgive()
    this.#upSince = undefined
    this.#failures += 1
  }

  /** Begins a clean record. */
  forgive(): void {
    this.#waits = 0
    this.#failures = 0
  }

  /** How long to wait before the next try, in milliseconds; longer every time it is asked. */
  nextDelayMs(): number {
    const longest = Math.min(this.#initialDelayMs * GROWTH ** this.#waits, this.#maxDelayMs)
    this.#waits += 1
    return longest * (1 - JITTER * Math.random())
  }
}

/** The config that a host works with, and what became of the one that it was asked to work with last. */
import type { Config } from '../config/config.ts'
import { type ConfigChange, isUnchanged } from '../config/config-change.ts'
import type { Log } from '../log.ts'
import { Listeners } from './listeners.ts'

/** What became of another config, and what the reports of the host say of it until the next one. */
export type Reconfiguration = { readonly reports: readonly string[] } & (
  | { readonly outcome: 'applied'; readonly change: ConfigChange }
  | { readonly outcome: 'refused'; readonly reason: string }
)

export class ConfigInEffect {
  /** The one to go by now; set when the host takes another one over. */
  current: Config
  readonly #log: Log
  readonly #listeners = new Listeners<[Reconfiguration]>()
  #reports: readonly string[] = []

  constructor(config: Config, log: Log) {
    this.current = config
    this.#log = log
  }

  /** What a person should know of the config that was asked for last, one sentence each. */
  get reports(): readonly string[] {
    return this.#reports
  }

  /** Says that the host has taken everything of a config over, also where that was nothing. */
  applied(change: ConfigChange): void {
    if (isUnchanged(change)) this.#log.debug('the config was read again, and nothing changed')
    else this.#log.info(change, 'another config is in effect')
    this.#tell({ outcome: 'applied', change, reports: change.kept })
  }

  /** Says that a config was not taken over; `reason` has a line for each fault. */
  refused(reason: string): void {
    this.#log.error({ reason }, 'a changed config is refused; the one before stays in effect')
    const reports = reason.split('\n').map((fault) => `the changed config is refused: ${fault}`)
    this.#tell({ outcome: 'refused', reason, reports })
  }

  /** Calls `listener` after either. Returns the way to stop that. */
  onChange(listener: (reconfiguration: Reconfiguration) => void): () => void {
    return this.#listeners.add(listener)
  }

  #tell(reconfiguration: Reconfiguration): void {
    this.#reports = reconfiguration.reports
    this.#listeners.tell(reconfiguration)
  }
}

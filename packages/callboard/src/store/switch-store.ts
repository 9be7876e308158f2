/** The port of the switches: which plugins and tools are switched off, whatever the config says of them. */

export type SwitchKind = 'plugin' | 'tool'

/** One plugin or tool that is switched off; it need not be there. */
export interface SwitchedOff {
  readonly kind: SwitchKind
  /** The id of the plugin, or the namespaced name of the tool. */
  readonly name: string
  /** The public name that the tool had, by which a person may know it still. */
  readonly publicName?: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface SwitchStore {
  /** Everything that is switched off, by name. */
  all(): readonly SwitchedOff[]
  /** Switching off again keeps the first time. */
  switchOff(what: SwitchedOff): void
  /** Harmless for what is not switched off. */
  switchOn(kind: SwitchKind, name: string): void
  /** Whether another process may have changed something since this was last asked; costs next to nothing. */
  changedElsewhere(): boolean
}

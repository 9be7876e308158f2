/** One plugin as a person sees it. */
import type { PluginHealth, PluginKind, PluginState } from '../plugins/plugin.ts'

/** The state of one plugin, since when it has it, and why it is not up. */
export interface PluginStatus extends Omit<PluginHealth, 'state'> {
  readonly id: string
  readonly kind: PluginKind
  /** `disabled`: switched off, in the config or since. */
  readonly state: PluginState | 'disabled'
  /** How many tools it has in the catalogue. */
  readonly tools: number
  /** How long its last start took until it was up or had failed, in milliseconds. */
  readonly startMs?: number
}

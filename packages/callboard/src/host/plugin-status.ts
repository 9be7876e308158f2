/** One plugin as a person sees it. */
import type { PluginHealth, PluginKind } from '../plugins/plugin.ts'

export interface PluginStatus extends PluginHealth {
  readonly id: string
  readonly kind: PluginKind
  /** How many tools it has in the catalogue. */
  readonly tools: number
}

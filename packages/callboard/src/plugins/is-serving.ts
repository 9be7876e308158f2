/** Tells the states in which a plugin takes calls from the others. */
import type { PluginState } from './plugin.ts'

/** Whether calls can be made. */
export function isServing(state: PluginState | 'disabled'): state is 'up' | 'degraded' {
  return state === 'up' || state === 'degraded'
}

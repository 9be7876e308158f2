/** The state of a plugin and those who want to know of it. */
import { CallboardError } from '../../errors.ts'
import type { PluginHealth, PluginState } from '../plugin.ts'

export class RunState {
  readonly #pluginId: string
  readonly #listeners = new Set<() => void>()
  #health: PluginHealth = { state: 'stopped', since: Date.now(), reason: 'not started yet' }

  constructor(pluginId: string) {
    this.#pluginId = pluginId
  }

  get health(): PluginHealth {
    return this.#health
  }

  /** Takes on a state and tells everybody. */
  enter(state: PluginState, reason?: string): void {
    this.#health = { state, since: Date.now(), ...(reason !== undefined && { reason }) }
    this.tell()
  }

  /** Tells everybody that something changed. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  onChange(listener: () => void): () => void {
    // A wrapper each, so that one function given twice is called twice and taken back once.
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** The answer to a call that comes while the plugin is not up: the state, since when, and why. */
  notUp(): CallboardError {
    const { state, since, reason } = this.#health
    const why = reason === undefined ? '' : `: ${reason}`
    const when = new Date(since).toISOString()
    return new CallboardError('unavailable', `plugin "${this.#pluginId}" is ${state} since ${when}${why}`)
  }
}

/** Starts plugins side by side, each with its own deadline from when it begins, and starts them again after they went down. */
import { CallboardError } from '../errors.ts'
import type { Plugin } from './plugin.ts'
import { StartTurns } from './start-turns.ts'
import { SupervisedPlugin, type SupervisedPluginOptions } from './supervised-plugin.ts'

export type SupervisorOptions = Omit<SupervisedPluginOptions, 'turns' | 'after'>

/** Owns the running of plugins: whoever adds one here leaves its start, restart and end to the supervisor. */
export class Supervisor implements AsyncDisposable {
  readonly #plugins = new Map<string, SupervisedPlugin>()
  readonly #turns = new StartTurns()
  readonly #options: SupervisorOptions

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Takes a plugin over; `start` starts it, once `after` has resolved, which it does when the plugin before it has ended. */
  add(plugin: Plugin, startTimeoutMs: number, after?: Promise<void>): void {
    if (this.#plugins.has(plugin.id))
      throw new CallboardError('internal', `plugin "${plugin.id}" is supervised already`)
    const options = { ...this.#options, turns: this.#turns, after }
    this.#plugins.set(plugin.id, new SupervisedPlugin(plugin, startTimeoutMs, options))
  }

  /**
   * Starts these plugins, or all, side by side. Resolves when each has started or failed its first attempt; one broken plugin
   * is no reason to keep the others from serving. Those that run already are left alone. Throws `not_found` for a plugin that
   * is not there.
   */
  async start(pluginIds: readonly string[] = [...this.#plugins.keys()]): Promise<void> {
    await Promise.all(pluginIds.map(async (id) => this.#plugin(id, 'start').start()))
  }

  /**
   * Ends the plugin, whatever it is doing, and starts it anew with a clean record of failures. Its calls in flight fail at
   * once; those that come meanwhile wait as for a first start. Resolves when it has started or failed its first attempt.
   * Asking twice is asking once. Throws `not_found` for a plugin that is not there.
   */
  async restart(pluginId: string): Promise<void> {
    await this.#plugin(pluginId, 'restart').restart()
  }

  /** How long the plugin's last start took until it was up or had failed, in milliseconds; undefined before its end. */
  startMsOf(pluginId: string): number | undefined {
    return this.#plugins.get(pluginId)?.startMs
  }

  /**
   * The first attempt to start the plugin, or the restart that was asked for, while it runs: what is known to be coming is
   * worth a wait. Never rejects.
   */
  firstStartOf(pluginId: string): Promise<void> | undefined {
    return this.#plugins.get(pluginId)?.firstStart
  }

  /** Whether the plugin is about to be started, as soon as it has its turn. */
  isToStart(pluginId: string): boolean {
    return this.#plugins.get(pluginId)?.isToStart === true
  }

  /**
   * The first attempts and restarts, for as long as a start usually takes, of all plugins of which no tool is known yet;
   * undefined when there are none.
   */
  unknownStarts(): Promise<unknown> | undefined {
    const starts = [...this.#plugins.values()].flatMap(({ unknownStart }) => unknownStart ?? [])
    return starts.length === 0 ? undefined : Promise.all(starts)
  }

  /** Gives a plugin another deadline for its starts from now on. Harmless when it is not there. */
  setStartTimeout(pluginId: string, startTimeoutMs: number): void {
    const supervised = this.#plugins.get(pluginId)
    if (supervised !== undefined) supervised.startTimeoutMs = startTimeoutMs
  }

  /**
   * Forgets a plugin at once, so that nothing starts it any more, and ends it when `idle` has resolved. Resolves when nothing
   * of it is left. Harmless when it is not there.
   */
  async remove(pluginId: string, idle?: Promise<void>): Promise<void> {
    const supervised = this.#plugins.get(pluginId)
    this.#plugins.delete(pluginId)
    await supervised?.end(idle)
  }

  /** Ends every plugin. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#plugins.keys()].map((id) => this.remove(id)))
  }

  #plugin(id: string, what: string): SupervisedPlugin {
    const supervised = this.#plugins.get(id)
    if (supervised === undefined) throw new CallboardError('not_found', `no plugin "${id}" to ${what}`)
    return supervised
  }
}

/** The state of a plugin, the run from its start to its end, and those who want to know of it. */
import { CallboardError } from '../errors.ts'
import { isServing } from './is-serving.ts'
import type { PluginHealth, PluginState } from './plugin.ts'

export class RunState {
  readonly #pluginId: string
  readonly #listeners = new Set<() => void>()
  /** Since when, and why, it is not up although it should be; kept while it is started again. */
  #trouble: { readonly since: number; readonly reason: string | undefined } | undefined
  #health: PluginHealth = { state: 'stopped', since: Date.now(), reason: 'not started yet' }
  /** A new one for every start. */
  #run = new AbortController()
  #starting: Promise<void> | undefined

  constructor(pluginId: string) {
    this.#pluginId = pluginId
  }

  get health(): PluginHealth {
    return this.#health
  }

  /**
   * Takes on a state and tells everybody. While it is started again, the reason is still that for which it went down.
   */
  enter(state: PluginState, given?: string): void {
    const since = Date.now()
    const reason = state === 'starting' ? this.#trouble?.reason : given
    this.#health = { state, since, ...(reason !== undefined && { reason }) }
    if (isServing(state) || state === 'stopped') this.#trouble = undefined
    else if (state !== 'starting') this.#trouble = { since: this.#trouble?.since ?? since, reason }
    this.tell()
  }

  /** Aborted when the run that was started last is to end. */
  get ending(): AbortSignal {
    return this.#run.signal
  }

  /**
   * Takes on `starting` and does what `begin` does, whose signal is aborted when the given one is or the run is to end.
   * Throws `internal` for a plugin that serves or starts already.
   */
  async start(begin: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { state } = this.#health
    if (isServing(state) || state === 'starting')
      throw new CallboardError('internal', `plugin "${this.#pluginId}" is ${state} already`)
    this.enter('starting')
    this.#run = new AbortController()
    this.#starting = begin(AbortSignal.any([signal, this.#run.signal])).finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  /** Has the run end, and a start that is under way with it; everybody who asks why is told `reason`. */
  end(reason: CallboardError): void {
    this.#run.abort(reason)
  }

  /** Ends the run, lets go of what it has, and takes on `stopped`. Harmless for a plugin that has none. */
  async stop(release: () => Promise<void>): Promise<void> {
    this.end(new CallboardError('cancelled', `plugin "${this.#pluginId}" was stopped`))
    // Its failure is its starter's to handle.
    await this.#starting?.catch(() => {})
    await release()
    if (this.#health.state !== 'stopped') this.enter('stopped')
  }

  /** Says what there is to know of the state that it is in, and tells everybody; nothing when that is over. */
  explain(reason: string | undefined): void {
    const { state, since } = this.#health
    this.#health = { state, since, ...(reason !== undefined && { reason }) }
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
    const { state } = this.#health
    const { since, reason } = this.#trouble ?? this.#health
    const isAgain = state === 'starting' && this.#trouble !== undefined
    const what = `plugin "${this.#pluginId}" is ${isAgain ? 'down' : state} since ${new Date(since).toISOString()}`
    const why = reason === undefined ? '' : `: ${reason}`
    return new CallboardError('unavailable', `${what}${why}${isAgain ? '; it is being started again' : ''}`)
  }
}

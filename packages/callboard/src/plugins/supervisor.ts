/** Starts plugins side by side, each with its own deadline from when it begins, and starts them again after they went down. */
import { setTimeout as delay } from 'node:timers/promises'
import { CallboardError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { isServing } from './is-serving.ts'
import type { Plugin, PluginHost } from './plugin.ts'
import { type RestartOptions, RestartPlan } from './restart-plan.ts'
import { StartTurns } from './start-turns.ts'

/** Who takes longer to start than this is not waited for when a tool is not there. */
const USUAL_START_MS = 5_000
export interface SupervisorOptions extends RestartOptions {
  readonly hostOf: (plugin: Plugin) => PluginHost
  readonly log: Log
}

interface Entry {
  readonly plugin: Plugin
  readonly after: Promise<void> | undefined
  readonly ended: AbortController
  startTimeoutMs: number
  unsubscribe: () => void
  readonly plan: RestartPlan
  attempt: Promise<void> | undefined
  /** When `attempt` began, on the clock of `performance.now()`. */
  attemptedAt: number
  /** How long the last attempt took that came to its end. */
  startMs: number | undefined
  /** Aborted to give up `attempt` alone. */
  attempting: AbortController
  /** The restart that somebody asked for, while it runs. */
  restart: Promise<void> | undefined
  /** Whether `attempt` is the first one ever. */
  isFirst: boolean
  timer: NodeJS.Timeout | undefined
}

/** Owns the running of plugins: whoever adds one here leaves its start, restart and end to the supervisor. */
export class Supervisor implements AsyncDisposable {
  readonly #entries = new Map<string, Entry>()
  readonly #turns = new StartTurns()
  readonly #options: SupervisorOptions

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Takes a plugin over; `start` starts it, once `after` has resolved, which it does when the plugin before it has ended. */
  add(plugin: Plugin, startTimeoutMs: number, after?: Promise<void>): void {
    if (this.#entries.has(plugin.id))
      throw new CallboardError('internal', `plugin "${plugin.id}" is supervised already`)
    this.#entries.set(plugin.id, {
      plugin,
      startTimeoutMs,
      after,
      ended: new AbortController(),
      unsubscribe: () => {},
      plan: new RestartPlan(this.#options),
      attempt: undefined,
      attemptedAt: 0,
      startMs: undefined,
      attempting: new AbortController(),
      restart: undefined,
      isFirst: true,
      timer: undefined,
    })
  }

  /**
   * Starts these plugins, or all, side by side. Resolves when each has started or failed its first attempt; never rejects,
   * since one broken plugin is no reason to keep the others from serving. Those that run already are left alone.
   */
  async start(pluginIds: readonly string[] = [...this.#entries.keys()]): Promise<void> {
    await Promise.all(pluginIds.map((id) => this.#startEntry(id)))
  }

  /**
   * Ends the plugin, whatever it is doing, and starts it anew with a clean record of failures. Its calls in flight fail at
   * once; those that come meanwhile wait as for a first start. Resolves when it has started or failed its first attempt.
   * Asking twice is asking once. Throws `not_found` for a plugin that is not there.
   */
  async restart(pluginId: string): Promise<void> {
    const entry = this.#entries.get(pluginId)
    if (entry === undefined) throw new CallboardError('not_found', `no plugin "${pluginId}" to restart`)
    entry.restart ??= this.#restart(entry).finally(() => {
      entry.restart = undefined
      this.#restartIfDown(entry)
    })
    await entry.restart
  }

  /** How long the plugin's last start took until it was up or had failed, in milliseconds; undefined before its end. */
  startMsOf(pluginId: string): number | undefined {
    return this.#entries.get(pluginId)?.startMs
  }

  /**
   * The first attempt to start the plugin, or the restart that was asked for, while it runs: what is known to be coming is
   * worth a wait. Never rejects.
   */
  firstStartOf(pluginId: string): Promise<void> | undefined {
    const entry = this.#entries.get(pluginId)
    return entry?.restart ?? (entry?.isFirst === true ? entry.attempt : undefined)
  }

  /**
   * The first attempts, for as long as a start usually takes, of all plugins of which no tool is known yet; undefined when
   * there are none.
   */
  unknownStarts(): Promise<unknown> | undefined {
    const starts = [...this.#entries.values()].flatMap(({ isFirst, attempt, attemptedAt, plugin }) => {
      const patience = attemptedAt + USUAL_START_MS - performance.now()
      if (!isFirst || attempt === undefined || plugin.tools.length > 0 || patience <= 0) return []
      return [Promise.race([attempt, delay(patience, undefined, { ref: false })])]
    })
    return starts.length === 0 ? undefined : Promise.all(starts)
  }

  /** Gives a plugin another deadline for its starts from now on. Harmless when it is not there. */
  setStartTimeout(pluginId: string, startTimeoutMs: number): void {
    const entry = this.#entries.get(pluginId)
    if (entry !== undefined) entry.startTimeoutMs = startTimeoutMs
  }

  /**
   * Forgets a plugin at once, so that nothing starts it any more, and ends it when `idle` has resolved. Resolves when nothing
   * of it is left. Harmless when it is not there.
   */
  async remove(pluginId: string, idle?: Promise<void>): Promise<void> {
    const entry = this.#entries.get(pluginId)
    if (entry === undefined) return
    this.#entries.delete(pluginId)
    entry.unsubscribe()
    clearTimeout(entry.timer)
    entry.ended.abort(new CallboardError('cancelled', `plugin "${pluginId}" is being stopped`))
    await (entry.restart ?? entry.attempt)
    await idle
    await entry.plugin.stop()
  }

  /** Ends every plugin. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.remove(id)))
  }

  async #startEntry(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined) throw new CallboardError('not_found', `no plugin "${id}" to start`)
    if (entry.restart !== undefined) return entry.restart
    if (entry.attempt !== undefined) return entry.attempt
    if (isServing(entry.plugin.health().state)) return
    this.#watch(entry)
    await this.#attempt(entry)
  }

  #watch(entry: Entry): void {
    entry.unsubscribe()
    entry.unsubscribe = entry.plugin.onChange(() => this.#restartIfDown(entry))
  }

  /** Never rejects: what a plugin says when it is stopped is its own trouble, and it is started all the same. */
  async #restart(entry: Entry): Promise<void> {
    const { plugin } = entry
    clearTimeout(entry.timer)
    entry.timer = undefined
    entry.attempting.abort(new CallboardError('cancelled', `plugin "${plugin.id}" is being restarted`))
    await entry.attempt
    try {
      await plugin.stop()
    } catch (error) {
      this.#options.log.warn({ plugin: plugin.id, reason: messageOf(error) }, 'plugin was not stopped cleanly')
    }
    if (entry.ended.signal.aborted) return
    entry.plan.forgive()
    this.#watch(entry)
    await this.#attempt(entry)
  }

  #attempt(entry: Entry): Promise<void> {
    clearTimeout(entry.timer)
    entry.timer = undefined
    entry.attemptedAt = performance.now()
    entry.attempt = this.#startOnce(entry).finally(() => {
      entry.attempt = undefined
      entry.isFirst = false
      this.#restartIfDown(entry)
    })
    return entry.attempt
  }

  async #startOnce(entry: Entry): Promise<void> {
    const attempting = new AbortController()
    entry.attempting = attempting
    await entry.after
    await this.#turns.run(() => this.#startNow(entry, attempting))
  }

  /** Does nothing when it was given up before its turn. */
  async #startNow(entry: Entry, attempting: AbortController): Promise<void> {
    const { plugin, ended, startTimeoutMs } = entry
    const signal = AbortSignal.any([attempting.signal, ended.signal])
    if (signal.aborted) return
    const timer = setTimeout(
      () => attempting.abort(new CallboardError('timeout', `not started within ${startTimeoutMs} ms`)),
      startTimeoutMs,
    )
    const began = performance.now()
    try {
      await plugin.start(this.#options.hostOf(plugin), signal)
      entry.plan.wentUp()
    } catch (error) {
      if (!ended.signal.aborted)
        this.#options.log.info({ plugin: plugin.id, reason: messageOf(error) }, 'plugin did not start')
    } finally {
      clearTimeout(timer)
      entry.startMs = Math.round(performance.now() - began)
    }
  }

  #restartIfDown(entry: Entry): void {
    if (entry.ended.signal.aborted || entry.attempt !== undefined || entry.timer !== undefined) return
    // Whoever asked for a restart does it at once.
    if (entry.restart !== undefined) return
    const { state, reason } = entry.plugin.health()
    if (state !== 'down') return
    entry.plan.wentDown()
    if (entry.plan.isHopeless && entry.plugin.giveUp !== undefined) this.#giveUp(entry, reason)
    else this.#tryLater(entry, reason)
  }

  #tryLater(entry: Entry, reason: string | undefined): void {
    const delay = entry.plan.nextDelayMs()
    this.#options.log.info({ plugin: entry.plugin.id, reason, restartInMs: Math.round(delay) }, 'plugin is down')
    entry.timer = setTimeout(() => void this.#attempt(entry), delay)
  }

  /** Whoever starts it again starts with a clean record. */
  #giveUp(entry: Entry, reason = 'it gave no reason'): void {
    const { plugin, plan } = entry
    const { failures } = plan
    plan.forgive()
    this.#options.log.warn({ plugin: plugin.id, reason, failures }, 'plugin is given up')
    plugin.giveUp?.(
      `given up after ${failures} failures in a row, the last: ${reason}; when it is mended, start it with \`callboard plugins restart ${plugin.id}\``,
    )
  }
}

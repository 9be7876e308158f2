/** The running of one plugin: its starts, each with a deadline, those after it went down, its restarts and its end. */
import { setTimeout as delay } from 'node:timers/promises'
import { CallboardError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { isServing } from './is-serving.ts'
import type { Plugin, PluginHost } from './plugin.ts'
import { type RestartOptions, RestartPlan } from './restart-plan.ts'
import type { StartTurns } from './start-turns.ts'

/** Who takes longer to start than this is not waited for when a tool is not there. */
const USUAL_START_MS = 5_000

export interface SupervisedPluginOptions extends RestartOptions {
  readonly hostOf: (plugin: Plugin) => PluginHost
  readonly log: Log
  /** In which starts begin that run a process. */
  readonly turns: StartTurns
  /** The end of the plugin before, which has the same id. */
  readonly after: Promise<void> | undefined
}

/** When an attempt to start began, on the clock of `performance.now()`: not before it had its turn. */
class Beginning {
  at: number | undefined
  readonly #begun = Promise.withResolvers<void>()

  begin(): void {
    this.at = performance.now()
    this.#begun.resolve()
  }

  /** Resolves when a start usually is over that began then; undefined when that is so already. */
  usualEnd(): Promise<void> | undefined {
    const leftMs = (): number => (this.at ?? performance.now()) + USUAL_START_MS - performance.now()
    if (leftMs() <= 0) return undefined
    return this.#begun.promise.then(() => delay(Math.max(0, leftMs()), undefined, { ref: false }))
  }
}

export class SupervisedPlugin {
  readonly plugin: Plugin
  /** From when a start begins. */
  startTimeoutMs: number
  readonly #options: SupervisedPluginOptions
  readonly #plan: RestartPlan
  readonly #ended = new AbortController()
  #unsubscribe = (): void => {}
  #attempt: Promise<void> | undefined
  /** Aborted to give up `#attempt` alone. */
  #attempting = new AbortController()
  #beginning = new Beginning()
  #isFirst = true
  /** The restart that somebody asked for, while it runs. */
  #restarting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #startMs: number | undefined

  constructor(plugin: Plugin, startTimeoutMs: number, options: SupervisedPluginOptions) {
    this.plugin = plugin
    this.startTimeoutMs = startTimeoutMs
    this.#options = options
    this.#plan = new RestartPlan(options)
  }

  /** How long the last attempt took that came to its end, in milliseconds. */
  get startMs(): number | undefined {
    return this.#startMs
  }

  /** Whether it is about to be started, as soon as it has its turn. */
  get isToStart(): boolean {
    return this.#attempt !== undefined && this.#beginning.at === undefined
  }

  /** The first attempt, or the restart that was asked for, while it runs. Never rejects. */
  get firstStart(): Promise<void> | undefined {
    const start = this.#restarting ?? (this.#isFirst ? this.#attempt : undefined)
    // An attempt that is given up for a restart is not the one to wait for.
    return start?.then(() => this.#restarting)
  }

  /** The first attempt or restart, for as long as a start usually takes, where no tool is known yet. */
  get unknownStart(): Promise<void> | undefined {
    const start = this.plugin.tools.length > 0 ? undefined : this.firstStart
    const usualEnd = start && this.#beginning.usualEnd()
    return usualEnd && Promise.race([start, usualEnd])
  }

  /** Resolves when it has started or failed its first attempt; one that runs already is left alone. Never rejects. */
  async start(): Promise<void> {
    if (this.#restarting === undefined && this.#attempt === undefined) {
      if (isServing(this.plugin.health().state)) return
      this.#watch()
      void this.#try()
    }
    await this.#attempt
    // In whose place the attempt may have been given up.
    await this.#restarting
  }

  /** Ends it, whatever it is doing, and starts it anew with a clean record of failures. Asking twice is asking once. Never rejects. */
  async restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined
      this.#restartIfDown()
    })
    await this.#restarting
  }

  /** Starts it no more, and ends it when `idle` has resolved. Resolves when nothing of it is left. */
  async end(idle: Promise<void> | undefined): Promise<void> {
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#ended.abort(new CallboardError('cancelled', `plugin "${this.plugin.id}" is being stopped`))
    await (this.#restarting ?? this.#attempt)
    await idle
    await this.plugin.stop()
  }

  #watch(): void {
    this.#unsubscribe()
    this.#unsubscribe = this.plugin.onChange(() => this.#restartIfDown())
  }

  /** What a plugin says when it is stopped is its own trouble, and it is started all the same. */
  async #restart(): Promise<void> {
    const { plugin } = this
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#beginning = new Beginning()
    this.#attempting.abort(new CallboardError('cancelled', `plugin "${plugin.id}" is being restarted`))
    await this.#attempt
    try {
      await plugin.stop()
    } catch (error) {
      this.#options.log.warn({ plugin: plugin.id, reason: messageOf(error) }, 'plugin was not stopped cleanly')
    }
    if (this.#ended.signal.aborted) return
    this.#plan.forgive()
    this.#watch()
    await this.#try()
  }

  #try(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#beginning.at !== undefined) this.#beginning = new Beginning()
    this.#attempting = new AbortController()
    this.#attempt = this.#startOnce(this.#attempting).finally(() => {
      this.#attempt = undefined
      this.#isFirst = false
      this.#restartIfDown()
    })
    return this.#attempt
  }

  async #startOnce(attempting: AbortController): Promise<void> {
    const { after, turns } = this.#options
    await after
    await this.plugin.released
    const signal = AbortSignal.any([attempting.signal, this.#ended.signal])
    const start = (): Promise<void> => this.#startNow(attempting, signal)
    if (this.plugin.isProcess === true) await turns.run(start, signal)
    else await start()
  }

  /** Does nothing when it was given up before its turn. */
  async #startNow(attempting: AbortController, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { plugin, startTimeoutMs } = this
    const { hostOf, log } = this.#options
    const timer = setTimeout(
      () => attempting.abort(new CallboardError('timeout', `not started within ${startTimeoutMs} ms`)),
      startTimeoutMs,
    )
    this.#beginning.begin()
    const began = performance.now()
    try {
      await plugin.start(hostOf(plugin), signal)
      this.#plan.wentUp()
    } catch (error) {
      if (!this.#ended.signal.aborted) log.info({ plugin: plugin.id, reason: messageOf(error) }, 'plugin did not start')
    } finally {
      clearTimeout(timer)
      this.#startMs = Math.round(performance.now() - began)
    }
  }

  #restartIfDown(): void {
    if (this.#ended.signal.aborted || this.#attempt !== undefined || this.#timer !== undefined) return
    // Whoever asked for a restart does it at once.
    if (this.#restarting !== undefined) return
    const { state, reason } = this.plugin.health()
    if (state !== 'down') return
    this.#plan.wentDown()
    if (this.#plan.isHopeless && this.plugin.giveUp !== undefined) this.#giveUp(reason)
    else this.#tryLater(reason)
  }

  #tryLater(reason: string | undefined): void {
    const waitMs = this.#plan.nextDelayMs()
    this.#options.log.info({ plugin: this.plugin.id, reason, restartInMs: Math.round(waitMs) }, 'plugin is down')
    this.#timer = setTimeout(() => void this.#try(), waitMs)
  }

  /** Whoever starts it again starts with a clean record. */
  #giveUp(reason = 'it gave no reason'): void {
    const { plugin } = this
    const { failures } = this.#plan
    this.#plan.forgive()
    this.#options.log.warn({ plugin: plugin.id, reason, failures }, 'plugin is given up')
    plugin.giveUp?.(
      `given up after ${failures} failures in a row, the last: ${reason}; when it is mended, start it with \`callboard plugins restart ${plugin.id}\``,
    )
  }
}

/** The plugin of kind `external`: a process in any language behind a link, started here or running elsewhere. */
import { createHash } from 'node:crypto'
import type { ToolDefinition } from '@callboard/sdk'
import type { ExternalTarget } from '../../config/config.ts'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { ToolListStore } from '../../store/store.ts'
import { Coalesced } from '../coalesced.ts'
import { KnownTools } from '../known-tools.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { RunState } from '../run-state.ts'
import { HealthWatch } from './health-watch.ts'
import type { PluginRunOptions } from './opening.ts'
import type { PluginRun } from './plugin-run.ts'

export interface ExternalPluginOptions extends PluginRunOptions {
  readonly store: ToolListStore
  /** How often it is asked how it is, in milliseconds (30000). */
  readonly healthMs?: number
}

/** How long one reading of the list may take while the plugin is up. */
const SYNC_MS = 30_000
const QUIET_MS = 100
const SYNC_AGAIN_MS = 30_000
/** How much of what it says of its health is kept, in characters: it is shown in every list of plugins. */
const MAX_TROUBLE = 1_000

/**
 * Makes the plugin; `start` starts or dials it. Until then, and while it is down, it has the tools that the store
 * knows.
 */
export function createExternalPlugin(options: ExternalPluginOptions): Plugin {
  return new ExternalPlugin(options)
}

/** A run that is up. */
interface Up {
  readonly run: PluginRun
  readonly health: HealthWatch
}

class ExternalPlugin implements Plugin {
  readonly kind = 'external'
  readonly id: string
  readonly isProcess: boolean
  readonly giveUp?: (reason: string) => void
  readonly #options: ExternalPluginOptions
  readonly #log: Log
  readonly #known: KnownTools
  readonly #sync: Coalesced
  readonly #state: RunState
  #up: Up | undefined
  /** The end of the run before, which a new start waits for. */
  #ended: Promise<void> = Promise.resolve()

  constructor(options: ExternalPluginOptions) {
    const { id, store, target } = options
    this.id = id
    this.#log = options.log.child({ plugin: id })
    this.#options = { ...options, log: this.#log }
    this.#state = new RunState(id)
    this.#known = new KnownTools({ pluginId: id, fingerprint: fingerprintOf(target), store, log: this.#log })
    this.#sync = new Coalesced(() => this.#syncAgain(), QUIET_MS)
    this.isProcess = target.kind === 'process'
    // One elsewhere costs no process to try again, and comes back without anybody here having done something.
    if (this.isProcess) this.giveUp = (reason) => this.#state.enter('failed', reason)
  }

  get tools(): readonly ToolDefinition[] {
    return this.#known.tools
  }

  get reports(): readonly string[] {
    return this.#known.reports
  }

  get released(): Promise<void> {
    return this.#ended
  }

  health(): PluginHealth {
    return this.#state.health
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }

  start(host: PluginHost, signal: AbortSignal): Promise<void> {
    return this.#state.start((either) => this.#start(host, either), signal)
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const up = this.#up
    if (up === undefined) throw this.#state.notUp()
    try {
      return await up.run.call(call)
    } catch (error) {
      throw this.#inWords(error, call)
    }
  }

  async relay(method: string, params: unknown, context: ToolCall): Promise<unknown> {
    const peer = this.#up?.run.peer
    if (peer === undefined) throw this.#state.notUp()
    if (peer.relay === undefined)
      throw new CallboardError('not_found', `plugin "${this.id}" does not serve "${method}"; it has tools alone`)
    return await peer.relay(method, params, context.signal)
  }

  stop(): Promise<void> {
    return this.#state.stop(() => this.#release())
  }

  async #start(host: PluginHost, signal: AbortSignal): Promise<void> {
    let run: PluginRun | undefined
    let ended: string | undefined
    try {
      await this.#ended
      signal.throwIfAborted()
      const onEnd = (reason: string): void => {
        ended = reason
        if (run !== undefined && this.#up?.run === run) this.#goDown(reason)
      }
      // Links and certificates take time to load, which a host without a running plugin of this kind need not spend.
      const { PluginRun } = await import('./plugin-run.ts')
      const onToolsChanged = (): void => this.#sync.request()
      run = await PluginRun.open(this.#options, { host, onEnd, onToolsChanged, knownTools: this.tools }, signal)
      await this.#readTools(run, signal)
      if (ended !== undefined) throw new CallboardError('unavailable', ended)
      this.#goUp(run)
    } catch (error) {
      await run?.stop()
      const reason = this.#redact(ended ?? messageOf(error))
      // After a stop the state is the stopper's to set.
      if (!this.#state.ending.aborted) this.#state.enter('down', reason)
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${reason}`, { cause: error })
    }
  }

  #goUp(run: PluginRun): void {
    this.#state.enter('up')
    const onHealth = (trouble: string | undefined): void => this.#takeHealth(trouble)
    const health = new HealthWatch({ peer: run.peer, log: this.#log, onHealth, everyMs: this.#options.healthMs })
    this.#up = { run, health }
  }

  #takeHealth(trouble: string | undefined): void {
    const { state, reason } = this.#state.health
    const words = trouble && this.#options.secrets.excerpt(trouble, MAX_TROUBLE)
    if (words === undefined ? state === 'degraded' : state === 'up' || reason !== words)
      this.#state.enter(words === undefined ? 'up' : 'degraded', words)
  }

  /** Answers whether anything changed. */
  async #readTools({ peer }: PluginRun, signal: AbortSignal): Promise<boolean> {
    const { tools, reports } = await peer.listTools(signal)
    const ofPlugin = reports.map((report) => `plugin "${this.id}": ${report}`)
    return await this.#known.take({ tools, reports: ofPlugin }, { signal, onStep: () => this.#state.tell() })
  }

  /** Reads the list again. Never rejects; what went wrong is reported. */
  async #syncAgain(): Promise<void> {
    const up = this.#up
    if (up === undefined) return
    try {
      const soon = AbortSignal.any([this.#state.ending, AbortSignal.timeout(SYNC_MS)])
      if (await this.#readTools(up.run, soon)) this.#state.tell()
    } catch (error) {
      if (this.#up !== up) return
      if (this.#known.failed(this.#redact(messageOf(error)))) this.#state.tell()
      this.#sync.request(SYNC_AGAIN_MS)
    }
  }

  #goDown(reason: string): void {
    this.#state.end(new CallboardError('unavailable', reason))
    void this.#release()
    this.#state.enter('down', this.#redact(reason))
  }

  /** Lets go of the run; resolves when nothing of it is left. */
  #release(): Promise<void> {
    this.#sync.stop()
    const up = this.#up
    this.#up = undefined
    if (up === undefined) return this.#ended.then(() => this.#known.written)
    up.health.stop()
    const stopped = up.run.stop().catch((error: unknown) => {
      this.#log.error({ reason: messageOf(error) }, 'the plugin was not ended cleanly')
    })
    this.#ended = Promise.all([this.#ended, stopped]).then(() => {})
    return this.#ended.then(() => this.#known.written)
  }

  #inWords(error: unknown, { signal, definition }: ToolCall): CallboardError {
    const what = `the call of ${JSON.stringify(definition.name)}`
    if (signal.reason instanceof CallboardError) return signal.reason
    if (signal.aborted) return new CallboardError('cancelled', `${what} was cancelled`, { cause: error })
    if (error instanceof CallboardError)
      return new CallboardError(error.code, this.#redact(error.message), { cause: error })
    return new CallboardError('internal', `${what} failed in the host: ${messageOf(error)}`, { cause: error })
  }

  #redact(text: string): string {
    return this.#options.secrets.redact(text)
  }
}

/** Tells one way of reaching a plugin from another, without giving its secrets away. */
function fingerprintOf(target: ExternalTarget): string {
  const parts =
    target.kind === 'process'
      ? [
          ...[target.command, target.args, Object.entries(target.env).sort(([a], [b]) => (a < b ? -1 : 1)), target.cwd],
          ...(target.orchestra === undefined ? [] : ['orchestra']),
        ]
      : [target.address]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

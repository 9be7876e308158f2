/** One run of an external plugin: from its start, or from the dialling of one that runs elsewhere, to its end. */
import type { ToolDefinition } from '@callboard/sdk'
import { LinkError } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../errors.ts'
import type { PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import type { ExternalPeer } from './external-peer.ts'
import { NamedCalls } from './named-calls.ts'
import { openCallboard } from './open-callboard.ts'
import type { PluginRunOptions } from './opening.ts'
import { interrupted } from './plugin-peer.ts'
import type { PluginProcess } from './plugin-process.ts'
import { RunParts } from './run-parts.ts'

/** How long a plugin may take to end its calls when it is asked to end. */
const SHUTDOWN_SECONDS = 2

/** What the run tells whoever opened it. */
export interface RunEvents {
  readonly host: PluginHost
  readonly onToolsChanged: () => void
  /** What the plugin listed when it ran last. */
  readonly knownTools: readonly ToolDefinition[]
  /** It ended without being asked to, for this reason; once, and whoever hears it calls `stop`. */
  readonly onEnd: (reason: string) => void
}

interface Greeted extends Pick<RunEvents, 'onEnd'> {
  readonly id: string
  readonly parts: RunParts
  readonly peer: ExternalPeer
  readonly calls: NamedCalls
}

export class PluginRun {
  readonly peer: ExternalPeer
  readonly #id: string
  readonly #parts: RunParts
  readonly #calls: NamedCalls
  readonly #onEnd: (reason: string) => void
  #hasEnded = false

  private constructor({ id, parts, peer, calls, onEnd }: Greeted) {
    this.#id = id
    this.#parts = parts
    this.peer = peer
    this.#calls = calls
    this.#onEnd = onEnd
  }

  /** Resolves when the plugin has answered the first message. Rejects with the reason, and nothing is left then. */
  static async open(options: PluginRunOptions, events: RunEvents, signal: AbortSignal): Promise<PluginRun> {
    const { id, target } = options
    const { onEnd } = events
    const [parts, calls] = [new RunParts(), new NamedCalls()]
    try {
      const isOrchestra = target.kind === 'process' && target.orchestra !== undefined
      const open = isOrchestra ? (await import('./orchestra/open-orchestra.ts')).openOrchestra : openCallboard
      const { peer, ended } = await open({ ...options, ...events, parts, calls }, signal)
      const run = new PluginRun({ id, parts, peer, calls, onEnd })
      run.#follow(ended)
      return run
    } catch (error) {
      const gone = isOfLink(error) && (await parts.lastWords())
      await parts.release('it did not start')
      throw gone || error
    }
  }

  /** Runs a tool. Throws `interrupted` when the plugin goes away or is stopped meanwhile. */
  call(call: ToolCall): Promise<ToolResult> {
    return this.#calls.run(call, (own, id) => this.peer.call(own, id))
  }

  /** Ends it: its calls, the link, and the process where it is one of ours. Resolves when nothing is left. */
  async stop(): Promise<void> {
    const wasUp = !this.#hasEnded
    this.#hasEnded = true
    this.#calls.abort(new CallboardError('interrupted', `plugin "${this.#id}" was stopped`))
    // One that runs elsewhere goes on.
    if (wasUp && this.#parts.process !== undefined) await this.#shutDown(this.#parts.process)
    await this.#parts.release('it is being stopped')
  }

  async #shutDown({ gone }: PluginProcess): Promise<void> {
    const patience = AbortSignal.timeout((SHUTDOWN_SECONDS + 1) * 1000)
    // Whoever does not listen is ended in other ways.
    await this.peer.shutDown(SHUTDOWN_SECONDS, AbortSignal.any([gone, patience])).catch(() => {})
  }

  #follow(linkEnd: Promise<string>): void {
    const { process } = this.#parts
    const gone = (): void => this.#end(messageOf(process?.gone.reason))
    if (process?.gone.aborted === true) gone()
    process?.gone.addEventListener('abort', gone, { once: true })
    void linkEnd.then(async (message) => {
      await this.#parts.lastWords()
      this.#end(message)
    })
  }

  #end(reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#calls.abort(interrupted(this.#id, reason))
    this.#onEnd(reason)
  }
}

function isOfLink(error: unknown): boolean {
  return error instanceof CallboardError && error.cause instanceof LinkError
}

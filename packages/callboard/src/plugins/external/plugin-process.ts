/** The process of an external plugin, from its start over the line that says where it listens to its end. */
import { type Address, parseAddress } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import { OutputLog } from '../process/output-log.ts'
import { type ProcessCommand, ProcessGroup } from '../process/process-group.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import { whyNotStarted } from '../process/why-not-started.ts'

const READY = /^READY (.*)$/

export interface PluginProcessOptions {
  readonly command: ProcessCommand
  /** The folder with its certificates. */
  readonly certificates: string
  /** What it is told besides where to listen and where its certificates are. */
  readonly words: readonly string[]
  readonly watcher: ProcessWatcher
  /** Names the plugin. */
  readonly log: Log
  /** Kept out of the log and of the last words. */
  readonly secrets: Secrets
}

/** Whoever starts one calls `end`, also after it ended by itself. */
export class PluginProcess {
  readonly #group: ProcessGroup
  readonly #stdout: OutputLog
  readonly #stderr: OutputLog
  readonly #listens = Promise.withResolvers<Address>()
  readonly #gone = new AbortController()

  private constructor({ command, certificates, words, watcher, log, secrets }: PluginProcessOptions) {
    this.#stdout = new OutputLog(log, 'stdout', secrets)
    this.#stderr = new OutputLog(log, 'stderr', secrets, (line) => this.#takeReady(line))
    const asked = ['--listen-addr', '127.0.0.1:0', '--certs-dir', certificates]
    const args = [...command.args, ...asked, ...words]
    this.#group = new ProcessGroup({ ...command, args }, watcher)
    this.#group.onOutput({
      stdout: (chunk) => this.#stdout.steps(chunk),
      stderr: (chunk) => this.#stderr.steps(chunk),
    })
    // Whether somebody waits for it yet or not.
    this.#listens.promise.catch(() => {})
    void this.#group.exited.then((words) => this.#exited(words))
  }

  /** Rejects with `unavailable` in words when the command can't be started. */
  static async start(options: PluginProcessOptions): Promise<PluginProcess> {
    try {
      const started = new PluginProcess(options)
      await started.#group.started()
      return started
    } catch (error) {
      throw new CallboardError('unavailable', whyNotStarted(error, options.command), { cause: error })
    }
  }

  /** Aborted when it has ended, with a `CallboardError` that says how and has its last words. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /**
   * Resolves with where it listens, once it said so. Rejects with the reason when it ends, says nonsense, or is not
   * waited for any more.
   */
  async listening(signal: AbortSignal): Promise<Address> {
    const giveUp = (): void => {
      const words = this.#lastWords === '' ? '' : `; its last words: ${this.#lastWords}`
      const why = `${messageOf(signal.reason)}: it did not say \`READY ADDRESS\` on stderr${words}`
      this.#listens.reject(new CallboardError('timeout', why))
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await this.#listens.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Ends it, and all that it started; resolves when nothing is left. */
  end(): Promise<void> {
    return this.#group.end()
  }

  get #lastWords(): string {
    const lines = this.#stderr.lastLines.length > 0 ? this.#stderr.lastLines : this.#stdout.lastLines
    return lines.join(' / ')
  }

  #takeReady(line: string): boolean {
    const said = READY.exec(line)?.[1]
    if (said === undefined) return false
    try {
      this.#listens.resolve(parseAddress(said))
    } catch (error) {
      this.#listens.reject(new CallboardError('unavailable', `it said READY: ${messageOf(error)}`, { cause: error }))
    }
    return true
  }

  #exited(words: string): void {
    this.#group.finishOutput()
    this.#stdout.end()
    this.#stderr.end()
    const last = this.#lastWords
    const reason = new CallboardError(
      'unavailable',
      last === '' ? `it ${words}` : `it ${words}; its last words: ${last}`,
    )
    this.#listens.reject(reason)
    this.#gone.abort(reason)
  }
}

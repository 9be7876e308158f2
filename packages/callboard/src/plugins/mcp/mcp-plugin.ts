/** The plugin of kind `mcp`: one MCP server, over stdio, Streamable HTTP or HTTP+SSE, in either era of the protocol. */
import type { ToolDefinition } from '@callboard/sdk'
import { CallboardError, messageOf, UpstreamError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import { Coalesced } from '../coalesced.ts'
import { KnownTools } from '../known-tools.ts'
import type { Plugin, PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { RunState } from '../run-state.ts'
import { callTool, toolResult } from './call-tool.ts'
import { EraMemory } from './era-memory.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type ListedTools, listToolsOf } from './list-tools.ts'
import { type McpConnection, SessionLost } from './mcp-connection.ts'
import type { McpPluginOptions } from './mcp-plugin-options.ts'
import { openConnection } from './open-connection.ts'
import { takeList } from './take-list.ts'
import { sseOf, wireFor } from './wire-for.ts'

const PROBE_MS = 3_000
const SYNC_MS = 30_000
const PING_MS = 10_000
const SILENCE_MS = 30_000
const QUIET_MS = 100
const SYNC_AGAIN_MS = 30_000

/**
 * Makes the plugin; `start` starts its server. Until then, and while it is down, it has the tools that the store knows.
 */
export function createMcpPlugin(options: McpPluginOptions): Plugin {
  return new McpPlugin(options)
}

class McpPlugin implements Plugin {
  readonly kind = 'mcp'
  readonly passesWritten = true
  readonly id: string
  readonly isProcess: boolean
  readonly giveUp?: (reason: string) => void
  readonly #options: McpPluginOptions
  readonly #log: Log
  readonly #secrets: Secrets
  readonly #known: KnownTools
  readonly #eras: EraMemory
  readonly #sync: Coalesced
  readonly #state: RunState
  #connection: McpConnection | undefined
  /** The end of the connection before, which a new start waits for. */
  #ending: Promise<void> = Promise.resolve()
  #renewal: Promise<McpConnection> | undefined
  /** Whether a change was told that could not be looked at yet. */
  #isListOld = false

  constructor(options: McpPluginOptions) {
    this.id = options.id
    this.#options = options
    this.#secrets = options.secrets ?? new Secrets()
    this.#state = new RunState(options.id)
    this.#log = options.log.child({ plugin: options.id })
    const fingerprint = fingerprintOf(options.target)
    this.#known = new KnownTools({ pluginId: options.id, fingerprint, store: options.store, log: this.#log })
    this.#eras = new EraMemory(this.#known.hints)
    this.isProcess = options.target.transport === 'stdio'
    // A server elsewhere costs no process to try again, and comes back without anybody here having done something.
    if (this.isProcess) this.giveUp = (reason) => this.#state.enter('failed', reason)
    this.#sync = new Coalesced(() => this.#syncAgain(), QUIET_MS)
  }

  get tools(): readonly ToolDefinition[] {
    return this.#known.tools
  }

  get reports(): readonly string[] {
    return this.#known.reports
  }

  get released(): Promise<void> {
    return this.#ending
  }

  health(): PluginHealth {
    return this.#state.health
  }

  onChange(listener: () => void): () => void {
    return this.#state.onChange(listener)
  }

  start(_host: PluginHost, signal: AbortSignal): Promise<void> {
    return this.#state.start((either) => this.#start(either), signal)
  }

  async call(call: ToolCall): Promise<ToolResult> {
    const connection = this.#connection
    if (connection === undefined) throw this.#state.notUp()
    try {
      return toolResult(await callTool(connection, call))
    } catch (error) {
      if (!(error instanceof SessionLost)) throw this.#inWords(error)
      // The server did not take the call, so running it over a new session runs it once.
      const again = callTool(await this.#renew(connection), call).then(toolResult)
      return await again.catch((second: unknown) => {
        throw this.#inWords(second)
      })
    }
  }

  stop(): Promise<void> {
    return this.#state.stop(() => this.#release())
  }

  async #start(signal: AbortSignal): Promise<void> {
    let connection: McpConnection | undefined
    this.#isListOld = false
    try {
      await this.#ending
      connection = await this.#open(signal)
      const listed = await listToolsOf(connection, signal)
      await this.#take(listed, connection, signal)
      if (connection.broken !== undefined) throw new CallboardError('unavailable', connection.broken)
      this.#connection = connection
      this.#state.enter('up')
      if (this.#isListOld) this.#sync.request()
    } catch (error) {
      await connection?.close('it did not start')
      const reason = this.#redact(messageOf(error))
      // After a stop the state is the stopper's to set.
      if (!this.#state.ending.aborted) this.#state.enter('down', reason)
      throw new CallboardError('unavailable', `plugin "${this.id}" did not start: ${reason}`, { cause: error })
    }
  }

  async #open(signal: AbortSignal): Promise<McpConnection> {
    let own: McpConnection | undefined
    const isCurrent = (): boolean => own !== undefined && own === this.#connection
    own = await openConnection({
      newWire: (greeting) => wireFor(greeting, { ...this.#options, log: this.#log, secrets: this.#secrets }),
      eras: this.#eras,
      sse: sseOf(this.#options.target),
      probeMs: this.#options.timeouts?.probeMs ?? PROBE_MS,
      signal,
      log: this.#log,
      secrets: this.#secrets,
      patience: {
        pingMs: this.#options.timeouts?.pingMs ?? PING_MS,
        silenceMs: this.#options.timeouts?.silenceMs ?? SILENCE_MS,
      },
      onToolsChanged: () => this.#sync.request(),
      onBroken: (reason) => {
        if (isCurrent()) this.#goDown(reason)
      },
      onSessionLost: () => {
        // What comes of it shows in the state.
        if (own !== undefined && isCurrent()) this.#renew(own).catch(() => {})
      },
    })
    return own
  }

  /** Reads the list again. Never rejects; what went wrong is reported. */
  async #syncAgain(): Promise<void> {
    const connection = this.#connection
    this.#isListOld = connection === undefined
    if (connection === undefined) return
    try {
      const signal = this.#soon()
      const listed = await listToolsOf(connection, signal)
      if (this.#connection !== connection) return
      if (await this.#take(listed, connection, signal)) this.#state.tell()
    } catch (error) {
      if (this.#connection !== connection) return
      if (error instanceof SessionLost) return void (await this.#renew(connection).catch(() => {}))
      if (this.#known.failed(this.#redact(messageOf(error)))) this.#state.tell()
      this.#sync.request(SYNC_AGAIN_MS)
    }
  }

  #take(listed: ListedTools, connection: McpConnection, signal: AbortSignal): Promise<boolean> {
    const about = { pluginId: this.id, checkHeaders: connection.mirrorsArguments, eras: this.#eras }
    return takeList(this.#known, listed, { ...about, signal, onStep: () => this.#state.tell() })
  }

  /** Opens a new session in place of one that the server lost; all who ask at once get the same. */
  async #renew(lost: McpConnection): Promise<McpConnection> {
    if (this.#connection === lost) {
      this.#renewal ??= this.#reopen(lost).finally(() => {
        this.#renewal = undefined
      })
      return await this.#renewal
    }
    if (this.#connection === undefined) throw this.#state.notUp()
    return this.#connection
  }

  async #reopen(lost: McpConnection): Promise<McpConnection> {
    this.#log.info('the server lost the session; a new one is opened')
    const { ending } = this.#state
    try {
      const connection = await this.#open(this.#soon())
      if (ending.aborted) {
        await connection.close('it is being stopped')
        throw this.#state.notUp()
      }
      this.#connection = connection
      this.#close(lost, 'the server lost the session')
      this.#sync.request(0)
      return connection
    } catch (error) {
      if (!ending.aborted) this.#goDown(messageOf(error))
      throw this.#state.notUp()
    }
  }

  /** The end of this run, or of what a running server may take. */
  #soon(): AbortSignal {
    return AbortSignal.any([this.#state.ending, AbortSignal.timeout(this.#options.timeouts?.syncMs ?? SYNC_MS)])
  }

  #goDown(reason: string): void {
    this.#state.end(new CallboardError('unavailable', reason))
    void this.#release()
    this.#state.enter('down', this.#redact(reason))
  }

  /** Lets go of the connection; resolves when nothing of it is left. */
  #release(): Promise<void> {
    this.#sync.stop()
    if (this.#connection !== undefined) this.#close(this.#connection, 'it is being stopped')
    this.#connection = undefined
    return this.#ending.then(() => this.#known.written)
  }

  #close(connection: McpConnection, reason: string): void {
    const closed = connection.close(reason).catch((error: unknown) => {
      this.#log.error({ reason: messageOf(error) }, 'the server was not ended cleanly')
    })
    this.#ending = Promise.all([this.#ending, closed]).then(() => {})
  }

  /** Errors of the host's own name the plugin; the server's own stay as they are. */
  #inWords(error: unknown): unknown {
    if (error instanceof UpstreamError) return error
    const code = error instanceof CallboardError ? error.code : 'unavailable'
    if (code === 'cancelled') return error
    if (code === 'interrupted') {
      const words = `plugin "${this.id}" broke off the call, which may have been done or not: ${messageOf(error)}`
      return new CallboardError(code, this.#redact(words), { cause: error })
    }
    if (this.#state.health.state !== 'up') return this.#state.notUp()
    return new CallboardError(code, this.#redact(`plugin "${this.id}": ${messageOf(error)}`), { cause: error })
  }

  #redact(text: string): string {
    return this.#secrets.redact(text)
  }
}

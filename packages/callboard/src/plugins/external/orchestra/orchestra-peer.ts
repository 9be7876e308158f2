/** What the host asks a plugin of the existing protocol, in the host's own words. */
import { Asker, HealthResult_Status, type Link, type ReceivedResponse, type RequestBody } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { ToolCall, ToolResult } from '../../plugin.ts'
import type { ExternalPeer, PeerHealth } from '../external-peer.ts'
import { interrupted, isBrokenOff } from '../plugin-peer.ts'
import { readTools, type ToolReading } from '../read-tools.ts'
import { servePrompts } from './prompts.ts'
import { askTool, NOT_FOUND, startStream, type ToolEnd } from './tool-requests.ts'
import { failureText } from './tool-values.ts'

export interface OrchestraPeerOptions {
  readonly pluginId: string
  readonly link: Link
  /** The tools that were known to answer in pieces when the plugin ran last. */
  readonly streaming: Iterable<string>
  /** One is known to answer in pieces now, or no longer. */
  readonly onToolsChanged: () => void
  /** What a person should know of the plugin, a sentence each, now. */
  readonly reports: () => readonly string[]
}

export class OrchestraPeer implements ExternalPeer {
  readonly #options: OrchestraPeerOptions
  readonly #asker: Asker
  /** The protocol does not say which tools answer in pieces, so that only a call tells. */
  readonly #streaming: Set<string>

  constructor(options: OrchestraPeerOptions) {
    this.#options = options
    this.#asker = new Asker(options.link)
    this.#streaming = new Set(options.streaming)
  }

  /** Tells it who it is and what is set for it. Throws when it says that it is not ready. */
  async boot(config: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const registered = await this.#ask({ case: 'register', value: { id: this.#options.pluginId } }, signal)
    if (registered.case === 'register' && !registered.value.accepted)
      throw this.#error('config', registered.value.rejectReason || 'it says that this is not its id')
    const booted = await this.#ask({ case: 'boot', value: { config: { ...config } } }, signal)
    // Whoever knows no booting needs none.
    if (booted.case === 'boot' && !booted.value.ready)
      throw this.#error('unavailable', `it did not boot: ${booted.value.error || 'it does not say why'}`)
  }

  async listTools(signal: AbortSignal): Promise<ToolReading> {
    const answer = await this.#ask({ case: 'listTools', value: {} }, signal)
    if (answer.case !== 'listTools') throw this.#unexpected(answer, 'a list of tools')
    const { tools, reports } = readTools(this.#options.pluginId, answer.value.tools)
    return {
      tools: tools.map((tool) => (this.#streaming.has(tool.name) ? { ...tool, streaming: true } : tool)),
      reports: [...reports, ...this.#options.reports()],
    }
  }

  async health(signal: AbortSignal): Promise<PeerHealth> {
    const answer = await this.#ask({ case: 'health', value: {} }, signal)
    if (answer.case !== 'health') throw this.#unexpected(answer, 'its health')
    const { status, message } = answer.value
    return { isHealthy: status === HealthResult_Status.HEALTHY, reason: message }
  }

  async shutDown(timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    await this.#ask({ case: 'shutdown', value: { timeoutSeconds } }, signal)
  }

  /** Tells it of an event that it subscribed to. */
  async publish(value: Extract<RequestBody, { case: 'publish' }>['value'], signal: AbortSignal): Promise<void> {
    await this.#ask({ case: 'publish', value }, signal)
  }

  /** One that is not found as what it is taken for is asked for as the other: nothing ran. */
  async call(call: ToolCall, requestId: string): Promise<ToolResult> {
    const { name } = call.definition
    const isStream = this.#streaming.has(name)
    const first = await this.#run(call, requestId, isStream)
    if (first.code !== NOT_FOUND) return first.result
    const second = await this.#run(call, requestId, !isStream)
    // Whatever it did not find, it was not this tool alone.
    if (second.code === NOT_FOUND) return first.result
    if (isStream) this.#streaming.delete(name)
    else this.#streaming.add(name)
    this.#options.onToolsChanged()
    return second.result
  }

  async relay(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return await servePrompts((body) => this.#ask(body, signal), method, params)
  }

  async #run(call: ToolCall, requestId: string, isStream: boolean): Promise<ToolEnd> {
    const asking = { asker: this.#asker, call, requestId }
    try {
      return await (isStream ? startStream(asking) : askTool(asking))
    } catch (error) {
      // What may have been done is never told as `unavailable`.
      if (isBrokenOff(error)) throw interrupted(this.#options.pluginId, error)
      throw this.#inWords(error, call.signal)
    }
  }

  /** Throws in words, but for what the peer answers that it does not know: that is a failed tool call to it. */
  async #ask(body: RequestBody, signal: AbortSignal): Promise<ReceivedResponse> {
    try {
      return await this.#asker.ask(body, { signal })
    } catch (error) {
      throw this.#inWords(error, signal)
    }
  }

  #unexpected(answer: ReceivedResponse, what: string): CallboardError {
    const says =
      answer.case === 'toolCall'
        ? failureText(answer.value.errorMessage, answer.value.errorCode)
        : `it answered with ${answer.case ?? 'nothing known'}`
    return this.#error('unavailable', `${says}, where ${what} is expected`)
  }

  #inWords(error: unknown, signal: AbortSignal): unknown {
    if (error === signal.reason) return error
    const other = error instanceof RangeError ? 'invalid_arguments' : 'unavailable'
    return this.#error(error instanceof CallboardError ? error.code : other, messageOf(error), error)
  }

  #error(code: CallboardError['code'], message: string, cause?: unknown): CallboardError {
    return new CallboardError(code, `plugin "${this.#options.pluginId}": ${message}`, { cause })
  }
}

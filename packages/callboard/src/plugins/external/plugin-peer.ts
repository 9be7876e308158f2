/** What the host asks an external plugin over a link, in the host's own words. */
import {
  Asker,
  Fault_Code,
  HealthResult_Status,
  type Link,
  LinkError,
  type PluginManifest,
  ProtocolError,
  type ReceivedResponse,
  type RequestBody,
  StreamReset,
} from '@callboard/sdk/external'
import { CallboardError, type ErrorCode, messageOf } from '../../errors.ts'
import type { ToolCall, ToolResult } from '../plugin.ts'
import { CallParts } from './call-parts.ts'
import type { ExternalPeer, PeerHealth } from './external-peer.ts'
import { readObject, writeJson } from './json-bytes.ts'
import { readTools, type ToolReading } from './read-tools.ts'

/** The highest version of the protocol that is spoken here. */
const VERSION = 1

/** What a fault means here. */
const CODES: Readonly<Record<Fault_Code, ErrorCode>> = {
  [Fault_Code.UNSPECIFIED]: 'tool_failed',
  [Fault_Code.INTERNAL]: 'tool_failed',
  [Fault_Code.NOT_FOUND]: 'unavailable',
  [Fault_Code.INVALID]: 'invalid_arguments',
  [Fault_Code.DENIED]: 'tool_failed',
  [Fault_Code.TIMEOUT]: 'timeout',
  [Fault_Code.CANCELLED]: 'cancelled',
  [Fault_Code.UNAVAILABLE]: 'unavailable',
  [Fault_Code.UNKNOWN_REQUEST]: 'unavailable',
}

export interface GreetOptions {
  readonly pluginId: string
  /** What the host is, for the plugin's log. */
  readonly software: string
  readonly signal: AbortSignal
}

/**
 * A plugin that has answered the first message, so its link is up. Every error of it is a `CallboardError` that names
 * the plugin.
 */
export class PluginPeer implements ExternalPeer {
  readonly manifest: PluginManifest
  readonly #pluginId: string
  readonly #asker: Asker

  private constructor(pluginId: string, asker: Asker, manifest: PluginManifest) {
    this.#pluginId = pluginId
    this.#asker = asker
    this.manifest = manifest
  }

  /** Says hello. Ends the link and throws when the plugin does not answer as the one that is expected. */
  static async greet(link: Link, { pluginId, software, signal }: GreetOptions): Promise<PluginPeer> {
    const asker = new Asker(link)
    try {
      const answer = await asker.ask({ case: 'hello', value: { version: VERSION, software } }, { signal })
      if (answer.case !== 'hello') throw unexpected(answer, 'hello')
      const { version, manifest } = answer.value
      if (version < 1)
        throw new CallboardError('unavailable', `it speaks version ${version} of the protocol; expected 1 or higher`)
      if (manifest?.id !== pluginId) throw new CallboardError('config', `it says it is "${manifest?.id ?? ''}"`)
      return new PluginPeer(pluginId, asker, manifest)
    } catch (error) {
      link.close('the greeting failed')
      throw inWords(pluginId, error, signal)
    }
  }

  async listTools(signal: AbortSignal): Promise<ToolReading> {
    const answer = await this.#ask({ case: 'listTools', value: {} }, signal)
    if (answer.case !== 'listTools') throw this.#unexpected(answer, 'a list of tools')
    return readTools(this.#pluginId, answer.value.tools)
  }

  async health(signal: AbortSignal): Promise<PeerHealth> {
    const answer = await this.#ask({ case: 'health', value: {} }, signal)
    if (answer.case !== 'health') throw this.#unexpected(answer, 'its health')
    const { status, message } = answer.value
    return { isHealthy: status === HealthResult_Status.HEALTHY, reason: message }
  }

  /** Asks it to end; resolves when it has answered. */
  async shutDown(timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    await this.#ask({ case: 'shutdown', value: { timeoutSeconds } }, signal)
  }

  /**
   * Runs a tool, on a stream of its own: what is long or slow holds up no other call, and a cancelled one is a stream
   * that is cut off. `requestId` names the call in the plugin's call-backs.
   */
  async call(call: ToolCall, requestId?: string): Promise<ToolResult> {
    const parts = new CallParts(call)
    const answer = await this.#ask(requestOf(call), call.signal, {
      onPart: (part) => parts.take(part),
      ...(requestId !== undefined && { requestId }),
    }).catch((error: CallboardError) => {
      throw isBrokenOff(error.cause) ? interrupted(this.#pluginId, error.cause) : error
    })
    // It ran, whatever it says of that: `unavailable` would let somebody else run it again.
    if (answer.case !== 'toolCall') throw this.#failed(unexpected(answer, 'the result of a call').message)
    const { success, errorMessage, resultJson } = answer.value
    try {
      if (resultJson.length > 0) return toResult(resultJson)
    } catch (error) {
      throw this.#failed(messageOf(error), error)
    }
    if (success && parts.text !== '') return { content: [{ type: 'text', text: parts.text }] }
    const why = success ? 'it answered without a result' : errorMessage || 'it failed without a word'
    throw this.#failed(why)
  }

  async #ask(
    body: RequestBody,
    signal: AbortSignal,
    options: Parameters<Asker['ask']>[1] = {},
  ): Promise<ReceivedResponse> {
    try {
      const answer = await this.#asker.ask(body, { ...options, signal })
      if (answer.case !== 'fault') return answer
      const { code, message } = answer.value
      throw new CallboardError(CODES[code] ?? 'tool_failed', message)
    } catch (error) {
      throw inWords(this.#pluginId, error, signal)
    }
  }

  #failed(why: string, cause?: unknown): CallboardError {
    return new CallboardError('tool_failed', `plugin "${this.#pluginId}": ${why}`, { cause })
  }

  #unexpected(answer: ReceivedResponse, what: string): CallboardError {
    return inWords(this.#pluginId, unexpected(answer, what))
  }
}

function requestOf({ definition, arguments: args, user, surface, provider, meta, onProgress }: ToolCall): RequestBody {
  return {
    case: 'toolCall',
    value: {
      toolName: definition.name,
      argumentsJson: writeJson(args),
      user,
      surface,
      provider: provider ?? '',
      wantsProgress: onProgress !== undefined,
      ...(meta !== undefined && { metaJson: writeJson(meta) }),
    },
  }
}

function toResult(bytes: Uint8Array): ToolResult {
  const { content, ...rest } = readObject(bytes, 'the result')
  if (!Array.isArray(content)) throw new TypeError('the result has to have a list `content`')
  return { ...rest, content }
}

function unexpected(answer: ReceivedResponse, what: string): CallboardError {
  return new CallboardError(
    'unavailable',
    `it answered with ${answer.case ?? 'nothing known'} where ${what} is expected`,
  )
}

/** The end of a call whose plugin went away: nobody knows whether it was done. */
export function interrupted(pluginId: string, cause: unknown): CallboardError {
  const words = `plugin "${pluginId}" went away during the call, which may have been done or not: ${messageOf(cause)}`
  return new CallboardError('interrupted', words, { cause })
}

/** Whether it was the end of the link, of the stream, or of all sense in what came on it. */
export function isBrokenOff(cause: unknown): boolean {
  return cause instanceof LinkError || cause instanceof StreamReset || cause instanceof ProtocolError
}

/** Names the plugin in whatever went wrong with it; what the host itself gave up stays as it is. */
function inWords(pluginId: string, error: unknown, signal?: AbortSignal): CallboardError {
  if (error instanceof CallboardError && error === signal?.reason) return error
  const code =
    error instanceof CallboardError ? error.code : error instanceof RangeError ? 'invalid_arguments' : 'unavailable'
  return new CallboardError(code, `plugin "${pluginId}": ${messageOf(error)}`, { cause: error })
}

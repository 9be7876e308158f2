/** What an external plugin says of a call before its result. */
import type { ReceivedResponse } from '@callboard/sdk/external'
import { CallboardError } from '../../errors.ts'
import { isLogLevel, isSeriousEnough } from '../log-messages.ts'
import type { ToolCall } from '../plugin.ts'

/** As much as a result in one piece could have. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024

/**
 * Hands steps and messages to the caller as they come, and the pieces of a streamed answer as steps with their text.
 */
export class CallParts {
  readonly #call: ToolCall
  /** A character may begin in one piece and end in the next. */
  readonly #decoder = new TextDecoder()
  readonly #texts: string[] = []
  #length = 0

  constructor(call: ToolCall) {
    this.#call = call
  }

  /** All pieces so far. */
  get text(): string {
    return this.#texts.join('')
  }

  /** Throws when what was streamed is more than a result may be. */
  take(part: ReceivedResponse): void {
    const { onProgress } = this.#call
    if (part.case === 'progress') {
      const { progress, total, message } = part.value
      onProgress?.({ progress, ...(total !== undefined && { total }), ...(message !== '' && { message }) })
    } else if (part.case === 'streamChunk') {
      const message = this.#keep(part.value.data)
      onProgress?.({ progress: this.#texts.length, message, isPiece: true })
    } else if (part.case === 'logMessage') this.#write(part.value.level, part.value.dataJson)
  }

  #keep(data: Uint8Array): string {
    const text = this.#decoder.decode(data, { stream: true })
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length > MAX_TEXT_LENGTH)
      throw new CallboardError('tool_failed', `its answer in pieces is longer than ${MAX_TEXT_LENGTH} characters`)
    return text
  }

  #write(level: string, dataJson: Uint8Array): void {
    const { log, definition } = this.#call
    if (log === undefined || !isLogLevel(level) || !isSeriousEnough(level, log.level)) return
    log.write({ level, logger: definition.package, data: dataOf(dataJson) })
  }
}

/** A message that can't be read is no reason to lose the call, which runs. */
function dataOf(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json).toString('utf8'))
  } catch {
    return 'a log message of the plugin was left out: its data is no JSON'
  }
}

/** Sends what a running call says before its result. */
import type { Progress } from '../../tool-result.ts'
import type { ResponseBody } from '../protocol/messages.ts'

/**
 * An action does not wait for what it says to be sent. So of steps that come faster than they go only the newest is
 * kept; log messages and pieces of the answer all go, in their order.
 */
export class CallParts {
  readonly #send: (part: ResponseBody) => Promise<void>
  #step: Progress | undefined
  #pieces = 0n
  #last: Promise<void> = Promise.resolve()

  constructor(send: (part: ResponseBody) => Promise<void>) {
    this.#send = send
  }

  /** Resolves when everything so far was sent, or can't be. */
  get sent(): Promise<void> {
    return this.#last
  }

  tell(step: Progress): void {
    if (step.isPiece === true) {
      const value = { data: Buffer.from(step.message ?? ''), sequence: this.#pieces }
      this.#pieces += 1n
      this.#queue(() => ({ case: 'streamChunk', value }))
      return
    }
    const isWaiting = this.#step !== undefined
    this.#step = step
    if (!isWaiting) this.#queue(() => this.#takeStep())
  }

  log(level: string, data: unknown): void {
    this.#queue(() => ({ case: 'logMessage', value: { level, dataJson: Buffer.from(JSON.stringify(data)) } }))
  }

  #takeStep(): ResponseBody {
    const { progress = 0, total, message = '' } = this.#step ?? {}
    this.#step = undefined
    return { case: 'progress', value: { progress, message, ...(total !== undefined && { total }) } }
  }

  #queue(part: () => ResponseBody): void {
    // What can't be sent has nobody to read it: the stream was cut off, of which the call's signal tells.
    this.#last = this.#last.then(() => this.#send(part())).catch(() => {})
  }
}

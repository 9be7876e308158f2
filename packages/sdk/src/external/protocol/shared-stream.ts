/** One stream for many small requests, whose answers come in any order. */
import { type Deferred, deferred } from '../link/deferred.ts'
import type { LinkStream } from '../link/link.ts'
import { LinkError } from '../link/link-error.ts'
import { RESET } from '../link/stream-reset.ts'
import { readAnswers } from './answers.ts'
import type { PluginResponse } from './generated/plugin_pb.ts'
import { encodeRequest, isPart, type ReceivedResponse, type RequestBody } from './messages.ts'

export interface SharedRequest {
  readonly requestId: string
  readonly body: RequestBody
  readonly signal: AbortSignal | undefined
  readonly onPart: ((part: ReceivedResponse) => void) | undefined
}

interface Waiting extends Deferred<ReceivedResponse> {
  readonly onPart: SharedRequest['onPart']
}

export class SharedStream {
  readonly #stream: LinkStream
  readonly #waiting = new Map<string, Waiting>()
  #failure: unknown

  constructor(stream: LinkStream) {
    this.#stream = stream
  }

  /** Whether it can be used no more. */
  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  /** Hands out answers until the stream ends, and throws why, unless it just ended. */
  async run(): Promise<void> {
    try {
      for await (const answer of readAnswers(this.#stream)) this.#take(answer)
      this.#fail(new LinkError('closed', 'the peer answers no more on the shared stream'))
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#stream.reset(RESET.cancelled)
    }
  }

  async ask({ requestId, body, signal, onPart }: SharedRequest): Promise<ReceivedResponse> {
    signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
    const waiting = { ...deferred<ReceivedResponse>(), onPart }
    const giveUp = (): void => {
      waiting.reject(signal?.reason)
      const cancel = { case: 'cancel', value: { reason: String(signal?.reason) } } as const
      // Where it does not arrive, the stream has ended, and with it the request.
      this.#stream.write(encodeRequest(requestId, cancel)).catch(() => {})
    }
    const frame = encodeRequest(requestId, body)
    this.#waiting.set(requestId, waiting)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      // A peer that takes no bytes is not waited for longer than its answer would be.
      this.#stream.write(frame).catch(waiting.reject)
      return await waiting.promise
    } finally {
      signal?.removeEventListener('abort', giveUp)
      this.#waiting.delete(requestId)
    }
  }

  #take({ requestId, response }: PluginResponse): void {
    // An answer without a request is one that nobody waits for any more.
    const waiting = this.#waiting.get(requestId)
    if (isPart(response)) waiting?.onPart?.(response)
    else waiting?.resolve(response)
  }

  #fail(reason: unknown): void {
    this.#failure = reason
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
  }
}

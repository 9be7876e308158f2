/** Asks the peer of a link: each request on a stream of its own, or small ones on a stream that they share. */
import { deferred } from '../link/deferred.ts'
import type { Link, LinkStream } from '../link/link.ts'
import { RESET, StreamReset } from '../link/stream-reset.ts'
import { readAnswers } from './answers.ts'
import { encodeRequest, isPart, type ReceivedResponse, type RequestBody } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'
import { SharedStream } from './shared-stream.ts'

/** What may accompany a request. */
export interface AskOptions {
  /** Cancels the request; the peer is told. */
  readonly signal?: AbortSignal
  /**
   * Takes what comes before the last answer: progress, chunks, events. What it returns is waited for, so the peer is
   * held back by one who is slow; not so on the shared stream, where others would be held back too.
   */
  readonly onPart?: (part: ReceivedResponse) => unknown
  /**
   * Takes less of both ends than a stream of its own does, and waits behind what is long; for small requests with small
   * answers.
   */
  readonly isShared?: boolean
  /** By which call-backs name the request; unique on the link. */
  readonly requestId?: string
}

/** The end of a link that asks: sends requests to the peer and takes their answers. */
export class Asker {
  readonly #link: Link
  #shared: Promise<SharedStream> | undefined
  #lastId = 0

  constructor(link: Link) {
    this.#link = link
  }

  /**
   * Resolves with the last answer, be it a fault. Rejects with the reason of the signal, with `StreamReset` when the
   * peer cuts the stream off or ends it without an answer, with `LinkError` when the link is gone, with `RangeError`
   * when the request is too long, and with `ProtocolError` when the peer answers with what is no answer, which also
   * ends the link.
   */
  async ask(body: RequestBody, options: AskOptions = {}): Promise<ReceivedResponse> {
    this.#lastId += 1
    const requestId = options.requestId ?? String(this.#lastId)
    try {
      return await (options.isShared === true
        ? this.#askShared(requestId, body, options)
        : this.#askAlone(requestId, body, options))
    } catch (error) {
      this.#judge(error)
      throw error
    }
  }

  async #askAlone(requestId: string, body: RequestBody, { signal, onPart }: AskOptions): Promise<ReceivedResponse> {
    const frame = encodeRequest(requestId, body)
    const stream = await this.#link.openStream(signal)
    const giveUp = (): void => stream.reset(isTimeout(signal?.reason) ? RESET.deadline : RESET.cancelled)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      // It may have been given up while the stream was opened, when nobody listened yet.
      signal?.throwIfAborted()
      await stream.write(frame)
      stream.end()
      return await lastAnswer(stream, onPart)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
      stream.reset(RESET.cancelled)
    }
  }

  async #askShared(requestId: string, body: RequestBody, { signal, onPart }: AskOptions): Promise<ReceivedResponse> {
    const shared = await this.#openShared(signal)
    return await shared.ask({ requestId, body, signal, onPart })
  }

  async #openShared(signal: AbortSignal | undefined): Promise<SharedStream> {
    for (;;) {
      this.#shared ??= this.#startShared()
      const opening = this.#shared
      const shared = await whileWanted(opening, signal)
      if (!shared.hasEnded) return shared
      if (this.#shared === opening) this.#shared = undefined
    }
  }

  async #startShared(): Promise<SharedStream> {
    const shared = new SharedStream(await this.#link.openStream())
    shared.run().catch((error: unknown) => this.#judge(error))
    return shared
  }

  #judge(error: unknown): void {
    if (error instanceof ProtocolError) this.#link.close(error.message)
  }
}

/** What others wait for as well, which goes on when this one gives up. */
async function whileWanted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted()
  const givenUp = deferred<never>()
  const giveUp = (): void => givenUp.reject(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([waited, givenUp.promise])
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

async function lastAnswer(stream: LinkStream, onPart: AskOptions['onPart']): Promise<ReceivedResponse> {
  for await (const { response } of readAnswers(stream)) {
    if (!isPart(response)) return response
    await onPart?.(response)
  }
  throw new StreamReset(RESET.failed, 'the stream ended without an answer')
}

function isTimeout(reason: unknown): boolean {
  if (typeof reason !== 'object' || reason === null) return false
  return ('name' in reason && reason.name === 'TimeoutError') || ('code' in reason && reason.code === 'timeout')
}

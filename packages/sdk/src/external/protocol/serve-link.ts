/** Answers what the peer of a link asks. */
import type { Link, LinkStream } from '../link/link.ts'
import { LinkError } from '../link/link-error.ts'
import { RESET, StreamReset } from '../link/stream-reset.ts'
import { FrameDecoder } from './frames.ts'
import { Fault_Code, type PluginRequest } from './generated/plugin_pb.ts'
import { decodeRequest, encodeResponse, type ReceivedRequest, type ResponseBody } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

/** Requests that are served at once on one stream; more are not read before one of them is answered. */
const MAX_AT_ONCE = 256

/** A request of the peer, with the ways to answer it. */
export interface ServedRequest {
  readonly requestId: string
  readonly body: ReceivedRequest
  /** Aborted when the peer cancels the request or is gone; nobody waits for the answer then. */
  readonly signal: AbortSignal
  /**
   * Sends what comes before the answer. Resolves when there is room for more, so who waits for it fits the reader's
   * pace.
   */
  readonly sendPart: (part: ResponseBody) => Promise<void>
}

/** Gives the answer. What it throws becomes a fault with its message, so it must know which errors are for the peer. */
export type Serve = (request: ServedRequest) => Promise<ResponseBody>

export interface ServeLimits {
  /**
   * How many bytes of requests may be held for the peer, on all streams together: of those that have not come whole,
   * and of those that are not answered yet. A stream that brings more is reset with `RESET.refused`. Without it there
   * is no bound but that of each stream.
   */
  readonly maxBytes?: number
}

/**
 * Serves every stream that the peer opens, until the link ends; resolves with the reason of that. A peer that does not
 * keep to the protocol ends the link.
 */
export async function serveLink(link: Link, serve: Serve, { maxBytes }: ServeLimits = {}): Promise<LinkError> {
  const budget = new ByteBudget(maxBytes)
  for await (const stream of link.incoming) {
    new ServedStream(stream, serve, budget).run().catch((error: unknown) => {
      stream.reset(RESET.cancelled)
      if (error instanceof ProtocolError) link.close(error.message)
      // Of a stream that was cut off, everybody was told by its signal.
      else if (!(error instanceof StreamReset || error instanceof LinkError)) throw error
    })
  }
  return await link.ended
}

/** The bytes that are held for one peer. */
class ByteBudget {
  readonly #max: number
  #held = 0

  constructor(max: number = Number.POSITIVE_INFINITY) {
    this.#max = max
  }

  /** Whether there is room for so many; they are held then. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false
    this.#held += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
  }
}

/** The requests of one stream. */
class ServedStream {
  readonly #stream: LinkStream
  readonly #serve: Serve
  readonly #budget: ByteBudget
  /** Of the frame that has not come whole. */
  #heldBytes = 0
  readonly #running = new Map<string, AbortController>()
  #hasAll = false
  #onAnswered: () => void = () => {}

  constructor(stream: LinkStream, serve: Serve, budget: ByteBudget) {
    this.#stream = stream
    this.#serve = serve
    this.#budget = budget
    stream.signal.addEventListener('abort', () => this.#abortAll(stream.signal.reason), { once: true })
  }

  async run(): Promise<void> {
    const frames = new FrameDecoder()
    try {
      for (let bytes = await this.#stream.read(); bytes !== undefined; bytes = await this.#stream.read()) {
        const messages = frames.push(bytes)
        this.#hold(frames.heldBytes)
        for (const message of messages) await this.#begin(decodeRequest(message), message.length)
      }
    } finally {
      this.#hold(0)
    }
    if (frames.isInFrame) throw new ProtocolError('the stream ended in the middle of a frame')
    this.#hasAll = true
    this.#endWhenDone()
  }

  #hold(bytes: number): void {
    this.#budget.giveBack(this.#heldBytes)
    this.#heldBytes = 0
    this.#take(bytes)
    this.#heldBytes = bytes
  }

  /** To wait for room could be for ever: what is served may wait for this one. */
  #take(bytes: number): void {
    if (this.#budget.take(bytes)) return
    this.#stream.reset(RESET.refused)
    throw new StreamReset(RESET.refused, 'there is no room for more requests of the peer')
  }

  async #begin({ requestId, request }: PluginRequest, bytes: number): Promise<void> {
    if (request.case === 'cancel')
      return this.#running.get(requestId)?.abort(new StreamReset(RESET.cancelled, request.value.reason))
    if (this.#running.has(requestId)) throw new ProtocolError(`the request id "${requestId}" came twice`)
    while (this.#running.size >= MAX_AT_ONCE) {
      await new Promise<void>((resolve) => {
        this.#onAnswered = resolve
      })
    }
    // What came with the bytes before the stream was cut off would run for nobody, and for ever.
    this.#stream.signal.throwIfAborted()
    this.#take(bytes)
    const controller = new AbortController()
    this.#running.set(requestId, controller)
    this.#answer(requestId, request, controller.signal)
      // Where it can't be sent, the stream was cut off.
      .catch(() => {})
      .finally(() => this.#budget.giveBack(bytes))
  }

  async #answer(requestId: string, body: ReceivedRequest, signal: AbortSignal): Promise<void> {
    const sendPart = (part: ResponseBody): Promise<void> => this.#stream.write(encodeResponse(requestId, part))
    const frame = await this.#answerFrame({ requestId, body, signal, sendPart })
    this.#running.delete(requestId)
    this.#onAnswered()
    const written = this.#stream.write(frame)
    // At once, so that the end goes with the answer.
    this.#endWhenDone()
    await written
  }

  async #answerFrame(request: ServedRequest): Promise<Uint8Array> {
    try {
      return encodeResponse(request.requestId, await this.#serve(request))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return encodeResponse(request.requestId, { case: 'fault', value: { code: Fault_Code.INTERNAL, message } })
    }
  }

  #endWhenDone(): void {
    if (this.#hasAll && this.#running.size === 0) this.#stream.end()
  }

  #abortAll(reason: unknown): void {
    for (const controller of this.#running.values()) controller.abort(reason)
    this.#onAnswered()
  }
}

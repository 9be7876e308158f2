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
  /** Sends what comes before the answer. Resolves when there is room for more, so who waits for it fits the reader's pace. */
  readonly sendPart: (part: ResponseBody) => Promise<void>
}

/** Gives the answer. What it throws becomes a fault with its message, so it must know which errors are for the peer. */
export type Serve = (request: ServedRequest) => Promise<ResponseBody>

/**
 * Serves every stream that the peer opens, until the link ends; resolves with the reason of that. A peer that does not keep to the
 * protocol ends the link.
 */
export async function serveLink(link: Link, serve: Serve): Promise<LinkError> {
  for await (const stream of link.incoming) {
    new ServedStream(stream, serve).run().catch((error: unknown) => {
      stream.reset(RESET.cancelled)
      if (error instanceof ProtocolError) link.close(error.message)
      // Of a stream that was cut off, everybody was told by its signal.
      else if (!(error instanceof StreamReset || error instanceof LinkError)) throw error
    })
  }
  return await link.ended
}

/** The requests of one stream. */
class ServedStream {
  readonly #stream: LinkStream
  readonly #serve: Serve
  readonly #running = new Map<string, AbortController>()
  #hasAll = false
  #onAnswered: () => void = () => {}

  constructor(stream: LinkStream, serve: Serve) {
    this.#stream = stream
    this.#serve = serve
    stream.signal.addEventListener('abort', () => this.#abortAll(stream.signal.reason), { once: true })
  }

  async run(): Promise<void> {
    const frames = new FrameDecoder()
    for (let bytes = await this.#stream.read(); bytes !== undefined; bytes = await this.#stream.read()) {
      for (const message of frames.push(bytes)) await this.#begin(decodeRequest(message))
    }
    if (frames.isInFrame) throw new ProtocolError('the stream ended in the middle of a frame')
    this.#hasAll = true
    this.#endWhenDone()
  }

  async #begin({ requestId, request }: PluginRequest): Promise<void> {
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
    const controller = new AbortController()
    this.#running.set(requestId, controller)
    // Where it can't be sent, the stream was cut off.
    this.#answer(requestId, request, controller.signal).catch(() => {})
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

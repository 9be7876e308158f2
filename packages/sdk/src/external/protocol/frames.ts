/**
 * The frames of the external protocol: four bytes with the length of what follows (unsigned, big-endian), and that many
 * bytes.
 */
import { ProtocolError } from './protocol-error.ts'

/** What follows a frame's head, at most. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024

const HEAD_BYTES = 4
/** What is set aside for a frame whose head has come, before more of it has. */
const FIRST_BYTES = 64 * 1024

/** One frame as it goes over the wire. Throws `RangeError` for more than a frame holds. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  if (message.length > MAX_FRAME_BYTES)
    throw new RangeError(`a message of ${message.length} bytes; at most ${MAX_FRAME_BYTES} can be sent`)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length)
  frame.writeUInt32BE(message.length, 0)
  frame.set(message, HEAD_BYTES)
  return frame
}

/** Puts the frames of one stream together again. Never holds more than one frame, nor much more of it than has come. */
export class FrameDecoder {
  readonly #head: Buffer = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  #body: Buffer | undefined
  #bodyBytes = 0
  #length = 0

  /** Whether a frame has begun and not ended. */
  get isInFrame(): boolean {
    return this.#headBytes > 0
  }

  /** What is set aside for a frame that is not whole yet. */
  get heldBytes(): number {
    return this.#body?.length ?? 0
  }

  /** What the frames hold that are whole with these bytes. Throws `ProtocolError` for what can be no frame. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    const messages: Uint8Array[] = []
    let rest = chunk
    while (rest.length > 0) {
      rest = this.#headBytes < HEAD_BYTES ? this.#takeHead(rest) : rest
      if (this.#headBytes < HEAD_BYTES) break
      const missing = this.#length - this.#bodyBytes
      const part = rest.subarray(0, missing)
      rest = rest.subarray(part.length)
      if (part.length === missing) messages.push(this.#finish(part))
      else if (part.length > 0) this.#keep(part)
    }
    return messages
  }

  #takeHead(bytes: Uint8Array): Uint8Array {
    const part = bytes.subarray(0, HEAD_BYTES - this.#headBytes)
    this.#head.set(part, this.#headBytes)
    this.#headBytes += part.length
    if (this.#headBytes === HEAD_BYTES) {
      this.#length = this.#head.readUInt32BE(0)
      if (this.#length > MAX_FRAME_BYTES) throw new ProtocolError(this.#tooLong())
    }
    return bytes.subarray(part.length)
  }

  #tooLong(): string {
    const text = this.#head.toString('latin1')
    const seen = /^[\x20-\x7e]+$/.test(text) ? ` (it reads ${JSON.stringify(text)}, which is no head of a frame)` : ''
    return `a frame of ${this.#length} bytes came${seen}; at most ${MAX_FRAME_BYTES} are read`
  }

  #keep(part: Uint8Array): void {
    const needed = this.#bodyBytes + part.length
    if (this.#body === undefined || this.#body.length < needed) this.#grow(needed)
    this.#body?.set(part, this.#bodyBytes)
    this.#bodyBytes = needed
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(this.#length, Math.max(2 * needed, FIRST_BYTES)))
    if (this.#body !== undefined) larger.set(this.#body.subarray(0, this.#bodyBytes))
    this.#body = larger
  }

  #finish(part: Uint8Array): Uint8Array {
    let message = part
    if (this.#bodyBytes > 0) {
      this.#keep(part)
      message = this.#body?.subarray(0, this.#length) ?? part
    }
    this.#headBytes = 0
    this.#body = undefined
    this.#bodyBytes = 0
    return message
  }
}

/**
 * The frames that make many streams out of one TLS connection: yamux, version 0 (github.com/hashicorp/yamux, spec.md),
 * for which there are libraries in several languages. One thing is added, as libp2p does: the length of a window update
 * that resets a stream is the code.
 */

export const TYPE = { data: 0, window: 1, ping: 2, goAway: 3 } as const
export const FLAG = { syn: 1, ack: 2, fin: 4, rst: 8 } as const

/** What each direction of a stream may send before it is read, until more is allowed. */
export const WINDOW_BYTES: number = 256 * 1024

const HEAD_BYTES = 12
const NOTHING: Uint8Array = Buffer.alloc(0)

export interface MuxHead {
  readonly type: number
  readonly flags: number
  /** 0 stands for the connection. */
  readonly streamId: number
  /** Of what follows, for data; else a number whose meaning the type gives. */
  readonly length: number
}

export function encodeHead(type: number, flags: number, streamId: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt8(0, 0)
  head.writeUInt8(type, 1)
  head.writeUInt16BE(flags, 2)
  head.writeUInt32BE(streamId, 4)
  head.writeUInt32BE(length, 8)
  return head
}

/** Takes a frame, or a part of one: data comes in pieces, as it arrives; anything else once, without bytes. */
type OnFrame = (head: MuxHead, bytes: Uint8Array, isLast: boolean) => void

/** Reads frames without ever holding more than a head. */
export class MuxReader {
  readonly #onFrame: OnFrame
  readonly #head: Buffer = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  #current: MuxHead | undefined
  #missing = 0

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame
  }

  /** Throws `RangeError` for what is no frame. */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at += this.#take(chunk.subarray(at))
  }

  /** How much of `bytes` was used. */
  #take(bytes: Buffer): number {
    if (this.#current !== undefined) return this.#takeData(this.#current, bytes)
    const taken = bytes.copy(this.#head, this.#headBytes, 0, HEAD_BYTES - this.#headBytes)
    this.#headBytes += taken
    if (this.#headBytes === HEAD_BYTES) this.#begin()
    return taken
  }

  #begin(): void {
    this.#headBytes = 0
    const head = this.#head
    const version = head.readUInt8(0)
    const type = head.readUInt8(1)
    if (version !== 0 || type > TYPE.goAway) throw new RangeError(`no frame has version ${version} and type ${type}`)
    const frame = {
      type,
      flags: head.readUInt16BE(2),
      streamId: head.readUInt32BE(4),
      length: head.readUInt32BE(8),
    }
    if (type === TYPE.data && frame.length > 0) {
      this.#current = frame
      this.#missing = frame.length
    } else this.#onFrame(frame, NOTHING, true)
  }

  #takeData(frame: MuxHead, bytes: Buffer): number {
    const piece = bytes.subarray(0, this.#missing)
    this.#missing -= piece.length
    if (this.#missing === 0) this.#current = undefined
    this.#onFrame(frame, piece, this.#missing === 0)
    return piece.length
  }
}

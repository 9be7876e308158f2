/**
 * The frames of the control socket: one byte for the kind, four for the length of what follows (big-endian), and that
 * many bytes. Bytes and not lines of JSON, so that what a tool answers goes through as it is, piece by piece.
 */

/**
 * What a frame is. Never change a letter: hosts and commands of different versions meet here, and must be able to say
 * so.
 */
export const FRAME = {
  /** Host: who it is (JSON, `Hello`). The first frame of a connection. */
  hello: 'H',
  /** Command: its words and its terminal (JSON, `RunRequest`). Once. */
  run: 'R',
  /** Host: standard input is wanted. At most once. */
  wantInput: 'W',
  /** Command: a piece of standard input; an empty one is its end. */
  input: 'I',
  /** Host: a piece of standard output. */
  output: 'O',
  /** Host: a piece of standard error. */
  error: 'E',
  /** Host: a piece of what a tool answered, in JSON. */
  result: 'T',
  /**
   * Host: all of that was sent, and how it is to be written (JSON, `ResultForm`). At most once, after the last output.
   */
  show: 'S',
  /** Host: it is still there. */
  beat: 'B',
  /** Command: the person wants it to end. */
  cancel: 'C',
  /** Host: the exit code (JSON, a number). The last frame. */
  exit: 'X',
} as const

export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

export interface Frame {
  /** A letter of `FRAME`, or one that this version does not know and leaves alone. */
  readonly kind: string
  readonly payload: Buffer
}

/** Longer than any command line that an operating system takes. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024
const HEAD_BYTES = 5

const NOTHING: Buffer = Buffer.alloc(0)

/** One frame as it goes over the wire. A text is sent as UTF-8. */
export function encodeFrame(kind: FrameKind, payload: Uint8Array | string = NOTHING): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(body.byteLength, 1)
  return Buffer.concat([head, body])
}

/** Puts the frames of one connection together again. */
export class FrameReader {
  #rest: Buffer = NOTHING

  /** The frames that are whole with this chunk. Throws `RangeError` for what can't be a frame of ours. */
  push(chunk: Buffer): readonly Frame[] {
    let bytes = this.#rest.byteLength === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const frames: Frame[] = []
    while (bytes.byteLength >= HEAD_BYTES) {
      const length = bytes.readUInt32BE(1)
      if (length > MAX_PAYLOAD_BYTES)
        throw new RangeError(`a frame of ${length} bytes; at most ${MAX_PAYLOAD_BYTES} are read`)
      const end = HEAD_BYTES + length
      if (bytes.byteLength < end) break
      frames.push({ kind: bytes.toString('latin1', 0, 1), payload: bytes.subarray(HEAD_BYTES, end) })
      bytes = bytes.subarray(end)
    }
    this.#rest = bytes
    return frames
  }
}

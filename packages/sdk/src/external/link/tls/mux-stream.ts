/** One stream of a TLS link, with flow control of its own. */
import { type Deferred, deferred } from '../deferred.ts'
import type { LinkStream } from '../link.ts'
import { StreamReset } from '../stream-reset.ts'
import { FLAG, TYPE, WINDOW_BYTES } from './mux-frames.ts'

const DONE: Promise<void> = Promise.resolve()
/** What a stream sends before others have their turn; a record of TLS holds as much. */
const TURN_BYTES = 16 * 1024
/** Pieces that wait to be read, before they are made one: many small ones would cost far more than their bytes. */
const MAX_PIECES = 64
const NOTHING: Uint8Array = Buffer.alloc(0)

/** What a stream needs of its connection. */
export interface MuxHome {
  /** Whether the socket takes more now. */
  readonly hasRoom: boolean
  /** Sends a frame; `length` is that of `bytes` for data. */
  send(type: number, flags: number, streamId: number, length: number, bytes?: Uint8Array): void
  /** The stream has something to send when there is room. */
  block(stream: MuxStream): void
  /** Both directions have ended. */
  forget(stream: MuxStream): void
}

interface WaitingWrite extends Deferred<void> {
  bytes: Uint8Array
}

export class MuxStream implements LinkStream {
  readonly id: number
  readonly #home: MuxHome
  /** To be said with the next frame: that the stream is a new one. */
  #flags: number
  #pieces: Uint8Array[] = []
  /** What the peer may send now. */
  #receiveWindow = WINDOW_BYTES
  /** What was read and not yet allowed again. */
  #consumed = 0
  #reader: Deferred<Uint8Array | undefined> | undefined
  #hasPeerEnded = false
  #sendWindow = WINDOW_BYTES
  readonly #writes: WaitingWrite[] = []
  #isEnding = false
  #hasEnded = false
  #failure: Error | undefined
  #controller: AbortController | undefined

  constructor(id: number, home: MuxHome, isOurs: boolean) {
    this.id = id
    this.#home = home
    this.#flags = isOurs ? FLAG.syn : 0
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#failure !== undefined) this.#controller.abort(this.#failure)
    }
    return this.#controller.signal
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader !== undefined) throw new TypeError('a stream is read by one reader, one read after the other')
    if (this.#failure !== undefined) throw this.#failure
    const piece = this.#pieces.shift()
    if (piece !== undefined) {
      this.#allow(piece.length)
      return piece
    }
    if (this.#hasPeerEnded) return undefined
    this.#reader = deferred()
    return this.#reader.promise
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isEnding) return Promise.reject(new TypeError('nothing can be written to a stream after its end'))
    const rest = this.#writes.length === 0 ? this.#send(bytes) : bytes
    if (rest.length === 0) return DONE
    const waiting = Object.assign(deferred<void>(), { bytes: rest })
    this.#writes.push(waiting)
    this.#home.block(this)
    return waiting.promise
  }

  end(): void {
    if (this.#isEnding || this.#failure !== undefined) return
    this.#isEnding = true
    if (this.#writes.length === 0) this.#sendEnd()
  }

  reset(code: number): void {
    if (this.#failure !== undefined || (this.#hasEnded && this.#hasPeerEnded)) return
    // A stream that the peer never heard of needs no end.
    if (this.#flags !== FLAG.syn) this.#home.send(TYPE.window, FLAG.rst, this.id, code)
    this.fail(new StreamReset(code, `this side cut the stream off with code ${code}`))
  }

  /** Bytes came. Whether they were allowed. */
  onData(bytes: Uint8Array): boolean {
    this.#receiveWindow -= bytes.length
    if (this.#receiveWindow < 0 || this.#hasPeerEnded) return bytes.length === 0
    if (bytes.length === 0 || this.#failure !== undefined) return true
    const reader = this.#reader
    this.#reader = undefined
    if (reader === undefined) this.#keep(bytes)
    else {
      this.#allow(bytes.length)
      reader.resolve(bytes)
    }
    return true
  }

  /** The peer sends no more. */
  onEnd(): void {
    this.#hasPeerEnded = true
    this.#reader?.resolve(undefined)
    this.#reader = undefined
    this.#settle()
  }

  /** The peer takes so much more. */
  onWindow(bytes: number): void {
    this.#sendWindow += bytes
    if (this.#writes.length > 0) this.#home.block(this)
  }

  /** Sends as much as one turn has. Whether the stream has more to send that may be sent now. */
  pump(): boolean {
    const [waiting] = this.#writes
    if (waiting === undefined) return false
    waiting.bytes = this.#sendPiece(waiting.bytes)
    if (waiting.bytes.length > 0) return this.#sendWindow > 0
    this.#writes.shift()
    waiting.resolve()
    if (this.#writes.length > 0) return this.#sendWindow > 0
    if (this.#isEnding) this.#sendEnd()
    return false
  }

  /** Ends whatever has not ended, for this reason. */
  fail(reason: Error): void {
    if (this.#failure !== undefined || (this.#hasEnded && this.#hasPeerEnded && this.#pieces.length === 0)) return
    this.#failure = reason
    this.#pieces = []
    this.#reader?.reject(reason)
    this.#reader = undefined
    for (const waiting of this.#writes.splice(0)) waiting.reject(reason)
    this.#controller?.abort(reason)
    this.#home.forget(this)
  }

  /** What could not be sent now. */
  #send(bytes: Uint8Array): Uint8Array {
    let rest = bytes
    while (rest.length > 0 && this.#sendWindow > 0 && this.#home.hasRoom) rest = this.#sendPiece(rest)
    return rest
  }

  #sendPiece(bytes: Uint8Array): Uint8Array {
    const piece = bytes.subarray(0, Math.min(TURN_BYTES, this.#sendWindow))
    this.#sendWindow -= piece.length
    if (piece.length > 0) this.#home.send(TYPE.data, this.#takeFlags(), this.id, piece.length, piece)
    return bytes.subarray(piece.length)
  }

  #sendEnd(): void {
    this.#hasEnded = true
    this.#home.send(TYPE.data, this.#takeFlags() | FLAG.fin, this.id, 0)
    this.#settle()
  }

  #takeFlags(): number {
    const flags = this.#flags
    this.#flags = 0
    return flags
  }

  #keep(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    if (this.#pieces.length > MAX_PIECES) this.#pieces = [Buffer.concat(this.#pieces)]
  }

  /** Lets the peer send again what was read, in steps of half a window. */
  #allow(bytes: number): void {
    this.#consumed += bytes
    if (this.#consumed < WINDOW_BYTES / 2 || this.#hasPeerEnded) return
    this.#home.send(TYPE.window, this.#takeFlags(), this.id, this.#consumed, NOTHING)
    this.#receiveWindow += this.#consumed
    this.#consumed = 0
  }

  #settle(): void {
    if (this.#hasEnded && this.#hasPeerEnded) this.#home.forget(this)
  }
}

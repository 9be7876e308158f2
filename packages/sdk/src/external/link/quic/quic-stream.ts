/** One stream of a QUIC link. quiche holds what came and what is to go; here is only who waits for it. */
import { type Deferred, deferred } from '../deferred.ts'
import type { LinkStream } from '../link.ts'
import { LinkError } from '../link-error.ts'
import { RESET, StreamReset } from '../stream-reset.ts'
import { isForgotten, type QuicheConnection, resetCodeOf } from './quiche.ts'

/** quiche's numbers of the two directions. */
const READING = 0
const WRITING = 1

const NOTHING = Buffer.alloc(0)
const DONE: Promise<void> = Promise.resolve()
/** Where pieces come out of quiche, one after the other, before they are copied. */
const SCRATCH: Uint8Array = Buffer.alloc(64 * 1024)

/** What a stream needs of its connection. */
export interface StreamHome {
  readonly connection: QuicheConnection
  /** How often everything that was to be sent has been sent. */
  readonly flushes: number
  /** Something is to be sent. */
  kick(): void
  /** Sends what is to be sent, before anything else happens. */
  flush(): void
  /** The stream has to be pumped when there may be room again. */
  block(stream: QuicStream): void
  /** The stream wants to know when the peer reads no more, though it writes nothing. */
  watch(stream: QuicStream): void
  /** Both directions have ended. */
  forget(stream: QuicStream): void
}

interface WaitingWrite extends Deferred<void> {
  bytes: Uint8Array
}

export class QuicStream implements LinkStream {
  readonly id: number
  readonly #home: StreamHome
  #reader: Deferred<Uint8Array | undefined> | undefined
  #hasReadAll = false
  #readFailure: Error | undefined
  readonly #writes: WaitingWrite[] = []
  #isEnding = false
  #hasWrittenAll = false
  #writeFailure: Error | undefined
  /** The flush that sends what was written last. */
  #flushOfLast = -1
  #cut: Error | undefined
  #controller: AbortController | undefined

  constructor(id: number, home: StreamHome) {
    this.id = id
    this.#home = home
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cut !== undefined) this.#controller.abort(this.#cut)
      else if (this.#mayWrite) this.#home.watch(this)
    }
    return this.#controller.signal
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader !== undefined) throw new TypeError('a stream is read by one reader, one read after the other')
    const bytes = this.#mayRead ? this.#receive() : undefined
    if (bytes !== undefined) return bytes
    if (this.#readFailure !== undefined) throw this.#readFailure
    if (this.#hasReadAll) return undefined
    this.#reader = deferred()
    return this.#reader.promise
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#writeFailure !== undefined) return Promise.reject(this.#writeFailure)
    if (this.#isEnding) return Promise.reject(new TypeError('nothing can be written to a stream after its end'))
    if (bytes.length === 0) return DONE
    const taken = this.#writes.length === 0 ? this.#send(bytes) : 0
    if (taken === bytes.length) return DONE
    if (this.#writeFailure !== undefined) return Promise.reject(this.#writeFailure)
    const waiting = Object.assign(deferred<void>(), { bytes: bytes.subarray(taken) })
    this.#writes.push(waiting)
    this.#home.block(this)
    return waiting.promise
  }

  end(): void {
    if (!this.#mayWrite || this.#isEnding) return
    this.#isEnding = true
    if (this.#writes.length === 0) this.#sendEnd()
  }

  reset(code: number): void {
    if (!this.#mayRead && !this.#mayWrite) return
    if (this.#mayWrite) this.#shutDown(WRITING, code)
    if (this.#mayRead) this.#shutDown(READING, code)
    this.#home.kick()
    this.fail(new StreamReset(code, `this side cut the stream off with code ${code}`))
  }

  /** Something may be there to read. */
  onReadable(): void {
    const reader = this.#reader
    if (reader === undefined || !this.#mayRead) return
    const bytes = this.#receive()
    if (bytes === undefined && this.#mayRead) return
    this.#reader = undefined
    if (this.#readFailure === undefined) reader.resolve(bytes)
    else reader.reject(this.#readFailure)
  }

  /** Sends what waits, as far as there is room. Whether all of it went. */
  pump(): boolean {
    for (let waiting = this.#writes[0]; waiting !== undefined; waiting = this.#writes[0]) {
      const taken = this.#send(waiting.bytes)
      if (this.#writeFailure !== undefined) return true
      if (taken < waiting.bytes.length) {
        waiting.bytes = waiting.bytes.subarray(taken)
        return false
      }
      this.#writes.shift()
      waiting.resolve()
    }
    if (this.#isEnding && this.#mayWrite) this.#sendEnd()
    return true
  }

  /** Looks whether the peer still reads. Whether that is worth looking at again. */
  checkReader(): boolean {
    if (!this.#mayWrite) return false
    try {
      this.#home.connection.streamCapacity(this.id)
      return true
    } catch (error) {
      this.#cutWriting(streamFailure(error))
      return false
    }
  }

  /** Ends whatever has not ended, for this reason. */
  fail(reason: Error): void {
    if (this.#mayRead) this.#readFailure = reason
    this.#reader?.reject(reason)
    this.#reader = undefined
    if (this.#mayWrite) this.#cutWriting(reason)
    this.#cutOff(reason)
    this.#settle()
  }

  get #mayRead(): boolean {
    return !this.#hasReadAll && this.#readFailure === undefined
  }

  get #mayWrite(): boolean {
    return !this.#hasWrittenAll && this.#writeFailure === undefined
  }

  /** The next piece; without one, look at how reading ended. */
  #receive(): Uint8Array | undefined {
    try {
      const received = this.#home.connection.streamRecv(this.id, SCRATCH)
      if (received === null) return undefined
      const [length, isLast] = received
      // The peer has to learn that there is room again.
      this.#home.kick()
      if (isLast) {
        this.#hasReadAll = true
        this.#settle()
      }
      return length === 0 ? undefined : Buffer.copyBytesFrom(SCRATCH, 0, length)
    } catch (error) {
      this.#readFailure = streamFailure(error)
      this.#cutOff(this.#readFailure)
      this.#settle()
      return undefined
    }
  }

  /** How much was taken. */
  #send(bytes: Uint8Array): number {
    try {
      const taken = this.#home.connection.streamSend(this.id, bytes, false) ?? 0
      if (taken > 0) {
        this.#flushOfLast = this.#home.flushes
        this.#home.kick()
      }
      return taken
    } catch (error) {
      this.#cutWriting(streamFailure(error))
      return 0
    }
  }

  /**
   * An end goes with the last bytes when they have not gone yet. One that comes later has to go at once: quiche forgets
   * it when the peer has ended too and acknowledges the last bytes first, and does not send it again when it is lost.
   */
  #sendEnd(): void {
    try {
      this.#home.connection.streamSend(this.id, NOTHING, true)
      this.#hasWrittenAll = true
      if (this.#flushOfLast === this.#home.flushes) this.#home.kick()
      else this.#home.flush()
      this.#settle()
    } catch (error) {
      this.#cutWriting(streamFailure(error))
    }
  }

  #cutWriting(reason: Error): void {
    this.#writeFailure = reason
    for (const waiting of this.#writes.splice(0)) waiting.reject(reason)
    this.#cutOff(reason)
    this.#settle()
  }

  #cutOff(reason: Error): void {
    this.#cut ??= reason
    this.#controller?.abort(reason)
  }

  #shutDown(direction: number, code: number): void {
    try {
      this.#home.connection.streamShutdown(this.id, direction, code)
    } catch {
      // It says that this direction has ended already, which is what is wanted.
    }
  }

  #settle(): void {
    if (!this.#mayRead && !this.#mayWrite) this.#home.forget(this)
  }
}

function streamFailure(thrown: unknown): Error {
  const code = resetCodeOf(thrown)
  if (code !== undefined) return new StreamReset(code)
  // quiche forgets a stream at once when the peer reads no more and has acknowledged all that was sent, and the code
  // with it.
  if (isForgotten(thrown)) return new StreamReset(RESET.cancelled, 'the peer reads no more of the stream')
  return new LinkError('broken', `the stream is broken: ${String(thrown)}`, { cause: thrown })
}

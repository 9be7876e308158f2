/** A link without a network, one end of which is in the hands of the test, byte by byte. */
import { type Link, LinkError, type LinkStream, type PeerIdentity, RESET, StreamReset } from '@callboard/sdk/external'
import { Backlog } from '../../packages/sdk/src/external/link/backlog.ts'

/** The end that is tested. */
export class MemoryLink implements Link {
  readonly transport = 'quic'
  readonly protocol = 'callboard/1'
  readonly peer: PeerIdentity = { uris: [], fingerprint: '' }
  readonly incoming: Backlog<LinkStream> = new Backlog()
  readonly ended: Promise<LinkError>
  readonly #end: (reason: LinkError) => void
  readonly #onOpen: (stream: MemoryStream) => void
  readonly #streams = new Set<MemoryStream>()
  #reason: LinkError | undefined

  /** `onOpen` is given each stream that this end opens, before anything is written to it. */
  constructor(onOpen: (stream: MemoryStream) => void) {
    this.#onOpen = onOpen
    const { promise, resolve } = Promise.withResolvers<LinkError>()
    this.ended = promise
    this.#end = resolve
  }

  async openStream(): Promise<LinkStream> {
    if (this.#reason !== undefined) throw this.#reason
    const stream = this.#add()
    this.#onOpen(stream)
    return stream
  }

  /** The peer opens a stream. */
  accept(): MemoryStream {
    const stream = this.#add()
    if (this.#reason === undefined) this.incoming.put(stream)
    return stream
  }

  close(reason = ''): void {
    if (this.#reason !== undefined) return
    this.#reason = new LinkError('closed', `closed here: ${reason}`)
    for (const stream of this.#streams) stream.fail(this.#reason)
    this.incoming.end()
    this.#end(this.#reason)
  }

  #add(): MemoryStream {
    const stream = new MemoryStream(this.#streams.size)
    this.#streams.add(stream)
    return stream
  }
}

/** A stream of it; what the tested end writes is counted and forgotten. */
export class MemoryStream implements LinkStream {
  readonly id: number
  readonly #pieces: Uint8Array[] = []
  readonly #controller = new AbortController()
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined
  #failure: Error | undefined
  #hasPeerEnded = false
  bytesWritten = 0
  /** Whether the tested end is done with it, one way or the other. */
  isOver = false

  constructor(id: number) {
    this.id = id
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async read(): Promise<Uint8Array | undefined> {
    const piece = this.#pieces.shift()
    if (piece !== undefined) return piece
    if (this.#failure !== undefined) throw this.#failure
    if (this.#hasPeerEnded) return undefined
    this.#reader = Promise.withResolvers()
    return this.#reader.promise
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.bytesWritten += bytes.length
  }

  end(): void {
    this.isOver = true
  }

  reset(code: number): void {
    this.isOver = true
    this.fail(new StreamReset(code))
  }

  /** The peer sends bytes, which are this end's from now on. */
  give(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#failure !== undefined) return
    const reader = this.#take()
    if (reader === undefined) this.#pieces.push(bytes)
    else reader.resolve(bytes)
  }

  /** The peer sends no more. */
  giveEnd(): void {
    this.#hasPeerEnded = true
    this.#take()?.resolve(undefined)
  }

  giveReset(): void {
    this.fail(new StreamReset(RESET.cancelled))
  }

  fail(reason: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = reason
    this.#pieces.length = 0
    this.#take()?.reject(reason)
    this.#controller.abort(reason)
  }

  #take(): PromiseWithResolvers<Uint8Array | undefined> | undefined {
    const reader = this.#reader
    this.#reader = undefined
    return reader
  }
}

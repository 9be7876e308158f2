/** What a command writes, on its way to a reader who may be slow: sent piece by piece, as fast as it is read. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { encodeFrame, type FrameKind } from './frames.ts'

/** Small enough to leave the event loop to others between two pieces. */
const PIECE_LENGTH = 32 * 1024

interface Piece {
  readonly kind: FrameKind
  readonly content: string | Uint8Array
}

/**
 * Texts and bytes wait as they are, neither copied nor encoded before their turn: a slow reader costs no more than the
 * answer that it reads, and one that goes away costs nothing.
 */
export class OutputQueue {
  readonly #socket: Socket
  readonly #signal: AbortSignal
  #waiting: Piece[] = []
  #sending: Promise<void> | undefined

  /** `signal` is aborted when the socket has closed. */
  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
  }

  write(kind: FrameKind, content: string | Uint8Array): void {
    if (content.length === 0 || this.#signal.aborted) return
    this.#waiting.push({ kind, content })
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Forgets what was not sent yet. */
  drop(): void {
    this.#waiting = []
  }

  /** Resolves when everything is on its way, or nobody reads any more. */
  async sent(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    for (let piece = this.#waiting.shift(); piece !== undefined; piece = this.#waiting.shift()) {
      const waiting = this.#waiting
      for (const part of partsOf(piece.content)) {
        if (waiting !== this.#waiting) break
        if (!(await this.#sendFrame(encodeFrame(piece.kind, part)))) return this.drop()
      }
    }
  }

  /** Whether somebody still reads. */
  async #sendFrame(frame: Buffer): Promise<boolean> {
    if (this.#signal.aborted || !this.#socket.writable) return false
    if (this.#socket.write(frame)) return true
    try {
      await once(this.#socket, 'drain', { signal: this.#signal })
      return true
    } catch {
      // It has closed, which is all that there is to know.
      return false
    }
  }
}

/** A text is never cut between the two halves of one character. */
function* partsOf(content: string | Uint8Array): Generator<string | Uint8Array> {
  for (let at = 0; at < content.length; ) {
    const end = Math.min(at + PIECE_LENGTH, content.length)
    if (typeof content === 'string') {
      const last = content.charCodeAt(end - 1)
      const isHalf = end < content.length && last >= 0xd800 && last <= 0xdbff
      yield content.slice(at, isHalf ? end - 1 : end)
      at = isHalf ? end - 1 : end
    } else {
      yield content.subarray(at, end)
      at = end
    }
  }
}

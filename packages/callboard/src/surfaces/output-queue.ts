/** What a client is sent, on its way to a reader who may be slow: written piece by piece, as fast as it is taken. */
import type { Writable } from 'node:stream'
import type { Reader, ReaderName, Readers } from './readers.ts'

/**
 * Small enough to leave the event loop to others between two pieces, and to tell a slow reader from one who takes
 * nothing.
 */
export const PIECE_LENGTH: number = 64 * 1024

type Content = string | Uint8Array

interface Item {
  readonly content: Content
  /** What goes out for a part of it, where that is not the part as it is. */
  readonly encode: ((part: Content) => Content) | undefined
}

export interface OutputQueueOptions {
  /** All clients of the host, who are told of this one while something waits for it. */
  readonly readers: Readers
  who(): ReaderName
}

/**
 * Texts and bytes wait as they are, neither copied nor encoded before their turn, and are let go as they are taken: a
 * slow reader costs no more than the rest that it has to read, and one that goes away costs nothing.
 */
export class OutputQueue implements Reader {
  readonly who: ReaderName
  readonly #output: Writable
  readonly #readers: Readers
  /** The next one first. */
  #waiting: Item[] = []
  /** How much of the first has been written. */
  #at = 0
  /** How much waits here, besides what the output has. */
  #bytes = 0
  #isPaused = false
  #isEnding = false
  #sent: PromiseWithResolvers<void> | undefined

  constructor(output: Writable, { readers, who }: OutputQueueOptions) {
    this.#output = output
    this.#readers = readers
    // At once, since whatever it is taken from must not be kept as well.
    this.who = who()
  }

  get unread(): number {
    return this.#output.destroyed ? 0 : this.#bytes + this.#output.writableLength
  }

  write(contents: readonly Content[], encode?: Item['encode']): void {
    if (this.#isEnding || this.#output.destroyed || this.#output.writableEnded) return
    const before = this.#bytes
    for (const content of contents) {
      if (content.length === 0) continue
      this.#waiting.push({ content, encode })
      this.#bytes += content.length
    }
    const written = this.#bytes - before
    this.#send()
    if (this.#isPaused) this.#readers.wait(this, written)
  }

  /** Ends the output when all of it has been written; what waits then has to be taken still. */
  end(): void {
    if (this.#isEnding || this.#output.destroyed) return
    this.#isEnding = true
    this.#send()
    if (this.unread > 0) this.#readers.wait(this, 0)
  }

  /** Resolves when nothing waits here any more: it is on its way, or was dropped. */
  sent(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve()
    this.#sent ??= Promise.withResolvers()
    return this.#sent.promise
  }

  /** Forgets what was not written yet. */
  drop(): void {
    this.#waiting = []
    this.#at = 0
    this.#bytes = 0
    this.#tellSent()
  }

  cut(): void {
    this.drop()
    this.#output.destroy()
  }

  #send(): void {
    if (this.#isPaused || this.#output.destroyed) return
    while (!this.#output.writableNeedDrain) {
      const part = this.#next()
      if (part === undefined) break
      this.#output.write(part)
    }
    if (this.#waiting.length === 0) this.#tellSent()
    if (this.#output.writableNeedDrain) this.#pause()
    else if (this.#isEnding) this.#output.end()
  }

  #tellSent(): void {
    this.#sent?.resolve()
    this.#sent = undefined
  }

  #pause(): void {
    this.#isPaused = true
    const goOn = (): void => {
      this.#isPaused = false
      this.#output.off('close', dropAll)
      this.#send()
    }
    const dropAll = (): void => this.drop()
    // Not at once: a reader who takes everything at once would leave no turn to anybody else.
    this.#output.once('drain', () => setImmediate(goOn)).once('close', dropAll)
  }

  #next(): Content | undefined {
    const [item] = this.#waiting
    if (item === undefined) return undefined
    const part = partAt(item.content, this.#at)
    this.#at += part.length
    this.#bytes -= part.length
    if (this.#at >= item.content.length) {
      this.#waiting.shift()
      this.#at = 0
    }
    return item.encode === undefined ? part : item.encode(part)
  }
}

/** A text is never cut between the two halves of one character. */
function partAt(content: Content, at: number): Content {
  const end = Math.min(at + PIECE_LENGTH, content.length)
  if (typeof content !== 'string') return content.subarray(at, end)
  const last = content.charCodeAt(end - 1)
  const isHalf = end < content.length && last >= 0xd800 && last <= 0xdbff
  return content.slice(at, isHalf ? end - 1 : end)
}

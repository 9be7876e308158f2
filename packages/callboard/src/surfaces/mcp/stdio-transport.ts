/**
 * MCP messages as lines on two streams; unlike the SDK's own transport it answers what it can't read, and what it can't
 * write.
 */
import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { DEFAULT_READER_LIMITS } from '../readers.ts'
import { answerToUnreadable } from './answer-to-unreadable.ts'
import { framed, messageText } from './message-text.ts'
import { readMessage } from './written-arguments.ts'

/** How many bytes may wait for a client that reads slowly before progress and log messages of its calls are dropped. */
const BACKLOG_BYTES = 1024 * 1024

/**
 * How many bytes may wait before nothing more is read of the client until it has taken them: it is the only one here,
 * so nobody else has to be spared, and it may hold no more than the clients of HTTP do.
 */
const FULL_BYTES = DEFAULT_READER_LIMITS.maxBytes

const MAY_BE_MISSED: readonly string[] = ['notifications/progress', 'notifications/message']

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #lines: Readable
  readonly #output: Writable
  readonly #log: Log
  #closed = false
  #dropped = 0

  /**
   * @param lines of which each chunk is whole lines, as `wholeLines` makes them; closing the transport only stops
   * reading
   */
  constructor(lines: Readable, output: Writable, log: Log) {
    this.#lines = lines
    this.#output = output
    this.#log = log
  }

  async start(): Promise<void> {
    if (this.#lines.readableEnded || this.#lines.destroyed) setImmediate(this.#end)
    this.#lines.on('data', this.#read).on('error', this.#fail).on('end', this.#end).on('close', this.#end)
    this.#output.on('error', this.#fail)
  }

  /**
   * Resolves when the message has been taken; rejects for a notification that JSON can't hold, and when nobody reads
   * any more.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('the connection on stdio is closed')
    if ('method' in message && this.#output.writableLength > BACKLOG_BYTES && MAY_BE_MISSED.includes(message.method)) {
      this.#dropped += 1
      return
    }
    const { pieces } = messageText(message, this.#log)
    const line = framed('', pieces, '\n')
    await new Promise<void>((resolve, reject) => {
      for (const piece of line.slice(0, -1)) this.#output.write(piece)
      this.#output.write(line.at(-1), (error) => (error ? reject(error) : resolve()))
      if (this.#output.writableLength > FULL_BYTES) this.#hold()
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#lines.off('data', this.#read).off('error', this.#fail).off('end', this.#end).off('close', this.#end)
    // `#output` keeps its listener: what it could not write is told late, and unheard it would end the process.
    if (this.#lines.listenerCount('data') === 0) this.#lines.pause()
    if (this.#dropped > 0)
      this.#log.warn({ dropped: this.#dropped }, 'messages of calls were dropped, because the client reads too slowly')
    this.onclose?.()
  }

  /** Reads nothing more until everything has been taken. */
  #hold(): void {
    if (this.#closed || this.#lines.isPaused()) return
    this.#lines.pause()
    this.#output.once('drain', () => {
      if (!this.#closed) this.#lines.resume()
    })
  }

  readonly #end = (): void => {
    void this.close()
  }

  readonly #fail = (error: Error): void => {
    if (this.#closed) return
    this.onerror?.(error)
    void this.close()
  }

  readonly #read = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && !this.#closed; ) {
      const end = chunk.indexOf('\n', at)
      const line = chunk.toString('utf8', at, end < 0 ? chunk.length : end).trim()
      at = end < 0 ? chunk.length : end + 1
      if (line !== '') this.#take(line)
    }
  }

  #take(line: string): void {
    let value: unknown
    let message: JSONRPCMessage
    try {
      value = readMessage(line)
      message = parseJSONRPCMessage(value)
    } catch (thrown) {
      const answer = answerToUnreadable(value)
      this.onerror?.(new Error(answer?.error.message ?? messageOf(thrown)))
      if (answer !== undefined) this.#output.write(`${JSON.stringify(answer)}\n`)
      return
    }
    this.onmessage?.(message)
  }
}

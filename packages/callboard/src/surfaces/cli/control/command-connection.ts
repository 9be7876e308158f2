/**
 * One command that came over the control socket: its words are run in this process, its streams are the other end's.
 */
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { CallboardError } from '../../../errors.ts'
import { OutputQueue } from '../../output-queue.ts'
import type { Readers } from '../../readers.ts'
import { createTerminal, type Terminal } from '../output/terminal.ts'
import { encodeFrame, FRAME, type Frame, type FrameKind, FrameReader } from './frames.ts'
import { type Hello, type OutputFacts, parseRunRequest, type RunRequest } from './messages.ts'

/** How often a command hears that the host is still there, in milliseconds. */
const BEAT_MS = 2_000
/** Far beyond the arguments of any tool; what is read is kept in the host's memory. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024

/** Runs the words of a command line and resolves with the exit code; never rejects. */
export type RunWords = (words: readonly string[], terminal: Terminal, signal: AbortSignal) => Promise<number>

export interface CommandConnectionOptions {
  readonly hello: Hello
  readonly run: RunWords
  /** All clients of the host for whom something waits. */
  readonly readers: Readers
}

/** The host's end of one connection. A connection that asks for nothing only waits for the host's end. */
export class CommandConnection {
  /** Resolves when the connection has closed and its command has ended. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #run: RunWords
  readonly #frames = new FrameReader()
  readonly #gone = new AbortController()
  /** Aborted when the command is to end, with the reason as a `CallboardError`. */
  readonly #ending = new AbortController()
  readonly #output: OutputQueue
  readonly #input = new PassThrough({ highWaterMark: MAX_INPUT_BYTES })
  #inputBytes = 0
  #running: Promise<void> | undefined

  constructor(socket: Socket, { hello, run, readers }: CommandConnectionOptions) {
    this.#socket = socket
    this.#run = run
    this.#output = new OutputQueue(socket, { readers, who: () => ({ via: 'command line' }) })
    // A reader who is gone is told of by 'close', and why it went makes no difference.
    socket.on('error', () => undefined)
    this.#input.on('error', () => undefined)
    this.closed = new Promise((resolve) => socket.once('close', () => resolve(this.#lost())))
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.write(encodeFrame(FRAME.hello, JSON.stringify(hello)))
  }

  /** Ends the command, if one runs, with this reason, and the connection when it has said its last words. */
  async end(reason: CallboardError): Promise<void> {
    this.#ending.abort(reason)
    await this.#running
    this.#socket.end()
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#socket.destroy()
  }

  async #lost(): Promise<void> {
    const reason = new CallboardError('cancelled', 'the command has gone')
    this.#gone.abort(reason)
    this.#ending.abort(reason)
    this.#input.destroy(reason)
    await this.#running
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) this.#take(frame)
    } catch (error) {
      // It is no command of ours, whatever it is.
      if (!(error instanceof RangeError)) throw error
      this.destroy()
    }
  }

  #take({ kind, payload }: Frame): void {
    if (kind === FRAME.run) this.#begin(payload)
    else if (kind === FRAME.input) this.#takeInput(payload)
    else if (kind === FRAME.cancel) {
      this.#ending.abort(new CallboardError('cancelled', 'interrupted'))
      this.#output.drop()
    }
  }

  #takeInput(piece: Buffer): void {
    this.#inputBytes += piece.byteLength
    if (this.#inputBytes > MAX_INPUT_BYTES)
      this.#input.destroy(
        new CallboardError('invalid_arguments', `standard input is longer than ${MAX_INPUT_BYTES / 1024 / 1024} MB`),
      )
    else if (piece.byteLength === 0) this.#input.end()
    else if (!this.#input.destroyed) this.#input.write(piece)
  }

  #begin(payload: Buffer): void {
    const request = parseRunRequest(payload)
    if (request === undefined || this.#running !== undefined) this.destroy()
    else this.#running = this.#perform(request)
  }

  async #perform(request: RunRequest): Promise<void> {
    const beat = setInterval(() => {
      if (this.#socket.writable && !this.#socket.writableNeedDrain) this.#socket.write(encodeFrame(FRAME.beat))
    }, BEAT_MS)
    try {
      const code = await this.#run(request.words, this.#terminalOf(request), this.#ending.signal)
      await this.#output.sent()
      if (this.#socket.writable) this.#socket.end(encodeFrame(FRAME.exit, JSON.stringify(code)))
    } finally {
      clearInterval(beat)
    }
  }

  #terminalOf({ stdout, stderr, env }: RunRequest): Terminal {
    const stream = (kind: 'O' | 'E', { isTerminal, columns }: OutputFacts) => ({
      isTTY: isTerminal,
      ...(columns !== undefined && { columns }),
      write: (text: string) => this.#write(kind, text),
    })
    const streams = { stdout: stream(FRAME.output, stdout), stderr: stream(FRAME.error, stderr), stdin: this.#stdin() }
    return {
      ...createTerminal(streams, env),
      showElsewhere: (pieces, form) => {
        for (const piece of pieces) this.#write(FRAME.result, piece)
        this.#write(FRAME.show, JSON.stringify(form))
      },
    }
  }

  #write(kind: FrameKind, content: string | Uint8Array): void {
    this.#output.write([content], (part) => encodeFrame(kind, part))
  }

  /** Standard input, asked for when somebody reads it. */
  async *#stdin(): AsyncGenerator<Buffer> {
    if (this.#socket.writable) this.#socket.write(encodeFrame(FRAME.wantInput))
    for await (const piece of this.#input) yield piece
  }
}

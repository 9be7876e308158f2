/** Runs a command in the host that serves its config: sends the words, and hands streams and exit code through. */
import type { Readable, Writable } from 'node:stream'
import { CallboardError } from '../../../errors.ts'
import { readJson } from '../../../exact-json.ts'
import { createTerminal } from '../output/terminal.ts'
import { writeToolResult } from '../output/tool-result.ts'
import type { HostConnection } from './find-host.ts'
import { encodeFrame, FRAME, type Frame } from './frames.ts'
import { type OutputFacts, parseExit, parseResultForm, type RunRequest } from './messages.ts'

/** A host sends a sign of life every two seconds; one that sends none for so long hangs. In milliseconds. */
const SILENCE_MS = 15_000
/** How long the host may take to end a command that was cancelled, in milliseconds. */
const CANCEL_MS = 5_000
const TICK_MS = 500

/** The process's own streams. */
interface CommandStreams {
  readonly stdin: Readable
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
}

export interface ThroughHostOptions {
  readonly streams: CommandStreams
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the command is to end; the host is told, and its last words are waited for. */
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly silenceMs?: number
}

/**
 * Resolves with the exit code. Standard input is read only if the command wants it. Throws `interrupted` when the host
 * ends or falls silent before that: the command may have done its work or not, so it is not run again.
 */
export function runThroughHost(
  words: readonly string[],
  connection: HostConnection,
  options: ThroughHostOptions,
): Promise<number> {
  return new RemoteCommand(connection, options).run(words)
}

function factsOf({ isTTY, columns }: CommandStreams['stdout']): OutputFacts {
  return { isTerminal: isTTY === true, ...(columns !== undefined && { columns }) }
}

class RemoteCommand {
  readonly #connection: HostConnection
  readonly #options: ThroughHostOptions
  readonly #exit = Promise.withResolvers<number>()
  /** The ways to release what this command holds. */
  readonly #held: (() => void)[] = []
  /** The pieces of a large result, which this process reads. */
  readonly #result: Buffer[] = []
  #silentMs = 0
  #cancelledMs: number | undefined

  constructor(connection: HostConnection, options: ThroughHostOptions) {
    this.#connection = connection
    this.#options = options
  }

  async run(words: readonly string[]): Promise<number> {
    const { socket, early } = this.#connection
    const { signal, streams, env } = this.#options
    try {
      socket.on('data', (chunk: Buffer) => this.#read(chunk))
      socket.on('error', () => this.#broken('has ended, or has cut it off,'))
      socket.on('close', () => this.#broken('has ended, or has cut it off,'))
      const timer = setInterval(() => this.#tick(), TICK_MS)
      this.#held.push(() => clearInterval(timer))
      const { NO_COLOR, TERM } = env
      const request: RunRequest = {
        words,
        stdout: factsOf(streams.stdout),
        stderr: factsOf(streams.stderr),
        env: { ...(NO_COLOR !== undefined && { NO_COLOR }), ...(TERM !== undefined && { TERM }) },
      }
      socket.write(encodeFrame(FRAME.run, JSON.stringify(request)))
      const cancel = () => this.#cancel()
      signal.addEventListener('abort', cancel, { once: true })
      this.#held.push(() => signal.removeEventListener('abort', cancel))
      if (signal.aborted) cancel()
      for (const frame of early) this.#take(frame)
      socket.resume()
      return await this.#exit.promise
    } finally {
      for (const release of this.#held) release()
      socket.destroy()
    }
  }

  #read(chunk: Buffer): void {
    this.#silentMs = 0
    try {
      for (const frame of this.#connection.frames.push(chunk)) this.#take(frame)
    } catch (error) {
      this.#exit.reject(error)
    }
  }

  #take({ kind, payload }: Frame): void {
    const { stdout, stderr } = this.#options.streams
    // Whatever the pace of who reads it: what waits then waits in this process, and not in the host.
    if (kind === FRAME.output) stdout.write(payload)
    else if (kind === FRAME.error) stderr.write(payload)
    else if (kind === FRAME.result) this.#result.push(payload)
    else if (kind === FRAME.show) this.#show(payload)
    else if (kind === FRAME.wantInput) this.#sendInput()
    else if (kind === FRAME.exit) {
      const code = parseExit(payload)
      if (code === undefined) this.#broken('sent an exit code that is none')
      else this.#exit.resolve(code)
    }
  }

  #show(form: Buffer): void {
    const { streams, env } = this.#options
    const { written } = readJson(Buffer.concat(this.#result.splice(0)).toString('utf8'))
    writeToolResult(createTerminal(streams, env), Object(written), parseResultForm(form))
  }

  #sendInput(): void {
    const { stdin } = this.#options.streams
    const { socket } = this.#connection
    const send = (piece: Buffer | string) => {
      const bytes = Buffer.from(piece)
      if (bytes.byteLength === 0 || socket.write(encodeFrame(FRAME.input, bytes))) return
      stdin.pause()
      socket.once('drain', () => stdin.resume())
    }
    const end = () => {
      socket.write(encodeFrame(FRAME.input))
    }
    stdin.on('data', send).once('end', end)
    this.#held.push(() => void stdin.off('data', send).off('end', end).pause())
  }

  #cancel(): void {
    this.#cancelledMs = 0
    this.#connection.socket.write(encodeFrame(FRAME.cancel))
  }

  /** Counts turns, not the time of day, which goes on while a computer sleeps. */
  #tick(): void {
    const { silenceMs = SILENCE_MS } = this.#options
    if (this.#cancelledMs !== undefined) {
      this.#cancelledMs += TICK_MS
      if (this.#cancelledMs >= CANCEL_MS) this.#exit.reject(this.#options.signal.reason)
    }
    this.#silentMs += TICK_MS
    if (this.#silentMs >= silenceMs) this.#broken(`has not been heard of for ${silenceMs / 1000} s`)
  }

  #broken(what: string): void {
    const { pid } = this.#connection.hello
    this.#exit.reject(
      new CallboardError(
        'interrupted',
        `the running host (process ${pid}) ${what} in the middle of the command, which may have done its work or not`,
      ),
    )
  }
}

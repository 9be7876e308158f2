/**
 * The SDK's transport over a child process, which is ended with its whole group and may send large messages and noise.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { CallboardError, messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { mayLoseDigits } from '../../may-lose-digits.ts'
import type { Secrets } from '../../secrets.ts'
import { LineReader } from '../process/line-reader.ts'
import { OutputLog } from '../process/output-log.ts'
import { type ProcessCommand, ProcessGroup } from '../process/process-group.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import { whyNotStarted } from '../process/why-not-started.ts'
import { LARGE_BYTES, type LargeAnswer } from './large-answer.ts'
import { MAX_MESSAGE_BYTES, messagesIn } from './messages.ts'
import { takeLarge } from './take-large.ts'

/** With more than so many bytes unread, a server that asks gets no answer. */
const MAX_WAITING_FOR_ANSWERS = 1024 * 1024
const MAX_NOISE = 1_000
/** A handshake has no more messages than that. */
const FEW = 10
const MAX_SHOWN = 200

export interface StdioTransportOptions {
  readonly command: ProcessCommand
  readonly watcher: ProcessWatcher
  /** Names the plugin. */
  readonly log: Log
  /** Kept out of the log and of the last words. */
  readonly secrets: Secrets
  readonly maxMessageBytes?: number
}

/**
 * Unlike the SDK's own: the child leads a process group; a message may be 128 MiB; what is not JSON-RPC goes to the log
 * instead of failing anything; the reason of an end is known.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** Called with either end of a message beyond a bound, which is thrown away, and the words for it. */
  onlongmessage?: (edges: string, reason: string) => void
  /** Called with an answer that is better not read whole; false when it has to be all the same. */
  onlargeanswer?: (answer: LargeAnswer) => boolean
  /**
   * By this and `pid` the SDK knows a transport over a process, where a probe without an answer means an old server.
   */
  readonly stderr: null = null
  readonly #options: StdioTransportOptions
  readonly #stdout: LineReader
  readonly #stderr: OutputLog
  readonly #noise: OutputLog
  readonly #leftOut: OutputLog
  /** Those of the last line. */
  #messages: readonly JSONRPCMessage[] = []
  #group: ProcessGroup | undefined
  #end: string | undefined
  /** The beginning of the last message, while there were few: what came of a start that failed. */
  #lastMessage = ''
  #closing = false
  #received = 0
  #receivedBeforeInitialize: number | undefined
  #wasCalled = false

  constructor(options: StdioTransportOptions) {
    this.#options = options
    this.#stderr = new OutputLog(options.log, 'stderr', options.secrets)
    this.#noise = new OutputLog(options.log, 'stdout, not a message', options.secrets)
    this.#leftOut = new OutputLog(options.log, 'stdout, left out', options.secrets)
    const maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#stdout = new LineReader({
      maxBytes,
      onLine: (line) => this.#take(line),
      onLongLine: ({ head, tail, bytes }) => {
        const reason = `the server sent a message of ${bytes} bytes, which is more than the ${maxBytes} that are read`
        this.#leftOut.write(reason)
        this.onlongmessage?.(`${head}${tail}`, reason)
      },
      large: { fromBytes: LARGE_BYTES, take: (parts) => this.#takeLarge(parts) },
    })
  }

  get pid(): number | null {
    return this.#group?.pid ?? null
  }

  /** Whether nothing came before `initialize` was sent, or at all if it was not. */
  get probeIgnored(): boolean {
    return (this.#receivedBeforeInitialize ?? this.#received) === 0
  }

  /** How the process ended by itself, with its last words; undefined while it runs. */
  get end(): string | undefined {
    return this.#end
  }

  /** The last lines on stderr in one, else those on stdout that are no messages; empty when there were none. */
  get lastWords(): string {
    const lines = this.#stderr.lastLines.length > 0 ? this.#stderr.lastLines : this.#noise.lastLines
    return lines.join(' / ')
  }

  /**
   * The beginning of the last message, or of what has no end of a line yet; empty when nothing came, and once a tool
   * was called: what it answers is nobody's but its caller's.
   */
  get lastSaid(): string {
    return this.#wasCalled ? '' : this.#stdout.unfinished(MAX_SHOWN) || this.#lastMessage
  }

  /** Starts the process. Rejects with `unavailable` in words when it can't be started. */
  async start(): Promise<void> {
    const { command, log } = this.#options
    const group = await this.#spawn().catch((error: unknown) => {
      throw new CallboardError('unavailable', whyNotStarted(error, command), { cause: error })
    })
    log.debug({ pid: group.pid }, 'the server process was started')
    void group.exited.then((words) => this.#exited(words))
  }

  /** Some reasons are thrown at once, others told by the child. */
  async #spawn(): Promise<ProcessGroup> {
    const { command, watcher } = this.#options
    const group = new ProcessGroup(command, watcher)
    this.#group = group
    group.onOutput({
      stdout: (chunk) => this.#steps(chunk),
      stderr: (chunk) => this.#stderr.steps(chunk),
    })
    await group.started()
    return group
  }

  /** Rejects with `unavailable` once the process ended, or while it does not read what was sent before. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && message.method === 'tools/call') this.#wasCalled = true
    if ('method' in message && message.method === 'initialize') this.#receivedBeforeInitialize = this.#received
    const written = this.#end === undefined ? this.#group?.write(`${JSON.stringify(message)}\n`) : 'closed'
    if (written === 'full')
      throw new CallboardError('unavailable', 'the server does not read its input, and too much waits for it already')
    if (written !== 'written') throw new CallboardError('unavailable', this.#end ?? 'the server takes no more input')
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#group?.end()
    this.#flush()
    this.#closed()
  }

  #exited(words: string): void {
    if (this.#closing) return
    this.#flush()
    const { lastWords } = this
    this.#end = lastWords === '' ? `it ${words}` : `it ${words}; its last words: ${lastWords}`
    this.#closed()
  }

  #flush(): void {
    this.#group?.finishOutput()
    this.#stdout.end()
    for (const message of this.#messages) this.#receive(message)
    this.#messages = []
    this.#stderr.end()
    this.#noise.end()
    this.#leftOut.end()
  }

  #closed(): void {
    const { onclose } = this
    delete this.onclose
    onclose?.()
  }

  /** One message at a time, also of those that came in one line. */
  *#steps(chunk: Buffer): Generator<number, void> {
    for (const _ of this.#stdout.steps(chunk)) {
      const messages = this.#messages
      this.#messages = []
      for (const message of messages) {
        this.#receive(message)
        yield 1
      }
      if (messages.length === 0) yield 0
    }
  }

  #take(line: string): void {
    if (line === '' || this.#takeAsWritten(line)) return
    const messages = messagesIn(line)
    if (messages === undefined) this.#noise.write(line, MAX_NOISE)
    else this.#messages = messages
    // Not a part of the line itself, which would keep the whole.
    if (messages !== undefined && this.#received < FEW)
      this.#lastMessage = Buffer.from(line.slice(0, MAX_SHOWN)).toString()
  }

  /** Numbers that would come out otherwise are passed on as the bytes that they are. */
  #takeAsWritten(line: string): boolean {
    if (line.length >= LARGE_BYTES || !mayLoseDigits(line)) return false
    const steps = this.#takeLarge([Buffer.from(line)])
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
  }

  *#takeLarge(parts: readonly Buffer[]): Generator<undefined, boolean> {
    const taken = yield* takeLarge(parts, (answer) => this.onlargeanswer?.(answer) ?? false)
    if (taken === undefined) return false
    const { reason, edges, instead } = taken
    if (reason !== undefined) this.#leftOut.write(reason)
    if (reason !== undefined && edges !== undefined) this.onlongmessage?.(edges, reason)
    if (instead === undefined) this.#received += 1
    else this.#take(instead)
    return true
  }

  #receive(message: JSONRPCMessage): void {
    this.#received += 1
    // Answers to a server that asks and never reads would pile up.
    if ('method' in message && 'id' in message && (this.#group?.waiting ?? 0) > MAX_WAITING_FOR_ANSWERS) return
    try {
      this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)))
    }
  }
}

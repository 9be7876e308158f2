/** The way to a server, process or HTTP: what a connection needs of either beyond the SDK's transport. */
import type { Transport } from '@modelcontextprotocol/client'
import type { HttpFailure } from './http-failure.ts'
import type { LargeAnswer } from './large-answer.ts'
import type { JsonObject } from './messages.ts'

export interface Wire {
  readonly transport: Transport
  readonly overHttp: boolean
  /** The name and version that this host tells. */
  readonly clientInfo: ClientInfo
  /** Why it ended by itself; undefined while it did not. */
  readonly ended: string | undefined
  /** Whether the probe for the modern era got no answer in its time. */
  readonly probeIgnored: boolean
  /** Called when it ended by itself. */
  onEnd: ((reason: string) => void) | undefined
  /** Called when something failed on the way that may or may not be the end. */
  onTrouble: (() => void) | undefined
  /** Called with either end of a message that was too long, and the words for it. */
  onLongMessage: ((edges: string, reason: string) => void) | undefined
  /**
   * Called with an answer that is better not read whole, since it is large or has numbers that would come out otherwise;
   * false when it has to be all the same.
   */
  onLargeAnswer: ((answer: LargeAnswer) => boolean) | undefined
  /** What an error of the transport means. */
  failureOf(error: unknown): HttpFailure
  /** The words for a start that took too long. */
  readonly silence: string
  /** Ends it. Resolves when nothing is left; harmless when it never started. */
  close(): Promise<void>
}

export interface ClientInfo extends JsonObject {
  readonly name: string
  readonly version: string
}

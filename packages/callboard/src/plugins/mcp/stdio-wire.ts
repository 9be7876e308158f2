/** The way to a server that is a process of this host. */
import { messageOf } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { ProcessCommand } from '../process/process-group.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import type { HttpFailure } from './http-failure.ts'
import { StdioTransport } from './stdio-transport.ts'
import type { ClientInfo, Wire } from './wire.ts'

export interface StdioWireOptions {
  readonly command: ProcessCommand
  readonly watcher: ProcessWatcher
  readonly log: Log
  readonly secrets: Secrets
  readonly clientInfo: ClientInfo
}

export class StdioWire implements Wire {
  readonly transport: StdioTransport
  readonly overHttp = false
  readonly clientInfo: ClientInfo
  onEnd: Wire['onEnd']
  onTrouble: Wire['onTrouble']
  onLongMessage: Wire['onLongMessage']
  onLargeAnswer: Wire['onLargeAnswer']

  constructor({ command, watcher, log, secrets, clientInfo }: StdioWireOptions) {
    this.clientInfo = clientInfo
    this.transport = new StdioTransport({ command, watcher, log, secrets })
    this.transport.onclose = () => {
      if (this.ended !== undefined) this.onEnd?.(this.ended)
    }
    this.transport.onlongmessage = (edges, reason) => this.onLongMessage?.(edges, reason)
    this.transport.onlargeanswer = (answer) => this.onLargeAnswer?.(answer) ?? false
    this.transport.onerror = (error) => log.debug({ reason: error.message }, 'the server sent something unexpected')
  }

  get ended(): string | undefined {
    return this.transport.end
  }

  get probeIgnored(): boolean {
    return this.transport.probeIgnored
  }

  get silence(): string {
    const { lastWords, pid } = this.transport
    if (pid === null) return 'it was not started'
    const said = this.transport.lastSaid
    const what = [
      ...(lastWords === '' ? [] : [`its last words: ${lastWords}`]),
      ...(said === '' ? [] : [`the last that came on stdout: ${said}`]),
    ]
    return what.length === 0 ? 'it runs but said nothing, on stderr either' : what.join('; ')
  }

  failureOf(error: unknown): HttpFailure {
    return { kind: 'unreachable', reason: this.ended ?? messageOf(error), mayHaveRun: true }
  }

  close(): Promise<void> {
    return this.transport.close()
  }
}

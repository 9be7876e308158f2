/** Tells a client that the tools it has listed are others now, and only then. */
import type { Server, Transport } from '@modelcontextprotocol/server'
import { messageOf } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { ListedTools } from './listed-tools.ts'

/** Changes come in bursts when servers start; a client is told once of each. */
const QUIET_MS = 100

/** Follows the catalogue for one connected server from the first list on; whoever closes the server stops it. */
export class ListWatch {
  static readonly #byTransport = new WeakMap<Transport, ListWatch>()
  readonly #host: Host
  readonly #server: Server
  readonly #list: () => Promise<ListedTools>
  #seen: ListedTools | undefined
  #timer: NodeJS.Timeout | undefined
  #leave: (() => void) | undefined

  /** @param list works out what the client would be shown now */
  constructor(host: Host, server: Server, list: () => Promise<ListedTools>) {
    this.#host = host
    this.#server = server
    this.#list = list
  }

  /** The watch of the server behind this transport. */
  static of(transport: Transport): ListWatch | undefined {
    return ListWatch.#byTransport.get(transport)
  }

  /** The server is connected by this transport. */
  reach(transport: Transport): void {
    ListWatch.#byTransport.set(transport, this)
  }

  /** The client has been shown this. */
  seen(listed: ListedTools): void {
    this.#seen = listed
    this.#leave ??= this.#host.onCatalogChange(() => this.#later())
  }

  stop(): void {
    this.#leave?.()
    this.#leave = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #later(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#compare().catch((thrown: unknown) =>
        this.#host.log.warn({ err: messageOf(thrown) }, 'a client was not told that the tools changed'),
      )
    }, QUIET_MS)
    this.#timer.unref()
  }

  async #compare(): Promise<void> {
    const now = await this.#list()
    const before = this.#seen
    if (this.#server.transport === undefined) return this.stop()
    // Also where it is alike: a thousand sessions may not keep a thousand lists of their own.
    this.#seen = now
    if (before !== undefined && !before.isLike(now)) await this.#server.sendToolListChanged()
  }
}

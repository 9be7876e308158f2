/** A plugin that listens for its host. */
import type { DefinedPlugin } from '../../define-plugin.ts'
import { HOST_URI } from '../identity.ts'
import type { Address } from '../link/address.ts'
import { deferred } from '../link/deferred.ts'
import type { Link, Transport } from '../link/link.ts'
import { listenForLinks } from '../link/listen-for-links.ts'
import { whyNoQuic } from '../link/quic/quiche.ts'
import type { Credentials, LinkListener } from '../link/terms.ts'
import { areEqual, readCertificateFiles } from './certificate-files.ts'
import { HostLink, type Served } from './host-link.ts'
import type { ServeArguments } from './serve-arguments.ts'
import type { ServeOptions } from './serve-options.ts'

const PROTOCOL = 'callboard/1'
/** How long a host that asked for the end may take to read the answer. */
const GOODBYE_MS = 1_000

export interface PluginServerOptions {
  readonly plugin: DefinedPlugin
  readonly options?: ServeOptions
  readonly asked: Pick<ServeArguments, 'address' | 'certificates' | 'transport'>
  /** Takes lines for the plugin's log. */
  readonly report: (text: string) => void
  /** After so long without a host it ends, where nobody can know its port but who started it. */
  readonly lonelyMs?: number
  /** How often it is looked whether the host has renewed the certificates. */
  readonly renewalMs?: number
}

/** Whoever opens one waits for its end, or ends it. */
export class PluginServer {
  readonly transport: Transport
  readonly #options: PluginServerOptions
  readonly #hosts = new Set<HostLink>()
  readonly #closing = new AbortController()
  readonly #ending = new AbortController()
  readonly #ended = deferred<void>()
  #served: Served
  #stopWatching: (() => void) | undefined
  #credentials: Credentials
  #listener: LinkListener | undefined
  #greeted = 0
  #loneliness: NodeJS.Timeout | undefined
  #renewal: NodeJS.Timeout | undefined

  private constructor(options: PluginServerOptions, transport: Transport, credentials: Credentials) {
    this.#options = options
    this.transport = transport
    this.#credentials = credentials
    this.#served = served(options.plugin)
  }

  /** Resolves when it listens. Rejects with `LinkError` for certificates or an address that can't be used. */
  static async open(options: PluginServerOptions): Promise<PluginServer> {
    const { address, certificates, transport } = options.asked
    const chosen = transport ?? ((await whyNoQuic()) === undefined ? 'quic' : 'tls')
    const server = new PluginServer(options, chosen, await readCertificateFiles(certificates))
    await server.#listen(address)
    server.#stopWatching = options.options?.watch?.((plugin) => server.#replace(plugin))
    return server
  }

  /** Where it listens, with the port that it got. */
  get address(): Address {
    return this.#listener?.address ?? this.#options.asked.address
  }

  /** Resolves when it has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Lets calls come to their end for so long, and then ends. Resolves with whether they all did. */
  async end(withinMs: number): Promise<boolean> {
    const isClean = await this.#finishCalls(withinMs)
    await this.#close()
    return isClean
  }

  async #listen(address: Address): Promise<void> {
    const { report, lonelyMs = 30_000, renewalMs = 60_000 } = this.#options
    this.#listener = await listenForLinks(this.transport, {
      address,
      credentials: this.#credentials,
      protocols: [PROTOCOL],
      expects: HOST_URI,
      onLink: (link) => void this.#serve(link),
      onRefused: (from, error) => report(`${from} was not let in: ${error.message}`),
    })
    // Whoever knows the port beforehand may come any time.
    if (address.port === 0) this.#loneliness = setTimeout(() => this.#endAlone(), lonelyMs)
    this.#renewal = setInterval(() => void this.#renew(), renewalMs).unref()
  }

  async #serve(link: Link): Promise<void> {
    let isGreeted = false
    const host = new HostLink({
      link,
      served: () => this.#served,
      options: this.#options.options ?? {},
      onGreeted: () => {
        isGreeted = true
        this.#greeted += 1
      },
      shutDown: (timeoutSeconds) => this.#shutDown(link, timeoutSeconds),
      closing: this.#closing.signal,
      ending: this.#ending.signal,
      report: this.#options.report,
    })
    this.#hosts.add(host)
    await host.serve()
    this.#hosts.delete(host)
    if (!isGreeted) return
    this.#greeted -= 1
    this.#loneliness?.refresh()
  }

  #replace(plugin: DefinedPlugin): void {
    const { id } = this.#served.plugin
    if (plugin.id !== id) throw new TypeError(`plugin "${id}" can't become "${plugin.id}"; keep its id`)
    this.#served = served(plugin)
    for (const host of this.#hosts) void host.tellOfTools()
  }

  #endAlone(): void {
    if (this.#greeted > 0) return
    this.#options.report('no host is there any more; ending')
    void this.end(0)
  }

  async #shutDown(link: Link, timeoutSeconds: number): Promise<boolean> {
    const isClean = await this.#finishCalls(timeoutSeconds * 1000)
    // The host closes the link when it has the answer.
    const late = setTimeout(() => void this.#close(), GOODBYE_MS)
    void link.ended.then(() => {
      clearTimeout(late)
      return this.#close()
    })
    return isClean
  }

  async #finishCalls(withinMs: number): Promise<boolean> {
    this.#closing.abort()
    const idle = Promise.all([...this.#hosts].map((host) => host.idle())).then(() => true)
    const late = deferred<boolean>()
    const timer = setTimeout(() => late.resolve(false), withinMs)
    const isClean = await Promise.race([idle, late.promise])
    clearTimeout(timer)
    this.#ending.abort(new Error('the plugin was ended'))
    return isClean
  }

  async #close(): Promise<void> {
    clearTimeout(this.#loneliness)
    clearInterval(this.#renewal)
    this.#stopWatching?.()
    this.#stopWatching = undefined
    await this.#listener?.close()
    this.#ended.resolve()
  }

  async #renew(): Promise<void> {
    try {
      const credentials = await readCertificateFiles(this.#options.asked.certificates)
      if (areEqual(credentials, this.#credentials)) return
      this.#listener?.renew(credentials)
      this.#credentials = credentials
      this.#options.report('has new certificates')
    } catch (error) {
      this.#options.report(
        `the certificates can't be renewed: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

function served(plugin: DefinedPlugin): Served {
  return { plugin, tools: new Map(plugin.tools.map((tool) => [tool.definition.name, tool])) }
}

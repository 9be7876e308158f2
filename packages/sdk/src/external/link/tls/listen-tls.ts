/** Accepts TLS links. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { type Address, formatAddress, resolveAddress } from '../address.ts'
import { checkCredentials } from '../check-credentials.ts'
import { LinkError } from '../link-error.ts'
import { readPeerIdentity } from '../peer-identity.ts'
import { type Credentials, type LinkListener, type ListenOptions, mismatch, settle } from '../terms.ts'
import { MuxConnection } from './mux-connection.ts'
import { tlsFailure } from './tls-failure.ts'

/** Resolves when it listens. Rejects with `LinkError` when the address can't be had. */
export async function listenTls(options: ListenOptions): Promise<LinkListener> {
  const [address] = await resolveAddress(options.address)
  if (address === undefined) throw new LinkError('unreachable', `there is no host "${options.address.host}"`)
  const server = createServer({
    ...contextOf(options.credentials),
    ALPNProtocols: [...options.protocols],
    requestCert: true,
    // Judged below, where it can be said what is wrong; Node would only hang up.
    rejectUnauthorized: false,
    handshakeTimeout: settle(options).handshakeMs,
  })
  try {
    server.listen(address.port, address.host)
    await once(server, 'listening')
  } catch (error) {
    throw new LinkError('unreachable', `can't listen at ${formatAddress(address)}: ${String(error)}`, { cause: error })
  }
  return new TlsListener(server, address.host, options)
}

class TlsListener implements LinkListener {
  readonly address: Address
  readonly #server: Server
  readonly #options: ListenOptions
  readonly #links = new Set<MuxConnection>()
  /**
   * Those that have not finished their handshake, by their names; nothing else would end them before its time is up.
   */
  readonly #strangers = new Map<string, Socket>()
  #closed: Promise<void> | undefined

  constructor(server: Server, host: string, options: ListenOptions) {
    this.#server = server
    this.#options = options
    const bound = server.address()
    this.address = { host, port: typeof bound === 'object' && bound !== null ? bound.port : 0 }
    server.on('connection', (socket) => {
      const name = nameOf(socket)
      this.#strangers.set(name, socket)
      socket.once('close', () => this.#strangers.delete(name))
    })
    server.on('secureConnection', (socket) => this.#onSocket(socket))
    server.on('tlsClientError', (error, socket) => {
      const from = nameOf(socket)
      options.onRefused(from, tlsFailure(error, from))
    })
  }

  renew(credentials: Credentials): void {
    this.#server.setSecureContext(contextOf(credentials))
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#strangers.values()) socket.destroy()
    for (const link of this.#links) link.end(new LinkError('closed', 'the listener was closed here'))
    await closed
  }

  #onSocket(socket: TLSSocket): void {
    const peerName = nameOf(socket)
    this.#strangers.delete(peerName)
    const certificate = socket.getPeerX509Certificate()
    const peer = certificate === undefined ? { uris: [], fingerprint: '' } : readPeerIdentity(certificate.raw)
    const link = new MuxConnection({
      socket,
      isDialler: false,
      peer,
      protocol: String(socket.alpnProtocol),
      terms: this.#options,
      peerName,
    })
    this.#links.add(link)
    void link.ended.then(() => this.#links.delete(link))
    const refusal = this.#refusalOf(socket, peer, peerName)
    if (refusal === undefined) this.#options.onLink(link)
    else {
      link.end(refusal)
      this.#options.onRefused(peerName, refusal)
    }
  }

  #refusalOf(
    socket: TLSSocket,
    peer: { readonly uris: readonly string[]; readonly fingerprint: string },
    peerName: string,
  ): LinkError | undefined {
    if (peer.fingerprint === '') return new LinkError('no-certificate', `${peerName} showed no certificate`)
    if (!socket.authorized) return tlsFailure({ code: socket.authorizationError }, peerName)
    if (typeof socket.alpnProtocol !== 'string')
      return new LinkError(
        'no-protocol',
        `${peerName} asks for none of our protocols (${this.#options.protocols.join(', ')})`,
      )
    const why = mismatch(peer, this.#options.expects)
    return why === undefined ? undefined : new LinkError('wrong-peer', `${peerName}: ${why}`)
  }
}

function contextOf(credentials: Credentials) {
  checkCredentials(credentials)
  const { ca, certificate, key } = credentials
  return { ca, cert: certificate, key, minVersion: 'TLSv1.3' } as const
}

function nameOf(socket: Socket): string {
  return formatAddress({ host: socket.remoteAddress ?? 'somebody', port: socket.remotePort ?? 0 })
}

/** Accepts QUIC links. */
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { formatAddress, isLoopback, resolveAddress } from '../address.ts'
import { LinkError } from '../link-error.ts'
import type { LinkListener, ListenOptions } from '../terms.ts'
import { makeConfig, packetBytes } from './quic-config.ts'
import { QuicConnection } from './quic-connection.ts'
import { type HostPort, loadQuiche, type Quiche, type QuicheConfig } from './quiche.ts'

const SOCKET_BYTES = 1024 * 1024
/** The number of a packet that opens a connection. */
const INITIAL = 0
/** Handshakes at once; whoever comes beyond them has to try again. */
const MAX_HANDSHAKES = 64

/** Resolves when it listens. Rejects with `LinkError` when the address can't be had. */
export async function listenQuic(options: ListenOptions): Promise<LinkListener> {
  const quiche = await loadQuiche()
  const [address] = await resolveAddress(options.address)
  if (address === undefined) throw new LinkError('unreachable', `there is no host "${options.address.host}"`)
  const { family } = address
  const config = makeConfig(quiche, options, isLoopback(address.host))
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    recvBufferSize: SOCKET_BYTES,
    sendBufferSize: SOCKET_BYTES,
    // Without it every packet's address would be looked up as a name.
    lookup: (host, _options, found) => found(null, host, family),
  })
  try {
    // It may listen before bind returns, since nothing has to be looked up.
    const listening = once(socket, 'listening')
    socket.bind(address.port, address.host)
    await listening
  } catch (error) {
    socket.close()
    throw new LinkError('unreachable', `can't listen at ${formatAddress(address)}: ${String(error)}`, { cause: error })
  }
  return new QuicListener(quiche, { socket, config, options })
}

interface BoundSocket {
  readonly socket: Socket
  readonly config: QuicheConfig
  readonly options: ListenOptions
}

class QuicListener implements LinkListener {
  readonly address: HostPort
  readonly #quiche: Quiche
  readonly #socket: Socket
  readonly #isNear: boolean
  readonly #connections = new Map<string, QuicConnection>()
  #options: ListenOptions
  #config: QuicheConfig
  #handshakes = 0
  #closed: Promise<void> | undefined

  constructor(quiche: Quiche, { socket, config, options }: BoundSocket) {
    this.#quiche = quiche
    this.#socket = socket
    this.#options = options
    this.address = { host: socket.address().address, port: socket.address().port }
    this.#isNear = isLoopback(this.address.host)
    this.#config = config
    socket.on('message', (packet, from) => this.#onPacket(packet, from))
    socket.on('error', (error) =>
      this.#end(new LinkError('lost', `the socket broke: ${error.message}`, { cause: error })),
    )
  }

  renew(credentials: ListenOptions['credentials']): void {
    this.#options = { ...this.#options, credentials }
    this.#config = makeConfig(this.#quiche, this.#options, this.#isNear)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#end(new LinkError('closed', 'the listener was closed here'))
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }

  #end(reason: LinkError): void {
    for (const connection of new Set(this.#connections.values())) connection.end(reason)
    this.#connections.clear()
  }

  #onPacket(packet: Buffer, { address, port }: RemoteInfo): void {
    const from = { host: address, port }
    const connection = this.#connectionFor(packet, from)
    connection?.receive(packet, { from, to: this.address })
  }

  #connectionFor(packet: Buffer, from: HostPort): QuicConnection | undefined {
    const header = this.#readHeader(packet)
    if (header === undefined) return undefined
    const known = this.#connections.get(header.id)
    if (known !== undefined) return known
    if (!header.isInitial || this.#handshakes >= MAX_HANDSHAKES) return undefined
    return this.#accept(header.id, from)
  }

  #readHeader(packet: Buffer): { readonly id: string; readonly isInitial: boolean } | undefined {
    try {
      const { ty, dcid } = this.#quiche.Header.fromSlice(packet, this.#quiche.MAX_CONN_ID_LEN)
      return { id: Buffer.from(dcid).toString('latin1'), isInitial: ty === INITIAL }
    } catch {
      // It is no QUIC packet; a UDP port gets anything.
      return undefined
    }
  }

  /** `firstId` is what the dialler calls this side until it knows better. */
  #accept(firstId: string, from: HostPort): QuicConnection {
    const scid = randomBytes(this.#quiche.MAX_CONN_ID_LEN)
    const id = scid.toString('latin1')
    const peerName = formatAddress(from)
    const connection = new QuicConnection({
      connection: this.#quiche.Connection.accept(scid, undefined, this.address, from, this.#config),
      isDialler: false,
      ends: { from, to: this.address },
      terms: this.#options,
      packetBytes: packetBytes(this.#isNear),
      peerName,
      send: (packet) => this.#socket.send(packet, from.port, from.host),
      onGone: () => {
        this.#connections.delete(firstId)
        this.#connections.delete(id)
      },
    })
    this.#connections.set(firstId, connection)
    this.#connections.set(id, connection)
    this.#handshakes += 1
    connection
      .start()
      .then(this.#options.onLink, (error: LinkError) => this.#options.onRefused(peerName, error))
      .finally(() => {
        this.#handshakes -= 1
      })
    return connection
  }
}

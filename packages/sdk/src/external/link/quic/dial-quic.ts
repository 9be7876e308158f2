/** Opens QUIC links. */
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { formatAddress, isLoopback, type NumericAddress, resolveAddress } from '../address.ts'
import { dialInTurn } from '../dial-in-turn.ts'
import type { Link } from '../link.ts'
import { LinkError } from '../link-error.ts'
import type { DialOptions } from '../terms.ts'
import { makeConfig, packetBytes } from './quic-config.ts'
import { QuicConnection } from './quic-connection.ts'
import { loadQuiche, type Quiche } from './quiche.ts'

/** As much as systems usually let a socket have without being asked twice. */
const SOCKET_BYTES = 1024 * 1024
/** What has come to the socket already is read within this. */
const LAST_WORDS_MS = 20

/**
 * Resolves with a link whose peer proved to be who is expected. Whether the peer accepts us shows only in its first
 * message. Rejects with `LinkError`, or with the reason of `signal`.
 */
export async function dialQuic(options: DialOptions): Promise<Link> {
  const quiche = await loadQuiche()
  const addresses = await resolveAddress(options.address)
  return dialInTurn(addresses, (address, signal) => dialOne(quiche, address, { ...options, signal }), options.signal)
}

async function dialOne(quiche: Quiche, address: NumericAddress, options: DialOptions): Promise<Link> {
  const isNear = isLoopback(address.host)
  const config = makeConfig(quiche, options, isNear)
  const socket = await connectSocket(address)
  const local = { host: socket.address().address, port: socket.address().port }
  const remote = { host: address.host, port: address.port }
  const scid = randomBytes(quiche.MAX_CONN_ID_LEN)
  const name = options.serverName ?? 'localhost'
  const connection = new QuicConnection({
    connection: quiche.Connection.connect(name, scid, local, remote, config),
    isDialler: true,
    ends: { from: remote, to: local },
    terms: options,
    packetBytes: packetBytes(isNear),
    peerName: formatAddress(address),
    send: (packet) => socket.send(packet),
    onGone: () => socket.close(),
  })
  socket.on('message', (packet) => connection.receive(packet))
  let isUp = false
  socket.on('error', (cause) => {
    const why = `nothing listens at ${formatAddress(address)}: ${cause.message}`
    if (!isUp) connection.drop(new LinkError('unreachable', why, { cause }))
    // From afar anybody could say so; a link that is up has its own ways to find out. What a peer said last may lie
    // behind it.
    else if (isNear) setTimeout(() => connection.drop(new LinkError('lost', why, { cause })), LAST_WORDS_MS).unref()
  })
  const giveUp = (): void => connection.end(new LinkError('closed', 'the dialling was given up'))
  options.signal?.addEventListener('abort', giveUp, { once: true })
  try {
    const link = await connection.start()
    isUp = true
    return link
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  } finally {
    options.signal?.removeEventListener('abort', giveUp)
  }
}

async function connectSocket({ host, port, family }: NumericAddress): Promise<Socket> {
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    recvBufferSize: SOCKET_BYTES,
    sendBufferSize: SOCKET_BYTES,
  })
  try {
    const connected = once(socket, 'connect')
    socket.connect(port, host)
    await connected
    return socket
  } catch (error) {
    socket.close()
    throw new LinkError('unreachable', `there is no way to ${formatAddress({ host, port })}: ${String(error)}`, {
      cause: error,
    })
  }
}

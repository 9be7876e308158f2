/** Peers that lack a certificate, and peers that say nothing. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import type { Address, Transport } from '@callboard/sdk/external'
import { QuicConnection } from '../../packages/sdk/src/external/link/quic/quic-connection.ts'
import { loadQuiche } from '../../packages/sdk/src/external/link/quic/quiche.ts'
import { PROTOCOL } from './link-pair.ts'

/** Dials without a certificate of its own. Resolves with the words of the end. */
export async function dialBare(transport: Transport, address: Address, ca: string): Promise<string> {
  if (transport === 'tls') {
    const socket = connect({ ...address, ca, servername: 'localhost', ALPNProtocols: [PROTOCOL] })
    const goAway = await once(socket, 'data')
    socket.destroy()
    return `certificate: go-away ${Buffer.from(goAway[0]).toString('hex')}`
  }
  const quiche = await loadQuiche()
  const config = quiche.Config.withBoringSslCtx(true, false, Buffer.from(ca), null, null, 'ecdsa_secp256r1_sha256')
  config.setApplicationProtos([PROTOCOL])
  const socket = createSocket('udp4')
  socket.connect(address.port, address.host)
  await once(socket, 'connect')
  const local = { host: '127.0.0.1', port: socket.address().port }
  const connection = new QuicConnection({
    connection: quiche.Connection.connect('localhost', Buffer.alloc(20, 1), local, address, config),
    isDialler: true,
    ends: { from: address, to: local },
    terms: { credentials: { ca, certificate: '', key: '' }, protocols: [PROTOCOL] },
    packetBytes: 1350,
    peerName: 'the listener',
    send: (packet) => socket.send(packet),
    onGone: () => socket.close(),
  })
  socket.on('message', (packet) => connection.receive(packet))
  const link = await connection.start()
  return (await link.ended).message
}

/** Something that takes what comes and says nothing. */
export async function startSilent(transport: Transport): Promise<AsyncDisposable & { readonly address: Address }> {
  if (transport === 'quic') {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return {
      address: { host: '127.0.0.1', port: socket.address().port },
      async [Symbol.asyncDispose]() {
        socket.close()
      },
    }
  }
  const server = createServer((socket) => socket.resume().on('error', () => socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  return {
    address: { host: '127.0.0.1', port: typeof bound === 'object' && bound !== null ? bound.port : 0 },
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

/** Links by name, over IPv4 and over IPv6. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Transport } from '@callboard/sdk/external'
import { describe, expect, test } from 'vitest'
import { createParty } from './credentials.ts'
import { dial, echoStreams, readAll, startListener } from './link-pair.ts'

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

async function echoBetween(transport: Transport, listensAt: string, dialsTo: string, port = 0): Promise<string> {
  const party = await createParty()
  const listener = await startListener(transport, party, { host: listensAt, port })
  try {
    void listener.nextLink().then(echoStreams)
    const link = await dial(transport, party, { host: dialsTo, port: listener.address.port })
    const stream = await link.openStream()
    const [read] = await Promise.all([readAll(stream), stream.write(Buffer.from('hello')).then(() => stream.end())])
    link.close()
    return read.toString()
  } finally {
    await listener.listener.close()
  }
}

/** Somebody else at an IPv4 port, who never answers. */
async function listenSilently(transport: Transport): Promise<{ port: number; close: () => Promise<void> }> {
  if (transport === 'quic') {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return { port: socket.address().port, close: async () => void socket.close() }
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, close: async () => void server.close() }
}

describe.each<Transport>(['quic', 'tls'])('with %s', (transport) => {
  test('a link goes over IPv4', async () => {
    expect(await echoBetween(transport, '127.0.0.1', '127.0.0.1')).toBe('hello')
  })

  test.skipIf(!hasIPv6)('a link goes over IPv6', async () => {
    expect(await echoBetween(transport, '::1', '::1')).toBe('hello')
  })

  test('a name is dialled', async () => {
    expect(await echoBetween(transport, '127.0.0.1', 'localhost')).toBe('hello')
  })

  test.skipIf(!hasIPv6)('localhost is dialled over IPv6 too', async () => {
    expect(await echoBetween(transport, '::1', 'localhost')).toBe('hello')
  })

  test.skipIf(!hasIPv6)('an address that takes what it is sent and says nothing holds up no other', async () => {
    const silent = await listenSilently(transport)
    try {
      expect(await echoBetween(transport, '::1', 'localhost', silent.port)).toBe('hello')
    } finally {
      await silent.close()
    }
  })
})

/** Links by name, over IPv4 and over IPv6. */
import { networkInterfaces } from 'node:os'
import type { Transport } from '@callboard/sdk/external'
import { describe, expect, test } from 'vitest'
import { createParty } from './credentials.ts'
import { dial, echoStreams, readAll, startListener } from './link-pair.ts'

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

async function echoBetween(transport: Transport, listensAt: string, dialsTo: string): Promise<string> {
  const party = await createParty()
  const listener = await startListener(transport, party, { host: listensAt })
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
})

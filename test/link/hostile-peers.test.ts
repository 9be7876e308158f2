/** Peers that break the rules of a transport, and noise from anybody. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Link } from '@callboard/sdk/external'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeHead, FLAG, MuxReader, TYPE } from '../../packages/sdk/src/external/link/tls/mux-frames.ts'
import { createParty, type TestParty } from './credentials.ts'
import { dial, echoStreams, nextStream, PROTOCOL, readAll, startListener, type TestListener } from './link-pair.ts'

let party: TestParty

beforeEach(async () => {
  party = await createParty()
})

describe('a TLS peer with a good certificate', () => {
  let listener: TestListener
  let socket: TLSSocket
  let link: Link

  beforeEach(async () => {
    listener = await startListener('tls', party)
    const { ca, certificate, key } = party.host
    socket = connect({
      ...listener.address,
      ca,
      cert: certificate,
      key,
      servername: 'localhost',
      ALPNProtocols: [PROTOCOL],
    })
    await once(socket, 'secureConnect')
    link = await listener.nextLink()
  })
  afterEach(async () => {
    socket.destroy()
    await listener.listener.close()
  })

  /** The code of the go-away that ends what the listener sends. */
  async function goAway(): Promise<number> {
    const pieces: Buffer[] = []
    for await (const piece of socket) pieces.push(piece)
    const last = Buffer.concat(pieces).subarray(-12)
    expect(last.readUInt8(1)).toBe(TYPE.goAway)
    return last.readUInt32BE(8)
  }

  test.each([
    ['speaks another protocol', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['sends a frame of no known type', () => encodeHead(9, 0, 1, 0)],
    ['uses the id of the connection for a stream', () => encodeHead(TYPE.data, FLAG.syn, 0, 0)],
    [
      'sends more than it may',
      () => Buffer.concat([encodeHead(TYPE.data, FLAG.syn, 1, 300_000), Buffer.alloc(300_000)]),
    ],
    [
      'sends after the end',
      () =>
        Buffer.concat([
          encodeHead(TYPE.data, FLAG.syn | FLAG.fin, 1, 0),
          encodeHead(TYPE.data, 0, 1, 3),
          Buffer.from('abc'),
        ]),
    ],
  ])('that %s loses its link, and is told', async (_name, bytes) => {
    socket.write(bytes())
    expect(await link.ended).toMatchObject({ kind: 'broken', message: expect.stringContaining('broke the rules') })
    expect(await goAway()).toBe(1)
  })

  test('that opens too many streams has those beyond the limit refused, and no other', async () => {
    const opened = Array.from({ length: 300 }, (_, index) => encodeHead(TYPE.window, FLAG.syn, 1 + 2 * index, 0))
    const reader: { streamId: number; flags: number; length: number }[] = []
    const frames = new MuxReader((head) => reader.push(head))
    const refused = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        frames.push(Buffer.from(chunk))
        if (reader.length === 300 - 256) resolve()
      })
    })
    socket.write(Buffer.concat(opened))
    await refused
    expect(new Set(reader.map(({ flags, length }) => `${flags} ${length}`))).toEqual(new Set([`${FLAG.rst} 3`]))
    expect(reader[0]?.streamId).toBe(1 + 2 * 256)
    expect((await nextStream(link)).id).toBe(1)
  })

  test('that asks for signs of life without reading the answers loses its link', async () => {
    socket.pause()
    const ping = encodeHead(TYPE.ping, FLAG.syn, 0, 7)
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping))
    const ended = link.ended
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    socket.on('error', () => {})
    while (!isOver && socket.writable) if (!socket.write(pings)) await Promise.race([once(socket, 'drain'), ended])
    expect(await ended).toMatchObject({ kind: 'broken', message: expect.stringContaining('does not read') })
  })

  test('that writes one byte at a time is held to its window all the same', async () => {
    const one = Buffer.concat([encodeHead(TYPE.data, 0, 1, 1), Buffer.of(1)])
    socket.write(encodeHead(TYPE.window, FLAG.syn, 1, 0))
    socket.write(Buffer.concat(Array.from({ length: 50_000 }, () => one)))
    socket.write(encodeHead(TYPE.data, FLAG.fin, 1, 0))
    expect((await readAll(await nextStream(link))).equals(Buffer.alloc(50_000, 1))).toBe(true)
  })
})

test('who connects to a TLS listener and says nothing does not hold up its end', async () => {
  const listener = await startListener('tls', party)
  const silent = connectSocket(listener.address.port, listener.address.host)
  await once(silent, 'connect')
  // It is let in behind the one that connected before it.
  await dial('tls', party, listener.address)
  const ended = once(silent, 'close')
  const began = performance.now()
  await listener.listener.close()
  await ended
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('frames of the multiplexer are read as they were written, wherever they are cut, and garbage is an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 200 }), (bytes, at) => {
      const seen: string[] = []
      const read = (pieces: readonly Uint8Array[]): string => {
        const reader = new MuxReader((head, part, isLast) => {
          if (isLast || part.length === 0) seen.push(JSON.stringify(head))
        })
        seen.length = 0
        try {
          for (const piece of pieces) reader.push(Buffer.from(piece))
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          seen.push('broken')
        }
        return seen.join()
      }
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toBe(read([bytes]))
    }),
    { numRuns: 10_000 },
  )
})

test('noise at the port of a QUIC listener, half-valid too, harms no link', async () => {
  const listener = await startListener('quic', party)
  void listener.nextLink().then(echoStreams)
  const link = await dial('quic', party, listener.address)
  const socket = createSocket('udp4')
  const sent: Promise<unknown>[] = []
  for (let packet = 0; packet < 2_000; packet++) {
    const bytes = randomBytes(1 + (packet % 1_300))
    // The head of an Initial packet of version 1, with ids that are random.
    if (packet % 2 === 0) Buffer.from([0xc3, 0, 0, 0, 1, 20]).copy(bytes)
    sent.push(new Promise((resolve) => socket.send(bytes, listener.address.port, listener.address.host, resolve)))
  }
  await Promise.all(sent)
  const stream = await link.openStream()
  const [read] = await Promise.all([readAll(stream), stream.write(Buffer.from('unharmed')).then(() => stream.end())])
  expect(read.toString()).toBe('unharmed')
  const next = await dial('quic', party, listener.address)
  next.close()
  link.close()
  socket.close()
  await listener.listener.close()
})

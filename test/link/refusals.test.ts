/** Who is not let in, and the words for it: the five refusals of either end, and addresses without anybody. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { type Address, HOST_URI, type Link, LinkError, pluginUri, type Transport } from '@callboard/sdk/external'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { QuicConnection } from '../../packages/sdk/src/external/link/quic/quic-connection.ts'
import { loadQuiche } from '../../packages/sdk/src/external/link/quic/quiche.ts'
import { createParty, type TestParty } from './credentials.ts'
import { dial, PROTOCOL, startListener, type TestListener, type TestTerms } from './link-pair.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const EXPIRED = { from: Date.now() - YEAR_MS, forMs: YEAR_MS / 2 }

const open: AsyncDisposable[] = []
let party: TestParty
let others: TestParty

beforeAll(async () => {
  party = await createParty()
  others = await createParty()
})
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing[Symbol.asyncDispose]()
})

async function listen(transport: Transport, terms: TestTerms = {}): Promise<TestListener> {
  const listener = await startListener(transport, party, terms)
  open.push(listener)
  return listener
}

/** How the link ends: a dialler may believe that it is up until the listener has judged its certificate. */
async function endOf(dialling: Promise<Link>): Promise<unknown> {
  try {
    return await (await dialling).ended
  } catch (error) {
    return error
  }
}

describe.each<Transport>(['quic', 'tls'])('with %s', (transport) => {
  describe('who dials does not accept', () => {
    test('a certificate of another CA', async () => {
      const { address } = await listen(transport, { credentials: others.plugin })
      await expect(dial(transport, party, address)).rejects.toMatchObject({
        kind: 'unknown-authority',
        message: expect.stringContaining('of another CA'),
      })
    })

    test("another plugin's certificate", async () => {
      const credentials = await party.issue({ uri: pluginUri('acme/other') })
      const { address, nextLink, nextRefusal } = await listen(transport, { credentials })
      await expect(dial(transport, party, address)).rejects.toMatchObject({
        kind: 'wrong-peer',
        message: expect.stringMatching(/identity spiffe:.*acme\/other where spiffe:.*acme\/echo is expected/),
      })
      const seen = await Promise.race([nextRefusal(), nextLink().then((link) => link.ended)])
      expect(seen).toMatchObject('error' in seen ? { error: { kind: 'wrong-peer' } } : { kind: 'wrong-peer' })
    })

    test('a certificate that has expired', async () => {
      const { address } = await listen(transport, { credentials: await party.issue(EXPIRED) })
      await expect(dial(transport, party, address)).rejects.toMatchObject({
        kind: 'expired',
        message: expect.stringContaining('out of its time'),
      })
    })

    test('a certificate that is meant for diallers', async () => {
      const { address } = await listen(transport, { credentials: await party.issue({ use: 'client' }) })
      await expect(dial(transport, party, address)).rejects.toMatchObject({ kind: 'wrong-peer' })
    })

    test('a listener that speaks none of its protocols', async () => {
      const { address, nextRefusal } = await listen(transport)
      const dialling = dial(transport, party, address, { protocols: ['callboard/9'] })
      await expect(dialling).rejects.toMatchObject({
        kind: 'no-protocol',
        message: expect.stringContaining('none of our protocols'),
      })
      expect((await nextRefusal()).error.kind).toBe('no-protocol')
    })
  })

  describe('who listens does not accept', () => {
    test('a dialler without a certificate', async () => {
      const { address, nextRefusal } = await listen(transport)
      const ended = dialBare(transport, address, party.authority.certificate)
      const { error, from } = await nextRefusal()
      expect(error).toMatchObject({ kind: 'no-certificate', message: expect.stringContaining('certificate') })
      expect(error.message).toContain(from)
      expect(await ended).toMatch(/certificate/)
    })

    test('a certificate of another CA', async () => {
      const { address, nextRefusal } = await listen(transport)
      const credentials = { ...others.host, ca: party.authority.certificate }
      const end = endOf(dial(transport, party, address, { credentials }))
      expect((await nextRefusal()).error).toMatchObject({
        kind: 'unknown-authority',
        message: expect.stringContaining('another CA'),
      })
      expect(await end).toMatchObject({
        kind: 'unknown-authority',
        message: expect.stringContaining('our certificate'),
      })
    })

    test("a plugin's certificate in place of the host's", async () => {
      const { address, nextRefusal } = await listen(transport)
      const credentials = await party.issue({ uri: pluginUri('acme/other'), use: 'client' })
      const end = endOf(dial(transport, party, address, { credentials }))
      expect((await nextRefusal()).error).toMatchObject({
        kind: 'wrong-peer',
        message: expect.stringMatching(/acme\/other where spiffe:\/\/callboard\/host is expected/),
      })
      expect(await end).toMatchObject({ kind: 'wrong-peer' })
    })

    test('a certificate that has expired', async () => {
      const { address, nextRefusal } = await listen(transport)
      const credentials = await party.issue({ uri: HOST_URI, use: 'client', ...EXPIRED })
      const end = endOf(dial(transport, party, address, { credentials }))
      expect((await nextRefusal()).error).toMatchObject({
        kind: 'expired',
        message: expect.stringContaining('out of its time'),
      })
      expect(await end).toMatchObject({ kind: 'expired', message: expect.stringContaining('our certificate') })
    })
  })

  test('the preferred protocol of both is taken', async () => {
    const { address, nextLink } = await listen(transport, { protocols: ['orchestra-plugin', PROTOCOL] })
    const link = await dial(transport, party, address, { protocols: ['callboard/9', 'orchestra-plugin'] })
    expect(link.protocol).toBe('orchestra-plugin')
    expect((await nextLink()).protocol).toBe('orchestra-plugin')
    link.close()
  })

  test('a listener whose credentials were renewed shows the new ones, and keeps its links', async () => {
    const { address, listener, nextLink } = await listen(transport)
    const first = await dial(transport, party, address)
    await nextLink()
    listener.renew(await party.issue())
    const second = await dial(transport, party, address)
    expect(second.peer.fingerprint).not.toBe(first.peer.fingerprint)
    expect((await first.openStream()).signal.aborted).toBe(false)
    first.close()
    second.close()
  })

  test('where nothing listens, dialling says so at once', async () => {
    const { address, listener } = await listen(transport)
    await listener.close()
    await expect(dial(transport, party, address)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining(String(address.port)),
    })
  })

  test('a host that does not exist is unreachable', async () => {
    const nowhere = { host: 'no-such-host.invalid', port: 1 }
    await expect(dial(transport, party, nowhere)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('no host "no-such-host.invalid"'),
    })
  })

  test('who does not answer is given up after the time for a handshake, or when the dialler has had enough', async () => {
    const silent = await startSilent(transport)
    open.push(silent)
    await expect(dial(transport, party, silent.address, { handshakeMs: 100 })).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('within 100 ms'),
    })
    const enough = new AbortController()
    const dialling = dial(transport, party, silent.address, { signal: enough.signal })
    enough.abort(new Error('had enough'))
    await expect(dialling).rejects.toThrow('had enough')
  })

  test('an address that is taken is not listened at', async () => {
    const { address } = await listen(transport)
    const again = import('@callboard/sdk/external').then(({ listenForLinks }) =>
      listenForLinks(transport, {
        address,
        credentials: party.plugin,
        protocols: [PROTOCOL],
        onLink: () => {},
        onRefused: () => {},
      }),
    )
    await expect(again).rejects.toBeInstanceOf(LinkError)
  })
})

/** Dials without a certificate of its own. Resolves with the words of the end. */
async function dialBare(transport: Transport, address: Address, ca: string): Promise<string> {
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
async function startSilent(transport: Transport): Promise<AsyncDisposable & { readonly address: Address }> {
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

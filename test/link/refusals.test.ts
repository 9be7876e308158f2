/** Who is not let in, and the words for it: the five refusals of either end, and addresses without anybody. */
import { type Credentials, HOST_URI, type Link, LinkError, pluginUri, type Transport } from '@callboard/sdk/external'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createParty, type TestParty } from './credentials.ts'
import { dial, PROTOCOL, startListener, type TestListener, type TestTerms } from './link-pair.ts'
import { dialBare, startSilent } from './odd-peers.ts'

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

  test.each<[string, () => Partial<Credentials>, string]>([
    [
      'a certificate that is none',
      () => ({ certificate: 'garbage' }),
      "the certificate can't be read; it has to be PEM",
    ],
    ['a CA that is none', () => ({ ca: '' }), "the CA's certificate can't be read; it has to be PEM"],
    ['a key that is none', () => ({ key: 'garbage' }), "the key can't be read; it has to be PEM"],
    ["somebody else's key", () => ({ key: others.host.key }), 'the key is not that of the certificate'],
  ])('%s is noticed before anybody is dialled or listened to', async (_what, wrong, message) => {
    const { address, listener } = await listen(transport)
    const broken = { ...party.host, ...wrong() }
    await expect(dial(transport, party, address, { credentials: broken })).rejects.toMatchObject({
      kind: 'credentials',
      message,
    })
    await expect(startListener(transport, party, { credentials: broken })).rejects.toMatchObject({ message })
    expect(() => listener.renew(broken)).toThrow(message)
    const link = await dial(transport, party, address)
    link.close()
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

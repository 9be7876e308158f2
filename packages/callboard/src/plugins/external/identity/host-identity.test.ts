/** The host's CA, and what it signs: bound to one plugin, short-lived, renewed in time, and readable by nobody else. */
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialLink, HOST_URI, type Link, listenForLinks, pluginUri, type Transport } from '@callboard/sdk/external'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CertificateFolder } from './certificate-folder.ts'
import { HostIdentity } from './host-identity.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const said: string[] = []
const log = pino({ level: 'debug', base: null }, { write: (line: string) => said.push(line) })

let root: string
let folder: string
let now: number

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'identity-'))
  folder = join(root, 'external')
  now = Date.now()
  said.length = 0
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(root, { recursive: true })
})

function open(): Promise<HostIdentity> {
  return HostIdentity.open({ folder, log, now: () => now })
}

test('the CA is made once, for its owner alone, and kept', async () => {
  const first = await open()
  const again = await open()
  expect(again.authority).toBe(first.authority)
  expect(await readdir(folder)).toEqual(['ca.pem'])
  expect((await stat(join(folder, 'ca.pem'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(new X509Certificate(first.authority).ca).toBe(true)
})

test('hosts that open the same folder at once have the same CA', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, open))
  expect(new Set(opened.map(({ authority }) => authority)).size).toBe(1)
})

test('a CA that is none is an error that names the file and the mend', async () => {
  await open()
  await writeFile(join(folder, 'ca.pem'), 'not a certificate')
  await expect(open()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringMatching(/ca\.pem": it holds no certificate with its key; remove the file/),
  })
})

test('a CA that ends soon is replaced, and the log says who needs new certificates', async () => {
  const { authority } = await open()
  now += 3600 * DAY_MS
  expect((await open()).authority).not.toBe(authority)
  expect(said.join()).toContain('plugins that run elsewhere need new certificates')
})

test('a certificate says who its holder is and what it is for, for thirty days', async () => {
  const identity = await open()
  const authority = new X509Certificate(identity.authority)
  const host = new X509Certificate((await identity.credentials()).certificate)
  const plugin = new X509Certificate((await identity.issueFor('acme/echo')).certificate)
  expect(host.subjectAltName).toBe(`DNS:localhost, URI:${HOST_URI}`)
  expect(plugin.subjectAltName).toBe(`DNS:localhost, URI:${pluginUri('acme/echo')}`)
  expect([host.keyUsage, plugin.keyUsage]).toEqual([['1.3.6.1.5.5.7.3.2'], ['1.3.6.1.5.5.7.3.1']])
  for (const leaf of [host, plugin]) {
    expect(leaf.ca).toBe(false)
    expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey)).toBe(true)
    expect(Math.round((leaf.validToDate.getTime() - now) / DAY_MS)).toBe(30)
  }
})

test("the host's own certificate is kept while it is good, and renewed when a third of its time is left", async () => {
  const identity = await open()
  const first = await identity.credentials()
  now += 19 * DAY_MS
  expect(await identity.credentials()).toEqual(first)
  now += 2 * DAY_MS
  const second = await identity.credentials()
  expect(second.ca).toBe(first.ca)
  expect(second.certificate).not.toBe(first.certificate)
})

describe('the folder of a plugin', () => {
  async function fill(): Promise<CertificateFolder> {
    const identity = await open()
    return await CertificateFolder.fill({ identity, pluginId: 'acme/echo', folder: join(root, 'certs'), log })
  }

  function file(name: string): string {
    return join(root, 'certs', name)
  }

  function pem(): Promise<string> {
    return readFile(file('plugin.pem'), 'utf8')
  }

  /** Puts the certificate of another plugin there. */
  async function issued(pluginId: string): Promise<void> {
    const { certificate, key } = await (await open()).issueFor(pluginId)
    await writeFile(file('plugin.pem'), `${certificate}${key}`)
  }

  /** Leaves the certificate with the key of another one. */
  async function mixKeys(): Promise<void> {
    const { key } = await (await open()).issueFor('acme/echo')
    const [certificate = ''] = (await pem()).split('-----BEGIN PRIVATE KEY')
    await writeFile(file('plugin.pem'), `${certificate}${key}`)
  }

  async function waitUntilDue(): Promise<void> {
    now += 21 * DAY_MS
  }

  test("holds the CA's certificate and the plugin's own with its key, and not the CA's key", async () => {
    const filled = await fill()
    filled.end()
    expect(await readdir(filled.folder)).toEqual(['ca.crt', 'plugin.pem'])
    expect((await stat(join(filled.folder, 'plugin.pem'))).mode & 0o777).toBe(0o600)
    const own = await pem()
    expect(own).toMatch(/BEGIN CERTIFICATE.*BEGIN PRIVATE KEY/s)
    expect(new X509Certificate(own).subjectAltName).toContain(pluginUri('acme/echo'))
    const ca = await readFile(join(filled.folder, 'ca.crt'), 'utf8')
    expect(ca).not.toContain('PRIVATE KEY')
    expect(new X509Certificate(own).verify(new X509Certificate(ca).publicKey)).toBe(true)
  })

  test('is brought up to date when somebody is about to dial, if that is due', async () => {
    const filled = await fill()
    const first = await pem()
    await filled.refresh()
    expect(await pem()).toBe(first)
    now += 21 * DAY_MS
    await Promise.all([filled.refresh(), filled.refresh()])
    expect(await pem()).not.toBe(first)
    expect(said).toHaveLength(2)
    filled.end()
  })

  test('keeps what is good from one run to the next, and is renewed in time all the same', async () => {
    ;(await fill()).end()
    const first = await pem()
    now += 19 * DAY_MS
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const filled = await fill()
    expect(await pem()).toBe(first)
    now += DAY_MS
    vi.advanceTimersByTime(DAY_MS)
    await vi.waitFor(async () => expect(await pem()).not.toBe(first), { timeout: 20_000 })
    filled.end()
  })

  test.each([
    ['is due', waitUntilDue],
    ['is of another CA', () => rm(folder, { recursive: true })],
    ["is another plugin's", () => issued('acme/other')],
    ['has the key of another', mixKeys],
    ['is cut off', async () => writeFile(file('plugin.pem'), (await pem()).slice(0, 300))],
    ['lacks its CA', () => rm(file('ca.crt'))],
  ])('keeps no certificate that %s', async (_what, spoil) => {
    ;(await fill()).end()
    await spoil()
    const spoilt = await pem()
    ;(await fill()).end()
    expect(await pem()).not.toBe(spoilt)
    const leaf = new X509Certificate(await pem())
    expect(leaf.verify(new X509Certificate(await readFile(file('ca.crt'))).publicKey)).toBe(true)
    expect(leaf.subjectAltName).toContain(pluginUri('acme/echo'))
  })

  test('is renewed by itself while the plugin runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const filled = await fill()
    const first = await pem()
    now += 20 * DAY_MS
    vi.advanceTimersByTime(20 * DAY_MS)
    await vi.waitFor(async () => expect(await pem()).not.toBe(first), { timeout: 20_000 })
    filled.end()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test.each<Transport>(['quic', 'tls'])(
  'over %s, what was issued for one plugin is refused for another',
  async (transport) => {
    const identity = await open()
    const linked = Promise.withResolvers<Link>()
    const listener = await listenForLinks(transport, {
      address: { host: '127.0.0.1', port: 0 },
      credentials: await identity.issueFor('acme/echo'),
      protocols: ['callboard/1'],
      expects: HOST_URI,
      onLink: linked.resolve,
      onRefused: () => {},
    })
    const dial = async (pluginId: string): Promise<Link> =>
      dialLink(transport, {
        address: listener.address,
        credentials: await identity.credentials(),
        protocols: ['callboard/1'],
        expects: pluginUri(pluginId),
      })
    await expect(dial('acme/other')).rejects.toMatchObject({ kind: 'wrong-peer' })
    const link = await dial('acme/echo')
    expect(link.peer.uris).toEqual([pluginUri('acme/echo')])
    await linked.promise
    link.close()
    await listener.close()
  },
)

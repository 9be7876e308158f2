/** A plugin of the existing protocol, which signs its own certificate with the key that it finds. */
// tsyringe looks for it when @peculiar/x509 is loaded.
import 'reflect-metadata'

import { webcrypto } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Credentials, dialLink, type Link, listenForLinks, type Transport } from '@callboard/sdk/external'
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOrchestraIdentity } from './orchestra-identity.ts'

const PROTOCOL = 'orchestra-plugin'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchestra-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** What such a plugin makes for itself: a key of Ed25519, signed by the CA of its folder. */
async function signOwn(): Promise<Credentials> {
  const ca = new X509Certificate(await readFile(join(folder, 'ca.crt'), 'utf8'))
  const der = PemConverter.decodeFirst(await readFile(join(folder, 'ca.key'), 'utf8'))
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in keys)) throw new Error('no pair of keys')
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=tools.echo',
    issuer: ca.subjectName,
    publicKey: keys.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 60_000),
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    ca: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: PemConverter.encode(key, 'PRIVATE KEY'),
  }
}

async function link(
  transport: Transport,
  listening: Credentials,
  dialling: Credentials,
  serverName = 'localhost',
): Promise<readonly [Link, Link]> {
  const accepted = Promise.withResolvers<Link>()
  const listener = await listenForLinks(transport, {
    address: { host: '127.0.0.1', port: 0 },
    credentials: listening,
    protocols: [PROTOCOL],
    onLink: accepted.resolve,
    onRefused: (_from, error) => accepted.reject(error),
  })
  try {
    const { address } = listener
    return await Promise.all([
      dialLink(transport, { address, credentials: dialling, protocols: ['callboard/1', PROTOCOL], serverName }),
      accepted.promise,
    ])
  } finally {
    await listener.close()
  }
}

test('every start has a CA of its own, and nothing of the last one is left', async () => {
  await createOrchestraIdentity(folder)
  const first = await readFile(join(folder, 'ca.crt'), 'utf8')
  await mkdir(join(folder, 'more'))
  await writeFile(join(folder, 'tools.echo.crt'), 'of the CA before')
  await createOrchestraIdentity(folder)
  expect(await readdir(folder)).toEqual(['ca.crt', 'ca.key'])
  expect(await readFile(join(folder, 'ca.crt'), 'utf8')).not.toBe(first)
  expect((await stat(join(folder, 'ca.key'))).mode & 0o777).toBe(0o600)
})

test.each<Transport>(['quic', 'tls'])(
  'over %s, the host dials it, and is called back under its name there',
  async (transport) => {
    const { dialling, listening } = await createOrchestraIdentity(folder)
    const plugin = await signOwn()
    const [forth] = await link(transport, plugin, dialling)
    expect(forth.protocol).toBe(PROTOCOL)
    const [back] = await link(transport, listening, plugin, 'orchestra-host')
    expect(back.protocol).toBe(PROTOCOL)
  },
)

test.each<Transport>(['quic', 'tls'])('over %s, a plugin with another CA is refused', async (transport) => {
  const { listening } = await createOrchestraIdentity(folder)
  await createOrchestraIdentity(folder)
  const other = await signOwn()
  const ca = listening.ca
  await expect(link(transport, listening, { ...other, ca }, 'orchestra-host')).rejects.toMatchObject({
    kind: 'unknown-authority',
  })
})

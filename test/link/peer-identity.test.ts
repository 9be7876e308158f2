/** Who a certificate says that its holder is, whatever else it says. */
import { X509Certificate } from 'node:crypto'
import { pluginUri } from '@callboard/sdk/external'
import { beforeAll, expect, test } from 'vitest'
import { readPeerIdentity } from '../../packages/sdk/src/external/link/peer-identity.ts'
import { createParty, type TestParty } from './credentials.ts'

let party: TestParty

beforeAll(async () => {
  party = await createParty()
})

async function urisOf(uri: string, dnsNames: readonly string[] = ['localhost']): Promise<readonly string[]> {
  const { certificate } = await party.issue({ uri, dnsNames })
  return readPeerIdentity(new X509Certificate(certificate).raw).uris
}

test('the identity is the URI of the certificate', async () => {
  expect(await urisOf(pluginUri('acme/echo'))).toEqual(['spiffe://callboard/plugin/acme/echo'])
})

test.each([
  `x:a, URI:${pluginUri('acme/echo')}`,
  `x:a, URI:${pluginUri('acme/echo')}, DNS:b`,
  `x:"a", URI:${pluginUri('acme/echo')}, x:"b"`,
])('the URI %j does not pass for the one that it holds', async (uri) => {
  expect(await urisOf(uri)).not.toContain(pluginUri('acme/echo'))
})

test('a host that is called like a URI is none', async () => {
  expect(await urisOf('x:y', [`URI:${pluginUri('acme/echo')}`])).toEqual(['x:y'])
})

test('what is no certificate has no identity', () => {
  expect(() => readPeerIdentity(Buffer.from('nonsense'))).toThrow()
})

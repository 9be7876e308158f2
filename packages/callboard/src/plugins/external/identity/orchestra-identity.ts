/** Who is who between the host and one plugin of the existing protocol: a CA for these two alone. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Credentials, HOST_URI } from '@callboard/sdk/external'
import { createAuthority, issueLeaf, type LeafOptions } from './certificates.ts'
import { replacePrivateFile } from './private-file.ts'

/** Such a plugin takes a certificate that is valid for a year, and never looks whether it still is. */
const VALID_MS = 365 * 24 * 60 * 60 * 1000

/** What the plugin expects the host to be called when it calls back. */
const HOST_NAME = 'orchestra-host'

/** The host's side of the CA. Whoever else the CA signed is the plugin. */
export interface OrchestraIdentity {
  /** For dialling the plugin. */
  readonly dialling: Credentials
  /** For listening to its call-backs. */
  readonly listening: Credentials
}

/**
 * Makes a CA anew and puts it, with its key, where such a plugin looks for it: the plugin signs its own certificate. So
 * the CA is its alone, and made for each of its starts, since the plugin would keep using a certificate that has
 * expired. The folder is emptied first.
 */
export async function createOrchestraIdentity(folder: string): Promise<OrchestraIdentity> {
  const validity = { from: Date.now(), forMs: VALID_MS }
  const authority = await createAuthority('Callboard plugin', validity)
  await rm(folder, { recursive: true, force: true })
  await replacePrivateFile(join(folder, 'ca.crt'), authority.certificate)
  await replacePrivateFile(join(folder, 'ca.key'), authority.key)
  const issue = async (use: LeafOptions['use']): Promise<Credentials> => {
    // It dials the number that it is told, and looks for that or for the name.
    const names = { dnsNames: ['localhost', HOST_NAME], addresses: ['127.0.0.1', '::1'] }
    const leaf = await issueLeaf(authority, { name: HOST_NAME, uri: HOST_URI, use, ...names, ...validity })
    return { ca: authority.certificate, ...leaf }
  }
  return { dialling: await issue('client'), listening: await issue('server') }
}

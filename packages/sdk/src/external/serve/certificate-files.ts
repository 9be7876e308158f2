/** The certificates of an external plugin, as its host puts them into a folder and renews them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LinkError } from '../link/link-error.ts'
import type { Credentials } from '../link/terms.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const KEY = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^-]+-----END \1-----/

/**
 * Reads `ca.crt` (the host's CA) and `plugin.pem` (the plugin's certificate and its key). Throws `LinkError` of kind
 * `credentials`.
 */
export async function readCertificateFiles(folder: string): Promise<Credentials> {
  const [ca, own] = await Promise.all([read(join(folder, 'ca.crt')), read(join(folder, 'plugin.pem'))])
  const certificate = own.match(CERTIFICATE)?.join('\n')
  const key = KEY.exec(own)?.[0]
  if (certificate === undefined || key === undefined)
    throw new LinkError('credentials', `${join(folder, 'plugin.pem')} has to have a certificate and its key, in PEM`)
  return { ca, certificate: `${certificate}\n`, key: `${key}\n` }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new LinkError('credentials', `${file} can't be read; it is in the folder that --certs-dir names`, { cause })
  }
}

/** Whether both are the same, so that nothing has to be renewed. */
export function areEqual(a: Credentials, b: Credentials): boolean {
  return a.ca === b.ca && a.certificate === b.certificate && a.key === b.key
}

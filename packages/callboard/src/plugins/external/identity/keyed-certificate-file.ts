/** Files that hold a certificate and its key, in PEM: in one file, so that both always belong together. */
import { readFile } from 'node:fs/promises'
import type { KeyedCertificate } from './certificates.ts'

/**
 * Undefined where there is no such file. Throws what reading throws, and an error for a file that holds something else.
 */
export async function readKeyedCertificate(file: string): Promise<KeyedCertificate | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const certificate = blockOf(text, 'CERTIFICATE')
  const key = blockOf(text, 'PRIVATE KEY')
  if (certificate === undefined || key === undefined) throw new Error('it holds no certificate with its key')
  return { certificate, key }
}

function blockOf(text: string, label: string): string | undefined {
  const block = new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n?`).exec(text)?.[0]
  return block === undefined ? undefined : `${block.trimEnd()}\n`
}

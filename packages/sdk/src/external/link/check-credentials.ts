/** Looks at credentials before they are used: what does not fit together would only fail later, in a peer's words. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { LinkError } from './link-error.ts'
import type { Credentials } from './terms.ts'

/** Throws `LinkError` of kind `credentials` that says which part is wrong. */
export function checkCredentials({ ca, certificate, key }: Credentials): void {
  const own = read('the certificate', () => new X509Certificate(certificate))
  read("the CA's certificate", () => new X509Certificate(ca))
  const ownKey = read('the key', () => createPrivateKey(key))
  if (!own.checkPrivateKey(ownKey)) throw new LinkError('credentials', 'the key is not that of the certificate')
}

function read<T>(what: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new LinkError('credentials', `${what} can't be read; it has to be PEM`, { cause })
  }
}

/** What an external plugin is started with: the words that a host puts behind its command. */
import { parseArgs } from 'node:util'
import { type Address, parseAddress } from '../link/address.ts'
import type { Transport } from '../link/link.ts'

export interface ServeArguments {
  /** To print the manifest and end. */
  readonly isManifestAsked: boolean
  readonly address: Address
  /** The folder with `ca.crt` and `plugin.pem`. */
  readonly certificates: string
  /** What the host dials. Undefined where it does not say: QUIC, and TLS where that does not load. */
  readonly transport: Transport | undefined
}

/** Any other word is the plugin's own. Throws `TypeError` for what can't be meant. */
export function readServeArguments(words: readonly string[]): ServeArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      manifest: { type: 'boolean', default: false },
      'listen-addr': { type: 'string', default: 'localhost:0' },
      'certs-dir': { type: 'string', default: '' },
      transport: { type: 'string' },
    },
    strict: false,
  })
  const { manifest, transport } = values
  const certificates = String(values['certs-dir'])
  if (manifest !== true && certificates === '')
    throw new TypeError(
      'a Callboard plugin is started by its host, with --certs-dir FOLDER and --listen-addr HOST:PORT; --manifest prints what it is',
    )
  if (transport !== undefined && transport !== 'quic' && transport !== 'tls')
    throw new TypeError(`--transport ${transport}: there are quic and tls`)
  return {
    isManifestAsked: manifest === true,
    address: parseAddress(String(values['listen-addr'])),
    certificates,
    transport,
  }
}

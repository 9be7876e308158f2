/** Opens TLS links. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { formatAddress, type NumericAddress, resolveAddress } from '../address.ts'
import { checkCredentials } from '../check-credentials.ts'
import { dialInTurn } from '../dial-in-turn.ts'
import type { Link } from '../link.ts'
import { LinkError } from '../link-error.ts'
import { readPeerIdentity } from '../peer-identity.ts'
import { type DialOptions, mismatch, settle } from '../terms.ts'
import { MuxConnection } from './mux-connection.ts'
import { tlsFailure } from './tls-failure.ts'

/** As `dialQuic` does. */
export async function dialTls(options: DialOptions): Promise<Link> {
  checkCredentials(options.credentials)
  const addresses = await resolveAddress(options.address)
  return dialInTurn(addresses, (address, signal) => dialOne(address, { ...options, signal }), options.signal)
}

async function dialOne(address: NumericAddress, options: DialOptions): Promise<Link> {
  const peerName = formatAddress(address)
  const { credentials, protocols } = options
  const socket = connect({
    host: address.host,
    port: address.port,
    servername: options.serverName ?? 'localhost',
    ca: credentials.ca,
    cert: credentials.certificate,
    key: credentials.key,
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.3',
  })
  try {
    await handshake(socket, peerName, options)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return toLink(socket, peerName, options)
}

async function handshake(socket: TLSSocket, peerName: string, options: DialOptions): Promise<void> {
  const { handshakeMs } = settle(options)
  const giveUp = new AbortController()
  const late = new LinkError('timeout', `${peerName} did not answer within ${handshakeMs} ms`)
  const deadline = setTimeout(() => giveUp.abort(late), handshakeMs)
  const onAbort = (): void => giveUp.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await once(socket, 'secureConnect', { signal: giveUp.signal })
  } catch (error) {
    giveUp.signal.throwIfAborted()
    throw tlsFailure(error, peerName)
  } finally {
    clearTimeout(deadline)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

function toLink(socket: TLSSocket, peerName: string, options: DialOptions): Link {
  const certificate = socket.getPeerX509Certificate()
  const peer = certificate === undefined ? undefined : readPeerIdentity(certificate.raw)
  if (peer === undefined) throw new LinkError('no-certificate', `${peerName} showed no certificate`)
  const protocol = socket.alpnProtocol
  const link = new MuxConnection({
    socket,
    isDialler: true,
    peer,
    protocol: typeof protocol === 'string' ? protocol : '',
    terms: options,
    peerName,
  })
  const failure = refusalOf()
  if (failure === undefined) return link
  link.end(failure)
  throw failure

  function refusalOf(): LinkError | undefined {
    if (typeof protocol !== 'string')
      return new LinkError('no-protocol', `${peerName} speaks none of our protocols (${options.protocols.join(', ')})`)
    const why = peer === undefined ? undefined : mismatch(peer, options.expects)
    return why === undefined ? undefined : new LinkError('wrong-peer', `${peerName}: ${why}`)
  }
}

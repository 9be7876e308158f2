/** Who the host is to its external plugins: the CA that it owns, and what that CA signed for the host itself. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { type Credentials, HOST_URI, pluginUri } from '@callboard/sdk/external'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { createAuthority, issueLeaf, type KeyedCertificate, validityOf } from './certificates.ts'
import { readKeyedCertificate } from './keyed-certificate-file.ts'
import { createPrivateFile, replacePrivateFile } from './private-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AUTHORITY_MS = 3650 * DAY_MS
const LEAF_MS = 30 * DAY_MS
/** A CA that ends sooner could sign no leaf that lives out its time. */
const AUTHORITY_RENEWAL_MS = 2 * LEAF_MS
/**
 * A leaf with less left than this is replaced: a third of its time, so that a renewal that fails can be tried for days.
 */
const LEAF_RENEWAL_MS = LEAF_MS / 3

export interface HostIdentityOptions {
  /** Where the CA is kept: a folder of its own under the data folder. */
  readonly folder: string
  readonly log: Log
  /** Milliseconds since the epoch; the system's clock unless given. */
  readonly now?: () => number
}

/** Opened once for a host. It needs no closing. */
export class HostIdentity {
  readonly #authority: KeyedCertificate
  readonly #now: () => number
  #own: KeyedCertificate | undefined

  private constructor(authority: KeyedCertificate, now: () => number) {
    this.#authority = authority
    this.#now = now
  }

  /**
   * Reads the CA, or makes it (0600) when there is none, or none that lasts. Throws `CallboardError` when the folder
   * can't be used, or what is there is no CA.
   */
  static async open({ folder, log, now = Date.now }: HostIdentityOptions): Promise<HostIdentity> {
    const file = join(folder, 'ca.pem')
    try {
      let authority = await readKeyedCertificate(file)
      if (authority === undefined) {
        await createPrivateFile(file, await newAuthority(now()))
        authority = await readKeyedCertificate(file)
      }
      if (authority === undefined) throw new Error('it went away')
      if (validityOf(authority.certificate).notAfter - now() > AUTHORITY_RENEWAL_MS)
        return new HostIdentity(authority, now)
      log.warn(
        { file },
        'the CA of external plugins ends soon; a new one takes its place, and plugins that run elsewhere need new certificates',
      )
      await replacePrivateFile(file, await newAuthority(now()))
      return await HostIdentity.open({ folder, log, now })
    } catch (error) {
      if (error instanceof CallboardError) throw error
      throw new CallboardError(
        'config',
        `can't use the CA of external plugins in "${file}": ${messageOf(error)}; remove the file to have a new one made`,
        { cause: error },
      )
    }
  }

  /** The CA's certificate, in PEM. */
  get authority(): string {
    return this.#authority.certificate
  }

  /** With what the host dials, for each time it does: renewed when it is due. */
  async credentials(): Promise<Credentials> {
    if (this.#own === undefined || this.isDue(this.#own.certificate))
      this.#own = await this.#issue('callboard host', HOST_URI, 'client')
    return { ca: this.authority, ...this.#own }
  }

  /** With what this plugin listens, and nobody else. */
  async issueFor(pluginId: string): Promise<Credentials> {
    const leaf = await this.#issue('callboard plugin', pluginUri(pluginId), 'server')
    return { ca: this.authority, ...leaf }
  }

  /** Whether this is a leaf that was issued here for this plugin, with its key, and is not to be replaced yet. */
  isGoodFor(pluginId: string, { certificate, key }: KeyedCertificate): boolean {
    try {
      const leaf = new X509Certificate(certificate)
      return (
        leaf.verify(new X509Certificate(this.authority).publicKey) &&
        leaf.checkPrivateKey(createPrivateKey(key)) &&
        (leaf.subjectAltName?.split(', ').includes(`URI:${pluginUri(pluginId)}`) ?? false) &&
        !this.isDue(certificate)
      )
    } catch {
      // Whatever it is, no plugin could use it.
      return false
    }
  }

  /** Whether a certificate that was issued here is to be replaced by now. */
  isDue(certificate: string): boolean {
    return this.untilDue(certificate) <= 0
  }

  /** Milliseconds until a certificate that was issued here is to be replaced. */
  untilDue(certificate: string): number {
    return validityOf(certificate).notAfter - LEAF_RENEWAL_MS - this.#now()
  }

  #issue(name: string, uri: string, use: 'server' | 'client'): Promise<KeyedCertificate> {
    return issueLeaf(this.#authority, { name, uri, use, from: this.#now(), forMs: LEAF_MS })
  }
}

async function newAuthority(now: number): Promise<string> {
  const { certificate, key } = await createAuthority('Callboard external plugins', { from: now, forMs: AUTHORITY_MS })
  return `${certificate}${key}`
}

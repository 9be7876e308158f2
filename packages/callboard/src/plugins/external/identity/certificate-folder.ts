/** The folder with the certificates of one plugin, as a process of its own finds them: `--certs-dir`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pluginUri } from '@callboard/sdk/external'
import { messageOf } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { HostIdentity } from './host-identity.ts'
import { readKeyedCertificate } from './keyed-certificate-file.ts'
import { replacePrivateFile } from './private-file.ts'

/** When a renewal failed, the next one is tried after so long. */
const RETRY_MS = 60 * 60 * 1000

export interface CertificateFolderOptions {
  readonly identity: HostIdentity
  readonly pluginId: string
  readonly folder: string
  readonly log: Log
}

/**
 * Holds `ca.crt`, whom the plugin believes, and `plugin.pem`, its own certificate with its key. Both are replaced while
 * the plugin runs, each at once, long before they end; who reads them anew for each connection has always valid ones.
 */
export class CertificateFolder {
  readonly folder: string
  readonly #options: CertificateFolderOptions
  #certificate = ''
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #hasEnded = false

  private constructor(options: CertificateFolderOptions) {
    this.folder = options.folder
    this.#options = options
  }

  /**
   * Resolves when the files are there; those of a run before are kept while they are good. Whoever fills one ends it.
   */
  static async fill(options: CertificateFolderOptions): Promise<CertificateFolder> {
    const filled = new CertificateFolder(options)
    await filled.#reuse()
    await filled.refresh()
    return filled
  }

  /** Replaces the certificate if that is due; to be waited for before each dialling. */
  async refresh(): Promise<void> {
    if (this.#certificate !== '' && !this.#options.identity.isDue(this.#certificate)) return
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  /** Renews nothing any more. */
  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  async #reuse(): Promise<void> {
    const { identity, pluginId } = this.#options
    const [ca, own] = await Promise.all([
      readFile(join(this.folder, 'ca.crt'), 'utf8').catch(() => ''),
      // What can't be read is made anew.
      readKeyedCertificate(join(this.folder, 'plugin.pem')).catch(() => undefined),
    ])
    if (own === undefined || ca !== identity.authority || !identity.isGoodFor(pluginId, own)) return
    this.#certificate = own.certificate
    this.#wake(identity.untilDue(own.certificate))
  }

  async #write(): Promise<void> {
    const { identity, pluginId } = this.#options
    const { ca, certificate, key } = await identity.issueFor(pluginId)
    await replacePrivateFile(join(this.folder, 'ca.crt'), ca)
    await replacePrivateFile(join(this.folder, 'plugin.pem'), `${certificate}${key}`)
    this.#certificate = certificate
    this.#options.log.debug({ plugin: pluginId, identity: pluginUri(pluginId) }, 'the plugin has a new certificate')
    this.#wake(identity.untilDue(certificate))
  }

  #wake(afterMs: number): void {
    if (this.#hasEnded) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#renew(), Math.max(afterMs, 0)).unref()
  }

  async #renew(): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      this.#options.log.warn(
        { plugin: this.#options.pluginId, reason: messageOf(error) },
        "the plugin's certificate was not renewed",
      )
      this.#wake(RETRY_MS)
    }
  }
}

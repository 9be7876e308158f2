/**
 * What the external plugins of a host have in common: where it keeps what belongs to them, its identity, and their
 * events.
 */
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import type { HostIdentity } from './identity/host-identity.ts'
import { EventBus } from './orchestra/event-bus.ts'

/** A folder under the data folder; one for a host. */
export class ExternalHome {
  /** The events of its plugins. */
  readonly events: EventBus = new EventBus()
  readonly #folder: string
  readonly #log: Log
  #identity: Promise<HostIdentity> | undefined

  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  /**
   * The host's identity, made or read when it is first asked for. Throws `CallboardError` for a CA that can't be used.
   */
  identity(): Promise<HostIdentity> {
    this.#identity ??= this.#open().catch((error: unknown) => {
      // What was in the way may be gone at the next start.
      this.#identity = undefined
      throw error
    })
    return this.#identity
  }

  async #open(): Promise<HostIdentity> {
    // Whoever has no external plugin needs none of what makes certificates.
    const { HostIdentity } = await import('./identity/host-identity.ts')
    return await HostIdentity.open({ folder: join(this.#folder, 'ca'), log: this.#log })
  }

  /** Where the certificates of a plugin are. */
  certificatesOf(pluginId: string): string {
    return join(this.#folderOf(pluginId), 'certs')
  }

  /** Where the files are that a plugin keeps with the host. */
  filesOf(pluginId: string): string {
    return join(this.#folderOf(pluginId), 'files')
  }

  /** An id may be two dots, so that it is never a name by itself. */
  #folderOf(pluginId: string): string {
    return join(this.#folder, 'plugins', `${pluginId.replace('/', '+')}.plugin`)
  }
}

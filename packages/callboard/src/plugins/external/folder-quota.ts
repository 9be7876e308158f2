/** How much room the files of one plugin take, and that they take no more than they may. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CallboardError } from '../../errors.ts'
import { absent } from './absent.ts'
import { forgetDeleted } from './forget-deleted.ts'

/** What a file costs besides its bytes, so that nobody fills a disk with names. */
export const NAME_BYTES = 256

const MEGABYTE = 1024 * 1024

/** One for a folder. What other processes write there is seen when this one has no room left. */
export class FolderQuota {
  readonly #folder: string
  readonly #limit: number
  /** What was there when it was measured, and what was written since. */
  #settled: number | undefined
  /** What is being written. */
  #pending = 0
  #last: Promise<void> = Promise.resolve()

  /** @param limit in bytes, names and all */
  constructor(folder: string, limit: number) {
    this.#folder = folder
    this.#limit = limit
  }

  /**
   * Keeps room for so many bytes more, or fewer where it is negative, until `settle` says how many it were. Throws
   * `denied` where they don't fit.
   */
  reserve(bytes: number): Promise<void> {
    // One after the other, so that nobody's bytes get lost in another one's measuring.
    const reserved = this.#last.then(() => this.#reserve(bytes))
    this.#last = reserved.catch(() => {})
    return reserved
  }

  settle(reserved: number, written: number): void {
    this.#pending -= reserved
    if (this.#settled !== undefined) this.#settled += written
  }

  async #reserve(bytes: number): Promise<void> {
    // Measured anew where it seems full, since files may have gone without this process.
    if (bytes > 0 && this.#left < bytes) {
      this.#settled = await this.#measure()
      if (this.#left < bytes && (await forgetDeleted(this.#folder))) this.#settled = await this.#measure()
      if (this.#left < bytes) throw this.#full()
    }
    this.#pending += bytes
  }

  get #left(): number {
    return this.#settled === undefined ? 0 : this.#limit - this.#settled - Math.max(this.#pending, 0)
  }

  /** What is written meanwhile may be counted twice; the next measuring mends that. */
  async #measure(): Promise<number> {
    let used = 0
    const entries = (await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
    for (const entry of entries) {
      const facts = entry.isFile() ? await stat(join(entry.parentPath, entry.name)).catch(absent) : undefined
      used += NAME_BYTES + (facts?.size ?? 0)
    }
    return used
  }

  #full(): CallboardError {
    const [has, may] = [this.#limit - this.#left, this.#limit].map((bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`)
    return new CallboardError(
      'denied',
      `the plugin's files take ${has} of ${may}, each name ${NAME_BYTES} bytes, and this does not fit; delete some (their names stay for a day), or raise its \`maxStorage\``,
    )
  }
}

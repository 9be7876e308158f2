/** The newest snapshot of a catalogue that changes. */
import { type CatalogChange, CatalogSnapshot, type CatalogTool, type LostNames } from './snapshot.ts'

/**
 * Changes are put together until somebody looks: when many plugins list their tools one after the other, there is one
 * snapshot after all of them, not one after each.
 */
export class LatestSnapshot {
  #snapshot = CatalogSnapshot.empty
  readonly #removed = new Set<string>()
  /** By namespaced name. */
  readonly #put = new Map<string, CatalogTool>()
  #lostNames: LostNames | undefined

  /** The snapshot after every change so far. */
  get now(): CatalogSnapshot {
    if (this.#removed.size > 0 || this.#put.size > 0 || this.#lostNames !== undefined) this.#take()
    return this.#snapshot
  }

  /** Makes a change, to be seen in `now`; the last one counts that names a tool. */
  change({ removed = [], put = [], lostNames }: CatalogChange): void {
    for (const name of removed) {
      this.#removed.add(name)
      this.#put.delete(name)
    }
    for (const tool of put) this.#put.set(tool.entry.namespacedName, tool)
    this.#lostNames = lostNames ?? this.#lostNames
  }

  #take(): void {
    this.#snapshot = this.#snapshot.with({
      removed: this.#removed,
      put: this.#put.values(),
      ...(this.#lostNames !== undefined && { lostNames: this.#lostNames }),
    })
    this.#removed.clear()
    this.#put.clear()
    this.#lostNames = undefined
  }
}

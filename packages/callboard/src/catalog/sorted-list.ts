/** An immutable sorted list whose successor costs as much as what changed, and shares the rest with it. */

/** A key -> the item that has it from now on, or `undefined` when none has. */
export type KeyedChanges<T> = ReadonlyMap<string, T | undefined>

/** Items of a chunk at most, and at least; the last chunk may have fewer. */
const MOST = 512
const LEAST = 128

/**
 * Keys are in code unit order, each once. The items lie in chunks: a change copies those chunks that it touches, and
 * the index of all of them, which takes some microseconds for a million items.
 */
export class SortedList<T extends object> implements Iterable<T> {
  /** The items in order, run by run. A run that two lists have in common is the very same array in both. */
  readonly chunks: readonly (readonly T[])[]
  /** By chunk: how many items there are up to its end. */
  readonly ends: readonly number[]
  readonly keyOf: (item: T) => string

  private constructor({ chunks, ends }: Chunks<T>, keyOf: (item: T) => string) {
    this.chunks = chunks
    this.ends = ends
    this.keyOf = keyOf
  }

  /** @param sorted by `keyOf`, each key once; kept as it is where it is short, so that it may not change any more */
  static of<T extends object>(sorted: readonly T[], keyOf: (item: T) => string): SortedList<T> {
    const all = new Chunks<T>()
    all.cut(sorted)
    return new SortedList(all, keyOf)
  }

  get length(): number {
    return this.ends.at(-1) ?? 0
  }

  /** The item at this position, from 0 up to, but without, `length`. */
  at(position: number): T | undefined {
    const chunk = this.#chunkAt(position)
    return this.chunks[chunk]?.[position - this.#startOf(chunk)]
  }

  /** The items from `start`, 0 or more, up to, but without, `end`. */
  slice(start: number, end: number = this.length): T[] {
    const items: T[] = []
    for (let i = this.#chunkAt(start); i < this.chunks.length && this.#startOf(i) < end; i++) {
      const before = this.#startOf(i)
      items.push(...(this.chunks[i]?.slice(Math.max(0, start - before), end - before) ?? []))
    }
    return items
  }

  get(key: string): T | undefined {
    const item = this.at(this.placeOf(key))
    return item !== undefined && this.keyOf(item) === key ? item : undefined
  }

  /** How many items come before this key, whether it is there or not. */
  placeOf(key: string): number {
    const chunk = this.#chunkOf(key)
    return this.#startOf(chunk) + this.#placeIn(this.chunks[chunk] ?? [], key, 0)
  }

  /** Goes through a copy of the references, which is quicker than to find the way from chunk to chunk. */
  [Symbol.iterator](): ArrayIterator<T> {
    return this.slice(0)[Symbol.iterator]()
  }

  /** The list after the changes; the same one when there are none. */
  with(changes: KeyedChanges<T>): SortedList<T> {
    if (changes.size === 0) return this
    const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
    const all = new Chunks<T>()
    let chunk = 0
    const keepUpTo = (end: number): void => {
      for (; chunk < end; chunk++) all.add(this.chunks[chunk] ?? [], (this.ends[chunk] ?? 0) - this.#startOf(chunk))
    }
    for (let at = 0; at < sorted.length; ) {
      keepUpTo(this.#chunkOf(sorted[at]?.[0] ?? ''))
      const items: T[] = []
      // What has become small is put together with what follows.
      do {
        const next = this.chunks[chunk + 1]?.[0]
        const limit = next && this.keyOf(next)
        const end = firstFrom(at, sorted.length, (i) => limit !== undefined && (sorted[i]?.[0] ?? '') >= limit)
        this.#splice(this.chunks[chunk] ?? [], sorted.slice(at, end), items)
        at = end
        chunk++
      } while (items.length < LEAST && chunk < this.chunks.length)
      all.cut(items)
    }
    keepUpTo(this.chunks.length)
    return new SortedList(all, this.keyOf)
  }

  /** Adds the items of the chunk, with the changes put in, to `items`. */
  #splice(chunk: readonly T[], changes: readonly (readonly [key: string, item: T | undefined])[], items: T[]): void {
    let from = 0
    for (const [key, item] of changes) {
      const place = this.#placeIn(chunk, key, from)
      if (place > from) items.push(...chunk.slice(from, place))
      const old = chunk[place]
      from = old !== undefined && this.keyOf(old) === key ? place + 1 : place
      if (item !== undefined) items.push(item)
    }
    items.push(...chunk.slice(from))
  }

  #keyOf(item: T | undefined): string {
    return item === undefined ? '' : this.keyOf(item)
  }

  #startOf(chunk: number): number {
    return this.ends[chunk - 1] ?? 0
  }

  #chunkAt(position: number): number {
    return firstFrom(0, this.ends.length, (i) => (this.ends[i] ?? 0) > position)
  }

  /** The last chunk that does not begin behind the key. */
  #chunkOf(key: string): number {
    return firstFrom(1, this.chunks.length, (i) => this.#keyOf(this.chunks[i]?.[0]) > key) - 1
  }

  #placeIn(chunk: readonly T[], key: string, from: number): number {
    return firstFrom(from, chunk.length, (i) => this.#keyOf(chunk[i]) >= key)
  }
}

/** The chunks of a list that is being made. */
class Chunks<T> {
  readonly chunks: (readonly T[])[] = []
  readonly ends: number[] = []
  #end = 0

  add(chunk: readonly T[], length: number): void {
    this.#end += length
    this.chunks.push(chunk)
    this.ends.push(this.#end)
  }

  /** Adds the items in as few chunks as they need, which are about equally long. */
  cut(items: readonly T[]): void {
    const count = Math.ceil(items.length / MOST)
    const place = (chunk: number): number => Math.floor((items.length * chunk) / count)
    for (let i = 0; i < count; i++) {
      this.add(count === 1 ? items : items.slice(place(i), place(i + 1)), place(i + 1) - place(i))
    }
  }
}

/** The first number from `low` up to `high` of which the test is true, which then is of all that follow; else `high`. */
function firstFrom(low: number, high: number, test: (i: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}

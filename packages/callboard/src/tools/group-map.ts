/** Values by key, thrifty where nearly every key has one value. */

/** A set of values for each key, which tells when a value stops or starts being the only one of its key. */
export class GroupMap<T extends object> {
  readonly #sole = new Map<string, T>()
  readonly #shared = new Map<string, Set<T>>()

  /** Adds a value that the key does not have yet. Returns the one that was alone until now. */
  add(key: string, value: T): T | undefined {
    const group = this.#shared.get(key)
    if (group !== undefined) {
      group.add(value)
      return undefined
    }
    const alone = this.#sole.get(key)
    if (alone === undefined) this.#sole.set(key, value)
    else {
      this.#sole.delete(key)
      this.#shared.set(key, new Set([alone, value]))
    }
    return alone
  }

  /** Removes a value that the key has. Returns the one that is alone from now on. */
  remove(key: string, value: T): T | undefined {
    const group = this.#shared.get(key)
    if (group === undefined) {
      this.#sole.delete(key)
      return undefined
    }
    group.delete(value)
    if (group.size > 1) return undefined
    const [alone] = group
    this.#shared.delete(key)
    if (alone !== undefined) this.#sole.set(key, alone)
    return alone
  }

  /** Whether the key has no value. */
  isFree(key: string): boolean {
    return !this.#sole.has(key) && !this.#shared.has(key)
  }

  /** Whether the key has more than one value. */
  isShared(key: string): boolean {
    return this.#shared.has(key)
  }

  /** The value of a key that has exactly one. */
  sole(key: string): T | undefined {
    return this.#sole.get(key)
  }

  /** The values of a key, in the order in which they came. */
  values(key: string): Iterable<T> {
    const alone = this.#sole.get(key)
    return alone === undefined ? (this.#shared.get(key) ?? []) : [alone]
  }
}

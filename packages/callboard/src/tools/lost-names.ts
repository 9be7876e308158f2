/** The plain names that tools have lost to a clash, worked out anew only where something changed. */
import { isDeepStrictEqual } from 'node:util'

export class LostNames {
  readonly #losersOf: (plainName: string) => readonly string[]
  /** Names that tools have lost, or have back, since the map was last worked out. */
  readonly #contested = new Set<string>()
  #current: ReadonlyMap<string, readonly string[]> = new Map()

  /** `losersOf` tells the losers of a name as it is now; nobody when none has lost it. */
  constructor(losersOf: (plainName: string) => readonly string[]) {
    this.#losersOf = losersOf
  }

  /** Says that the losers of this name may be others now. */
  contest(plainName: string): void {
    this.#contested.add(plainName)
  }

  /** The losers by name. It is the same map for as long as nothing changes in it. */
  get current(): ReadonlyMap<string, readonly string[]> {
    const changed = [...this.#contested]
      .map((plainName) => [plainName, this.#losersOf(plainName)] as const)
      .filter(([plainName, losers]) => !isDeepStrictEqual(losers, this.#current.get(plainName) ?? []))
    this.#contested.clear()
    if (changed.length === 0) return this.#current
    const current = new Map(this.#current)
    for (const [plainName, losers] of changed) {
      if (losers.length > 0) current.set(plainName, losers)
      else current.delete(plainName)
    }
    this.#current = current
    return current
  }
}

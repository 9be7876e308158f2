/** The patterns of one schema, each compiled once, bounded in number and size all together. */
import { messageOf } from '../../errors.ts'
import { compileLinearPattern, type LinearPattern } from './linear-pattern.ts'

/** Instructions of all patterns; they take about 25 ms to compile. */
const MAX_SIZE = 6_000
/** Sources looked at, good and bad ones. */
const MAX_COUNT = 500

export class PatternSet {
  readonly #compiled = new Map<string, LinearPattern>()
  readonly #faults = new Map<string, string>()
  #size = 0

  /** Those that can be evaluated, by source. */
  get compiled(): ReadonlyMap<string, LinearPattern> {
    return this.#compiled
  }

  /** Compiles a pattern, or says in words why it is not evaluated. */
  add(source: string): string | undefined {
    if (this.#compiled.has(source)) return undefined
    const known = this.#faults.get(source)
    if (known !== undefined) return known
    if (this.#compiled.size + this.#faults.size >= MAX_COUNT) return `there are more than ${MAX_COUNT} patterns`
    try {
      const pattern = compileLinearPattern(source, MAX_SIZE - this.#size)
      this.#size += pattern.size
      this.#compiled.set(source, pattern)
      return undefined
    } catch (error) {
      const fault = messageOf(error)
      this.#faults.set(source, fault)
      return fault
    }
  }
}

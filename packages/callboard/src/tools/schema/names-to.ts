/** Finds where an object stands in a value. */

/**
 * The names and indices that lead from `value` to the first place where `part` itself stands, as texts; undefined where it
 * does not. The value must be shallow enough for recursion.
 */
export function namesTo(part: object, value: unknown): readonly string[] | undefined {
  if (value === part) return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const names = namesTo(part, member)
    if (names !== undefined) return [name, ...names]
  }
  return undefined
}

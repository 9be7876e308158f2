/** How much a JSON value holds, found in one walk that a hostile value can't make deep. */

export interface JsonSize {
  /** Values in all: the value itself, items and members, at every depth. */
  readonly values: number
  /** Characters of all strings and member names. */
  readonly characters: number
}

/** The size of the value, or undefined when something in it lies deeper than `maxDepth` (0 is the value itself). */
export function measureJson(value: unknown, maxDepth: number): JsonSize | undefined {
  const size = { values: 0, characters: 0 }
  return add(value, maxDepth, size) ? size : undefined
}

function add(value: unknown, depthLeft: number, size: { values: number; characters: number }): boolean {
  size.values++
  if (typeof value === 'string') size.characters += value.length
  if (typeof value !== 'object' || value === null) return true
  if (depthLeft === 0) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!add(item, depthLeft - 1, size)) return false
    return true
  }
  for (const [name, member] of Object.entries(value)) {
    size.characters += name.length
    if (!add(member, depthLeft - 1, size)) return false
  }
  return true
}

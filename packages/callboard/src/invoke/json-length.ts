/** How long a value would be as JSON, without writing it. */
import { encodedFields } from '../plugins/encoded-result.ts'

/**
 * Who answers with more values than this has the rest left out: a result of millions must not be walked through for a
 * number.
 */
const MOST_VALUES = 100_000
/** Deeper is not looked at; a value that leads back to itself has no end. */
const DEEPEST = 500

/**
 * The characters of `JSON.stringify(value)`, about: what needs an escape in a text, and fractions of numbers, are not
 * counted out, and of what is there in bytes it is the bytes that count. The time it takes grows with the number of
 * values, not with their length, and ends after 100,000 values.
 */
export function jsonLength(value: unknown): number {
  return lengthOf(value, { left: MOST_VALUES }, 0)
}

function lengthOf(value: unknown, walk: { left: number }, depth: number): number {
  walk.left -= 1
  switch (typeof value) {
    case 'string':
      return value.length + 2
    case 'number':
      return String(value).length
    case 'boolean':
      return value ? 4 : 5
    case 'object':
      break
    default:
      return 0
  }
  if (value === null) return 4
  if (depth === DEEPEST) return 0
  return Array.isArray(value) ? lengthOfList(value, walk, depth) : lengthOfObject(value, walk, depth)
}

function lengthOfList(list: readonly unknown[], walk: { left: number }, depth: number): number {
  let length = 1 + Math.max(1, list.length)
  for (const item of list) {
    if (walk.left <= 0) break
    length += lengthOf(item, walk, depth + 1)
  }
  return length
}

function lengthOfObject(value: object, walk: { left: number }, depth: number): number {
  const bytes = encodedFields(value)
  let length = 1
  for (const [name, member] of Object.entries(value)) {
    if (walk.left <= 0) break
    if (member === undefined || typeof member === 'function' || bytes?.has(name) === true) continue
    length += lengthOfName(name) + lengthOf(member, walk, depth + 1)
  }
  for (const [name, pieces] of bytes ?? [])
    length += lengthOfName(name) + pieces.reduce((sum, piece) => sum + piece.length, 0)
  return Math.max(2, length)
}

/** Quotes, a colon, and a comma or the closing brace besides the name itself. */
function lengthOfName(name: string): number {
  return name.length + 4
}

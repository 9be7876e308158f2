/** The type of an argument in a word or two, for lists in which a schema would be too long. */

/** Types that an argument may have, so many at most; more tell nothing that the schema does not tell better. */
const MOST_TYPES = 3

/**
 * What the schema of an argument says of its type: `string`, `string[]`, `integer or null`. Empty where it says nothing
 * so plain. Schemas come from outside and may be anything.
 */
export function argumentType(schema: unknown): string {
  const type = keyword(schema, 'type')
  const types = (Array.isArray(type) ? type : [type]).filter(isType)
  return types
    .slice(0, MOST_TYPES)
    .map((one) => (one === 'array' ? arrayOf(keyword(schema, 'items')) : one))
    .join(' or ')
}

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

function arrayOf(items: unknown): string {
  const type = keyword(items, 'type')
  return isType(type) && type !== 'array' ? `${type}[]` : 'array'
}

function isType(type: unknown): type is string {
  return typeof type === 'string' && TYPES.has(type)
}

function keyword(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null
    ? Object.entries(schema).find(([key]) => key === name)?.[1]
    : undefined
}

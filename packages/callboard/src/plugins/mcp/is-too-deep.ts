/** Finds values that are nested too deep to be copied, compared or written as JSON, which all go down level by level. */

/** No schema that was written for a purpose comes near it. */
const MAX_DEPTH = 100

/** Whether anything stands below a hundred levels. */
export function isTooDeep(value: unknown): boolean {
  let level: object[] = isNested(value) ? [value] : []
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) level = level.flatMap(nestedIn)
  return level.length > 0
}

function nestedIn(value: object): readonly object[] {
  return Object.values(value).filter(isNested)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

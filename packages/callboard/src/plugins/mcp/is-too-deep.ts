/**
 * Finds values that are nested too deep to be copied, compared or written as JSON, which all go down level by level.
 */

/** Whether anything stands below so many levels. */
export function isTooDeep(value: unknown, maxLevels: number): boolean {
  let level: object[] = isNested(value) ? [value] : []
  for (let depth = 0; depth < maxLevels && level.length > 0; depth++) level = level.flatMap(nestedIn)
  return level.length > 0
}

function nestedIn(value: object): readonly object[] {
  return Object.values(value).filter(isNested)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

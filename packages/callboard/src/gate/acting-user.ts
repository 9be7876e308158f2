/** On whose behalf a thing is listed or run. */
import { patternMatcher } from '../tools/pattern.ts'

/**
 * A user by name, with all that this user may do, or with less. It goes whole through every step of a request: whoever
 * passes on the name alone gives back what was taken.
 */
export type ActingUser = string | NarrowedUser

/** A user who may do less than usual, since a token or an application says so. */
export interface NarrowedUser {
  readonly name: string
  /** Of the user's permissions, only those that match one of these patterns. */
  readonly within: readonly string[]
}

export function nameOf(user: ActingUser): string {
  return typeof user === 'string' ? user : user.name
}

/** What `nameOf` and `within` were taken from. */
export function actingUser(name: string, within: readonly string[] | undefined): ActingUser {
  return within === undefined ? name : { name, within }
}

/** Whether a permission is one that this user may have at all; whether the user has it is the gate's to say. */
export function withinOf(user: ActingUser): (permission: string) => boolean {
  return typeof user === 'string' ? () => true : patternMatcher(user.within)
}

/** A text that is the same for those who are narrowed to the same; '' for those who are not. */
export function narrowingKey(user: ActingUser): string {
  if (typeof user === 'string' || user.within.includes('*')) return ''
  return JSON.stringify([...new Set(user.within)].sort())
}

/** The names in a manifest: what they may look like, told in time linear in the text. */

/**
 * `vendor/name`, as Composer has it. The published pattern of SIGNALS takes exponential time on a text that does not
 * fit.
 */
export const PACKAGE_NAME: RegExp = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*\/[a-z0-9]+(?:[_.-][a-z0-9]+)*$/

/** A dotted name whose first part may be any vendor; {@link dottedNameFault} is stricter about the rest. */
export const DOTTED_NAME: RegExp = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)+$/

/** What the APIs of models take for the name of an argument. */
export const ARGUMENT_NAME: RegExp = /^[a-zA-Z0-9_.-]{1,64}$/

/** SemVer 2.0.0, without a leading v. */
export const SEMVER: RegExp =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/

export const MAX_NAME: number = 128

const PART = /^[a-z][a-z0-9_]*$/

/**
 * What is wrong with the name of a tool or a permission in a plugin with this root: its form, or that it does not begin
 * with the root and a dot. Whatever the root looks like, each part after it begins with a letter.
 */
export function dottedNameFault(name: string, root: string): 'format' | 'namespace' | undefined {
  const isRooted = name.startsWith(`${root}.`)
  const parts = (isRooted ? name.slice(root.length + 1) : name).split('.')
  if (!parts.every((part) => PART.test(part))) return 'format'
  return isRooted ? undefined : 'namespace'
}

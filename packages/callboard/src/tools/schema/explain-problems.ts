/** What is wrong with some arguments, in words that show no text of theirs. */
import type { JsonSchema } from '@callboard/sdk'
import type { ErrorObject } from 'ajv'
import { isObject } from '../../is-object.ts'
import { deref } from './describe-schema.ts'
import { phraseOf } from './phrase-of.ts'

/** Errors looked at; where there are more, the last ones, since what sums others up stands after them. */
const MAX_ERRORS = 100
const MAX_PROBLEMS = 8
/** Forms of a union that are looked at one by one. */
const MAX_FORMS = 20

/**
 * One phrase for each problem, the first few of them. Numbers and booleans are shown; of anything else that was given
 * only the type and length are, so that no argument's text gets into a log or an answer.
 */
export function explainProblems(errors: readonly ErrorObject[], root: JsonSchema): readonly string[] {
  const problems = [...new Set(fold(errors.slice(-MAX_ERRORS), root))]
  const shown = problems.slice(0, MAX_PROBLEMS)
  if (problems.length > shown.length) shown.push(`${problems.length - shown.length} more problems`)
  return shown
}

/** Keywords that check the same value further, and not a part of it. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'])

/** Says of a union what is wrong with the form that was meant, where that is clear, instead of with each form. */
function fold(errors: readonly ErrorObject[], root: JsonSchema): string[] {
  const rest = new Set(errors)
  const phrases = new Map<ErrorObject, readonly string[]>()
  for (const error of errors.toReversed()) {
    const forms = rest.has(error) ? formsOf(error) : undefined
    if (forms === undefined) continue
    for (const inner of within(errors, error, forms, root)) rest.delete(inner)
    if (error.keyword === 'contains' || forms.length > MAX_FORMS) continue
    const phrase = aboutForms(
      error,
      forms.map((form) => within(errors, error, [form], root)),
      root,
    )
    if (phrase !== undefined) phrases.set(error, phrase)
  }
  const isSummedUp = (error: ErrorObject) =>
    error.propertyName !== undefined || (error.keyword === 'if' && errors.length > 1)
  return errors
    .filter((error) => rest.has(error) && !isSummedUp(error))
    .flatMap((error) => phrases.get(error) ?? [phraseOf(error, root)])
}

/** The subschemas whose errors the error sums up. */
function formsOf({ keyword, schema }: ErrorObject): readonly unknown[] | undefined {
  if (keyword === 'contains') return [schema]
  return (keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(schema) ? schema : undefined
}

/** Undefined where it is not clear which form was meant. */
function aboutForms(
  union: ErrorObject,
  forms: readonly (readonly ErrorObject[])[],
  root: JsonSchema,
): readonly string[] | undefined {
  const meant = forms.filter((errors) => !errors.some((error) => rulesOut(error, union)))
  const [only = []] = meant
  if (meant.length === 1 && only.length > 0) return fold(only, root)
  // A property that tells all the forms apart has a value that none of them knows.
  const tags = forms.flatMap((errors) => errors.find((error) => isTag(error, union)) ?? [])
  const [tag] = tags
  if (tag === undefined || tags.length < forms.length || tags.some((one) => one.instancePath !== tag.instancePath))
    return undefined
  const values = tags.flatMap(({ keyword, schema }): readonly unknown[] =>
    Array.isArray(schema) && keyword === 'enum' ? schema : [schema],
  )
  return [phraseOf({ ...tag, keyword: 'enum', schema: values }, root)]
}

/** The errors from checking the error's value, or a part of it, against these subschemas. */
function within(
  errors: readonly ErrorObject[],
  error: ErrorObject,
  schemas: readonly unknown[],
  root: JsonSchema,
): readonly ErrorObject[] {
  const here = reachable(schemas, root, (keyword) => IN_PLACE.has(keyword))
  const below = reachable(schemas, root, () => true)
  const { instancePath } = error
  return errors.filter((inner) => {
    if (inner === error || inner.parentSchema === undefined) return false
    if (inner.instancePath === instancePath) return here.has(inner.parentSchema)
    return inner.instancePath.startsWith(`${instancePath}/`) && below.has(inner.parentSchema)
  })
}

/** Every subschema that takes part in checking a value against one of these, along the keywords that count. */
function reachable(
  schemas: readonly unknown[],
  root: JsonSchema,
  counts: (keyword: string) => boolean,
): ReadonlySet<object> {
  const reached = new Set<object>()
  const pending: unknown[] = [...schemas]
  for (const node of pending) {
    if (typeof node !== 'object' || node === null || reached.has(node)) continue
    reached.add(node)
    if (Array.isArray(node)) pending.push(...node)
    else for (const [keyword, part] of Object.entries(node)) if (counts(keyword)) pending.push(part)
    if (isObject(node) && node.$ref !== undefined) pending.push(deref(node, root))
  }
  return reached
}

/** Whether the error shows that this form was not meant: another type, or another value where forms are told apart. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  const isHere = error.instancePath === union.instancePath
  if (error.keyword === 'type' || error.keyword === 'false schema') return isHere
  return isTag(error, union) || (isHere && (error.keyword === 'const' || error.keyword === 'enum'))
}

/** Whether it is about a value of one of the union's own properties. */
function isTag(error: ErrorObject, union: ErrorObject): boolean {
  if (error.keyword !== 'const' && error.keyword !== 'enum') return false
  return error.instancePath.slice(union.instancePath.length).split('/').length === 2
}

/** What is wrong with some arguments, in words that show no text of theirs. */
import type { JsonSchema } from '@callboard/sdk'
import type { ErrorObject } from 'ajv'
import { deref } from './describe-schema.ts'
import { isFields } from './json-schema-keywords.ts'
import { phraseOf } from './phrase-of.ts'

/** Errors looked at; where there are more, the last ones, since what sums others up stands after them. */
const MAX_ERRORS = 300
const MAX_PROBLEMS = 8
/** Forms of a union that are looked at one by one. */
const MAX_FORMS = 50

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

/** Says of a union what is wrong with the form that was meant, where that is clear, instead of with each form. */
function fold(errors: readonly ErrorObject[], root: JsonSchema): string[] {
  const rest = new Set(errors)
  const phrases = new Map<ErrorObject, readonly string[]>()
  for (const union of errors.toReversed()) {
    if (!rest.has(union) || !isUnion(union)) continue
    for (const inner of within(errors, union, union.schema, root)) rest.delete(inner)
    const forms: readonly unknown[] = union.schema.length <= MAX_FORMS ? union.schema : []
    const meant = forms
      .map((form) => within(errors, union, [form], root))
      .filter((inner) => !inner.some((error) => rulesOut(error, union)))
    const [only = []] = meant
    if (meant.length === 1 && only.length > 0) phrases.set(union, fold(only, root))
  }
  const isSummedUp = (error: ErrorObject) =>
    error.propertyName !== undefined || (error.keyword === 'if' && errors.length > 1)
  return errors
    .filter((error) => rest.has(error) && !isSummedUp(error))
    .flatMap((error) => phrases.get(error) ?? [phraseOf(error, root)])
}

function isUnion(error: ErrorObject): error is ErrorObject & { schema: readonly unknown[] } {
  return (error.keyword === 'anyOf' || error.keyword === 'oneOf') && Array.isArray(error.schema)
}

/** The errors from checking the union's value, or a part of it, against these forms. */
function within(
  errors: readonly ErrorObject[],
  union: ErrorObject,
  forms: readonly unknown[],
  root: JsonSchema,
): readonly ErrorObject[] {
  const reached = reachable(forms, root)
  const { instancePath } = union
  return errors.filter(
    (error) =>
      error !== union &&
      (error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)) &&
      error.parentSchema !== undefined &&
      reached.has(error.parentSchema),
  )
}

/** Every subschema that takes part in checking a value against one of these. */
function reachable(schemas: readonly unknown[], root: JsonSchema): ReadonlySet<object> {
  const reached = new Set<object>()
  const pending: unknown[] = [...schemas]
  for (const node of pending) {
    if (typeof node !== 'object' || node === null || reached.has(node)) continue
    reached.add(node)
    pending.push(...Object.values(node))
    if (isFields(node) && node.$ref !== undefined) pending.push(deref(node, root))
  }
  return reached
}

/** Whether the error shows that this form was not meant: another type, or another value where forms are told apart. */
function rulesOut(error: ErrorObject, union: ErrorObject): boolean {
  const depth = error.instancePath.slice(union.instancePath.length).split('/').length - 1
  if (error.keyword === 'type' || error.keyword === 'false schema') return depth === 0
  return (error.keyword === 'const' || error.keyword === 'enum') && depth <= 1
}

/** A tool's schema, made ready to check arguments or an answer and to say what is wrong with them. */
import type { JsonSchema } from '@callboard/sdk'
import { compileSchema } from './compile-schema.ts'
import { describeArguments } from './describe-schema.ts'
import { explainProblems } from './explain-problems.ts'
import { type PreparedSchema, prepareSchema } from './prepare-schema.ts'

/** A schema that arguments, or an answer, can be checked against. */
export interface CheckedSchema {
  /**
   * What is not right, a phrase each; empty for what is valid. Throws when it takes too many steps to find out.
   * @param member the value is that member of something else, and the phrases say so
   */
  problems(value: unknown, member?: string): readonly string[]
  /** The arguments there are, in words; empty when the schema names none. */
  readonly argumentList: string
  /** What of the schema is not checked, and why. */
  readonly notes: readonly string[]
  /** About how much memory it takes, in units of 1.5 kB. */
  readonly size: number
}

/** A pattern's engine, with the states that it remembers. */
const PATTERN_SIZE = 20

/** Throws, in words, for a schema that can't be used. */
export function checkedSchema(original: JsonSchema): CheckedSchema {
  const prepared = prepareSchema(original)
  const check = compileSchema(prepared)
  return {
    notes: [...prepared.notes, ...patternNotes(prepared)],
    size: 10 + prepared.subschemas + PATTERN_SIZE * prepared.patterns.size,
    argumentList: describeArguments(prepared.schema),
    problems(value, member) {
      const errors = check(value)
      if (errors.length === 0) return []
      const at = member === undefined ? '' : `/${member}`
      const placed = errors.map((error) => ({ ...error, instancePath: `${at}${error.instancePath}` }))
      return explainProblems(placed, prepared.schema)
    },
  }
}

function patternNotes({ refusedPatterns }: PreparedSchema): string[] {
  return [...refusedPatterns].map(([source, fault]) => `the pattern ${JSON.stringify(source.slice(0, 100))}: ${fault}`)
}

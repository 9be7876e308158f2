/** A tool's schema, made ready to check arguments and to say what is wrong with them. */
import type { JsonSchema } from '@callboard/sdk'
import { compileSchema } from './compile-schema.ts'
import { describeArguments } from './describe-schema.ts'
import { explainProblems } from './explain-problems.ts'
import { type PreparedSchema, prepareSchema } from './prepare-schema.ts'

/** A schema that arguments can be checked against. */
export interface CheckedSchema {
  /** What is not right, a phrase each; empty for valid arguments. Throws when it takes too many steps to find out. */
  problems(args: unknown): readonly string[]
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
    problems(args) {
      const errors = check(args)
      return errors.length === 0 ? [] : explainProblems(errors, prepared.schema)
    },
  }
}

function patternNotes({ refusedPatterns }: PreparedSchema): string[] {
  return [...refusedPatterns].map(([source, fault]) => `the pattern ${JSON.stringify(source.slice(0, 100))}: ${fault}`)
}

/**
 * Compiles a prepared schema with Ajv, so that a check ends within a budget of steps whatever the schema and the value.
 */
import { _, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt, Name } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject } from '../../is-object.ts'
import type { LinearPattern } from './linear-pattern.ts'
import type { PreparedSchema } from './prepare-schema.ts'

/**
 * Steps of one check; one takes some 20 ns. An ordinary megabyte of arguments needs 200,000; a schema that has its
 * branches multiply spends all of them and stops the host for less than 50 ms.
 */
const BUDGET = 2_000_000
/** A pattern's instructions × characters that cost as much as a step. */
const PATTERN_WORK = 16

/** Things that do not fit, until a check starts again and stops at the first one. */
const MAX_ERRORS = 1_000

/** What does not fit, or an empty list. Throws when the budget is spent or the schema refers to itself without end. */
export type CompiledSchema = (value: unknown) => readonly ErrorObject[]

/**
 * The check for a schema. It names everything that does not fit, which is the cheaper code too: what stops at the first
 * error nests each property's check in the one before.
 */
export function compileSchema(prepared: PreparedSchema): CompiledSchema {
  const checkAll = compile(prepared, true)
  let checkFirst: CompiledSchema | undefined
  return (value) => {
    try {
      return checkAll(value)
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error
      checkFirst ??= compile(prepared, false)
      return checkFirst(value)
    }
  }
}

/** A million wrong items would be a gigabyte of errors. */
class TooManyErrors extends Error {}

/** An Ajv of its own for each schema: nothing is shared, so nothing clashes and all of it can be forgotten. */
function compile(prepared: PreparedSchema, everything: boolean): CompiledSchema {
  const budget = new Budget(prepared.costFactor)
  const ajv = new Ajv2020({
    strict: false,
    // The allow-list has checked the shape of every keyword; compiling the meta-schema would cost ten times as much.
    meta: false,
    validateSchema: false,
    // A reference from many places must not be compiled at each.
    inlineRefs: false,
    // A property named `constructor` is there only if the arguments have it.
    ownProperties: true,
    // 0.07 is a multiple of 0.01.
    multipleOfPrecision: 9,
    allErrors: everything,
    verbose: true,
    messages: false,
    logger: false,
    // Optimising the code takes a third longer to compile, and makes no check faster.
    code: { optimize: false, regExp: patternEngine(prepared.patterns, budget) },
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword(uniqueItems(budget))
  ajv.addKeyword(cost(budget))
  const validate = ajv.compile(prepared.schema)
  return (value) => {
    budget.fill()
    const errors = validate(value) ? [] : (validate.errors ?? [])
    // They hold the value, which may be large.
    validate.errors = null
    return errors
  }
}

class Budget {
  readonly #factor: number
  #left = 0

  constructor(factor: number) {
    this.#factor = factor
  }

  fill(): void {
    this.#left = BUDGET
  }

  spend(steps: number): void {
    this.#left -= steps * this.#factor
    if (this.#left < 0) throw new Error(`a check takes more than ${BUDGET} steps`)
  }
}

/** What Ajv calls its list of errors in the code that it generates. */
const ERRORS = new Name('vErrors')

/** Spends what the subschema costs, before anything in it is evaluated. */
function cost(budget: Budget): CodeKeywordDefinition {
  type Errors = readonly unknown[] | null
  function spend(value: unknown, once: number, eachMember: number, eachCharacter: number, errors: Errors): void {
    if (errors !== null && errors.length > MAX_ERRORS) throw new TooManyErrors()
    let steps = once
    if (typeof value === 'string') steps += value.length * eachCharacter
    else if (eachMember > 0 && typeof value === 'object' && value !== null)
      steps += eachMember * Object.keys(value).length
    budget.spend(steps)
  }
  return {
    keyword: 'cost',
    schemaType: 'array',
    before: '$ref',
    code({ gen, data, schema }: KeywordCxt): void {
      const [once, eachMember, eachCharacter]: readonly number[] = schema
      const func = gen.scopeValue('func', { ref: spend })
      gen.code(_`${func}(${data}, ${once}, ${eachMember}, ${eachCharacter}, ${ERRORS})`)
    },
  }
}

/** Ajv compares each item with each other; this compares their canonical texts. */
function uniqueItems(budget: Budget): CodeKeywordDefinition {
  function areUnique(items: readonly unknown[]): boolean {
    const seen = new Set<string>()
    for (const item of items) {
      const text = canonical(item)
      budget.spend(10 + text.length / 4)
      if (seen.has(text)) return false
      seen.add(text)
    }
    return true
  }
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    code(context: KeywordCxt): void {
      const { gen, data } = context
      context.pass(_`${gen.scopeValue('func', { ref: areUnique })}(${data})`)
    },
  }
}

/** Equal JSON values have equal texts: members sorted, numbers as they are. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  )
}

/** Gives Ajv the patterns that are compiled already, and counts what matching them costs. */
function patternEngine(patterns: ReadonlyMap<string, LinearPattern>, budget: Budget) {
  const engine = (source: string) => {
    const pattern = patterns.get(source)
    if (pattern === undefined) throw new Error('a pattern was not compiled')
    return {
      test(text: string): boolean {
        budget.spend(1 + (pattern.size * text.length) / PATTERN_WORK)
        return pattern.test(text)
      },
      /** Ajv tells patterns apart by this. */
      toString: () => source,
    }
  }
  return Object.assign(engine, { code: '' })
}

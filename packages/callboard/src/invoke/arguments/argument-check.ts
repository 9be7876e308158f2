/** Whether arguments fit the schema of their tool, before anything of them is forwarded. */
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import { LRUCache } from 'lru-cache'
import { CallboardError, messageOf } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { Log } from '../../log.ts'
import { inputSchemaOf } from '../../tools/arguments.ts'
import { namespacedName } from '../../tools/names.ts'
import type { CheckedSchema } from '../../tools/schema/checked-schema.ts'
import { type JsonSize, measureJson } from '../../tools/schema/measure-json.ts'

/** Deeper arguments are refused: a recursive schema follows them on the stack, and so does whoever gets them. */
export const MAX_DEPTH = 128
/** Compiled schemas kept, and their size in all: an ordinary one is some 17 kB, all of them at most about 60 MB. */
const KEPT = { max: 1_000, maxSize: 40_000 } as const

type Prepare = (schema: JsonSchema) => CheckedSchema

/** The arguments of a call, and of which tool. */
interface Given {
  readonly definition: ToolDefinition
  readonly toolName: string
  readonly args: object
}

/**
 * Checks the arguments of calls. Schemas are compiled at the first call of their tool and kept while they are in use.
 */
export class ArgumentCheck {
  readonly #log: Log
  /** By definition; no schema where it can't be used. */
  readonly #schemas = new LRUCache<ToolDefinition, { readonly schema: CheckedSchema | undefined }>({
    ...KEPT,
    sizeCalculation: ({ schema }) => schema?.size ?? 1,
  })
  readonly #reports = new Map<string, string>()
  #prepare: Prepare | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** What a person should know of tools whose arguments are not checked, or not wholly; one sentence a tool. */
  reports(): string[] {
    return [...this.#reports.values()]
  }

  /** Compiles the schema as the first call does. */
  async prepare(definition: ToolDefinition): Promise<void> {
    this.#schemaOf(definition, await this.#compiler())
  }

  /**
   * Throws `invalid_arguments` with all that is wrong, unless the arguments fit. `toolName` is the name that the caller
   * knows; so too where it takes too long to find out. A schema that can't be used for any arguments lets everything
   * pass, and is reported. Checks at once and answers undefined, but the first time.
   */
  check(definition: ToolDefinition, toolName: string, args: unknown): Promise<void> | undefined {
    requireObject(args, toolName)
    if (this.#prepare === undefined)
      return this.#compiler().then((prepare) => this.#hold(prepare, { definition, toolName, args }))
    this.#hold(this.#prepare, { definition, toolName, args })
    return undefined
  }

  #hold(prepare: Prepare, { definition, toolName, args }: Given): void {
    const schema = this.#schemaOf(definition, prepare)
    const problems = schema === undefined ? [] : this.#problems(schema, definition, args)
    if (problems.length === 0 || schema === undefined) return
    const { argumentList } = schema
    throw new CallboardError(
      'invalid_arguments',
      `invalid arguments for ${JSON.stringify(toolName)}: ${problems.join('; ')}${argumentList && `; arguments: ${argumentList}`}`,
    )
  }

  /** Imported at the first call: who only lists tools does not wait for it. */
  async #compiler(): Promise<Prepare> {
    this.#prepare ??= (await import('../../tools/schema/checked-schema.ts')).checkedSchema
    return this.#prepare
  }

  #schemaOf(definition: ToolDefinition, prepare: Prepare): CheckedSchema | undefined {
    const known = this.#schemas.get(definition)
    if (known !== undefined) return known.schema
    let schema: CheckedSchema | undefined
    try {
      schema = prepare(inputSchemaOf(definition))
      if (schema.notes.length > 0) this.#report(definition, `not checked in its schema: ${schema.notes.join('; ')}`)
      else this.#reports.delete(namespacedName(definition.package, definition.name))
    } catch (error) {
      this.#report(definition, `its arguments are not checked: ${messageOf(error)}`)
    }
    this.#schemas.set(definition, { schema })
    return schema
  }

  #problems(schema: CheckedSchema, definition: ToolDefinition, args: object): readonly string[] {
    try {
      return schema.problems(args)
    } catch (error) {
      // Who calls chooses the arguments, and must not choose that those of others pass unchecked.
      if (canCheck(schema, {}))
        return [`they can't be checked, ${largestOf(args)}: ${messageOf(error)}; send less at once`]
      this.#schemas.set(definition, { schema: undefined })
      this.#report(definition, `its arguments are not checked: ${messageOf(error)}`)
      return []
    }
  }

  #report(definition: ToolDefinition, text: string): void {
    const name = namespacedName(definition.package, definition.name)
    const report = `tool ${name}: ${text}`
    if (this.#reports.get(name) === report) return
    this.#reports.set(name, report)
    this.#log.warn({ tool: name, plugin: definition.package }, report)
  }
}

function canCheck(schema: CheckedSchema, args: object): boolean {
  try {
    schema.problems(args)
    return true
  } catch {
    return false
  }
}

/** What most of them is, for whoever has to send less. */
function largestOf(args: object): string {
  const sizes = Object.entries(args).map(([name, value]) => ({ name, size: measureJson(value, MAX_DEPTH) }))
  const weight = (size: JsonSize | undefined): number => (size?.values ?? 0) + (size?.characters ?? 0)
  const [largest] = sizes.toSorted((a, b) => weight(b.size) - weight(a.size))
  if (largest?.size === undefined) return 'though they are none'
  const { values, characters } = largest.size
  return `most of which is ${JSON.stringify(largest.name.slice(0, 100))} (values: ${values}, characters: ${characters})`
}

function requireObject(args: unknown, toolName: string): asserts args is object {
  if (!isObject(args))
    throw new CallboardError(
      'invalid_arguments',
      `invalid arguments for ${JSON.stringify(toolName)}: expected an object of arguments by name`,
    )
  if (measureJson(args, MAX_DEPTH) === undefined)
    throw new CallboardError(
      'invalid_arguments',
      `invalid arguments for ${JSON.stringify(toolName)}: they are nested deeper than ${MAX_DEPTH} levels`,
    )
}

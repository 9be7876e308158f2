/** The flags that a tool's JSON Schema stands for: one for each argument, under each spelling that a person may try. */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../../is-object.ts'
import { acceptedTypes, allowedValues, itemSchema, schemaBranches } from './schema-branches.ts'

/** Options of `callboard call` itself: an argument of such a name is reached with `--arg`. */
const RESERVED: ReadonlySet<string> = new Set(['help', 'arg', 'args', 'config', 'user', 'json', 'log-level'])
const FLAG_NAME = /^[A-Za-z0-9_][^\s=]*$/

/** One argument of a tool, as the command line takes it. */
export interface ToolFlag {
  /** The argument's name in the schema. */
  readonly name: string
  /** The flag to show people, `--dry-run`; `--arg NAME=` where a flag of its own is not possible. */
  readonly flag: string
  readonly schema: unknown
  readonly required: boolean
  /** May be given without a value. */
  readonly boolean: boolean
  /** What a value looks like, for people: `TEXT`, `NUMBER`, `a|b|c`, with `…` when it may be repeated. */
  readonly value: string
  readonly description: string
  readonly defaultValue: unknown
}

/** A tool's flags, to show and to look up. */
export interface ToolFlags {
  readonly root: JsonSchema
  /** The required ones first, then in the order of the schema. */
  readonly all: readonly ToolFlag[]
  /** By every spelling without the dashes. A spelling that fits several arguments has several. */
  readonly bySpelling: ReadonlyMap<string, readonly ToolFlag[]>
  readonly byName: ReadonlyMap<string, ToolFlag>
}

/** `dryRun`, `dry_run` and `DryRun` are `dry-run`. */
function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[_-]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
}

const PLACEHOLDERS = {
  string: 'TEXT',
  integer: 'INTEGER',
  number: 'NUMBER',
  boolean: 'true|false',
  object: 'JSON',
  array: 'JSON',
  null: 'null',
}

function placeholder(schema: unknown, root: JsonSchema): string {
  const types = acceptedTypes(schema, root)
  if (types?.has('array') && !types.has('string')) return `${placeholder(itemSchema(schema, root), root)}…`
  const values = allowedValues(schema, root).filter((value) => value !== null)
  if (values.length > 0)
    return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('|')
  if (types === undefined) return 'JSON|TEXT'
  return [...types].filter((type) => type !== 'null').map((type) => PLACEHOLDERS[type])[0] ?? 'null'
}

function firstOf(schema: unknown, root: JsonSchema, keyword: string): unknown {
  for (const branch of schemaBranches(schema, root)) if (keyword in branch) return branch[keyword]
  return undefined
}

type Argument = readonly [name: string, schema: unknown]

/** Whose argument each spelling is: the exact names first, then kebab-case where no exact name has that spelling. */
function spellings(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const possible = names.filter((name) => FLAG_NAME.test(name))
  const exact = possible.filter((name) => !RESERVED.has(name)).map((name) => [name, [name]] as const)
  const kebab = [...Map.groupBy(possible, toKebabCase)].filter(([spelling]) => !RESERVED.has(spelling))
  return new Map<string, readonly string[]>([...kebab, ...exact])
}

function shownFlag(name: string, owners: ReadonlyMap<string, readonly string[]>): string {
  const spelling = [toKebabCase(name), name].find((spelled) => {
    const own = owners.get(spelled)
    return own?.length === 1 && own[0] === name
  })
  return spelling === undefined ? `--arg ${name}=` : `--${spelling}`
}

function toFlag([name, schema]: Argument, flag: string, required: boolean, root: JsonSchema): ToolFlag {
  const description = firstOf(schema, root, 'description')
  return {
    name,
    flag,
    schema,
    required,
    boolean: acceptedTypes(schema, root)?.has('boolean') ?? false,
    value: placeholder(schema, root),
    description: typeof description === 'string' ? description : '',
    defaultValue: firstOf(schema, root, 'default'),
  }
}

function argumentsOf(root: JsonSchema): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const branch of schemaBranches(root, root))
    for (const [name, schema] of Object.entries(isObject(branch.properties) ? branch.properties : {}))
      if (!found.has(name)) found.set(name, schema)
  return found
}

/** The flags of a tool with this schema. A schema without known properties has none. */
export function toolFlags(root: JsonSchema): ToolFlags {
  const properties = argumentsOf(root)
  const required = new Set<unknown>(Array.isArray(root.required) ? root.required : [])
  const owners = spellings([...properties.keys()])
  const flags = [...properties].map((argument) => {
    const [name] = argument
    return toFlag(argument, shownFlag(name, owners), required.has(name), root)
  })
  const byName = new Map(flags.map((flag) => [flag.name, flag]))
  const bySpelling = new Map<string, readonly ToolFlag[]>()
  for (const [spelling, names] of owners)
    bySpelling.set(
      spelling,
      flags.filter((flag) => names.includes(flag.name)),
    )
  return { root, all: [...flags].sort((a, b) => Number(b.required) - Number(a.required)), bySpelling, byName }
}

/**
 * Reads a tool's JSON Schema as far as a command line needs it: which types an argument may have, and where its parts
 * are.
 */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../../is-object.ts'
import { followPointer } from '../../../tools/follow-pointer.ts'

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'object' | 'array' | 'string'

const TYPES: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'object', 'array', 'string']

function isJsonType(value: unknown): value is JsonType {
  return TYPES.some((type) => type === value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What a local reference (`#`, `#/$defs/x`) points to; undefined for any other reference. */
function referenced(reference: unknown, root: JsonSchema): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  return followPointer(root, reference.slice(1))
}

/**
 * The schema itself, what it refers to, and every alternative and part of it (`anyOf`, `oneOf`, `allOf`), each once,
 * depth first.
 */
export function* schemaBranches(
  schema: unknown,
  root: JsonSchema,
  seen: Set<unknown> = new Set(),
): Generator<JsonSchema> {
  if (!isObject(schema) || seen.has(schema)) return
  seen.add(schema)
  yield schema
  yield* schemaBranches(referenced(schema.$ref, root), root, seen)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const member of listOf(schema[keyword])) yield* schemaBranches(member, root, seen)
}

/** The values that `enum` and `const` allow, of all branches; empty when there are none. */
export function allowedValues(schema: unknown, root: JsonSchema): readonly unknown[] {
  return [...schemaBranches(schema, root)].flatMap((branch) => [
    ...listOf(branch.enum),
    ...('const' in branch ? [branch.const] : []),
  ])
}

/** The schema of an array's items; undefined when the schema does not say. */
export function itemSchema(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  for (const branch of schemaBranches(schema, root)) if (isObject(branch.items)) return branch.items
  return undefined
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'object'
}

type TypeSet = ReadonlySet<JsonType> | undefined

function union(sets: readonly TypeSet[]): TypeSet {
  if (sets.length === 0) return undefined
  const all = new Set<JsonType>()
  for (const set of sets) {
    if (set === undefined) return undefined
    for (const type of set) all.add(type)
  }
  return all
}

function intersection(one: TypeSet, other: TypeSet): TypeSet {
  if (one === undefined || other === undefined) return one ?? other
  const accepts = (set: ReadonlySet<JsonType>, type: JsonType) =>
    set.has(type) || (type === 'integer' && set.has('number'))
  return new Set(TYPES.filter((type) => accepts(one, type) && accepts(other, type)))
}

/**
 * The types that the keywords of this very schema name; a schema with `properties` or `items` alone is taken by them.
 */
function ownTypes(schema: JsonSchema): TypeSet {
  const named = [schema.type].flat().filter(isJsonType)
  if (named.length > 0) return new Set(schema.nullable === true ? [...named, 'null' as const] : named)
  const values = 'const' in schema ? [schema.const] : listOf(schema.enum)
  if (values.length > 0) return new Set(values.map(typeOf))
  if (isObject(schema.properties)) return new Set(['object'])
  return isObject(schema.items) ? new Set(['array']) : undefined
}

/** The JSON types that a schema accepts; undefined when it does not say, so that any may fit. */
export function acceptedTypes(schema: unknown, root: JsonSchema): TypeSet {
  // Each schema is looked at once, so that references in a circle end and shared ones do not multiply.
  const known = new Map<JsonSchema, TypeSet>()
  const typesOf = (member: unknown): TypeSet => {
    if (!isObject(member) || known.has(member)) return isObject(member) ? known.get(member) : undefined
    known.set(member, undefined)
    const parts = [referenced(member.$ref, root), ...listOf(member.allOf)].map(typesOf)
    const choices = [member.anyOf, member.oneOf].map((members) => union(listOf(members).map(typesOf)))
    const types = [...parts, ...choices].reduce<TypeSet>(intersection, ownTypes(member))
    known.set(member, types)
    return types
  }
  return typesOf(schema)
}

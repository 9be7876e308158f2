/** The keywords of JSON Schema that hold no subschema, read from a schema of unknown origin into a known shape. */
import { isObject } from '../../is-object.ts'
import { measureJson } from './measure-json.ts'

type Fields = Readonly<Record<string, unknown>>

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]
const BOUNDS = ['minimum', 'maximum'] as const
/** Keywords that make a validator walk over all members of the value. */
const MEMBER_KEYWORDS = [
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]

/**
 * Copies the plain keywords of `schema` that have the shape they should have to `into`; `drop` is told the others,
 * which then demand nothing.
 */
export function copyPlainKeywords(
  schema: Fields,
  into: Record<string, unknown>,
  drop: (keyword: string) => void,
): void {
  copyType(schema, into, drop)
  copyNumbers(schema, into, drop)
  for (const keyword of COUNTS) {
    const value = schema[keyword]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) into[keyword] = value
    else if (value !== undefined) drop(keyword)
  }
  if (Object.hasOwn(schema, 'const')) into.const = schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) into.enum = schema.enum
  else if (schema.enum !== undefined) drop('enum')
  if (schema.uniqueItems === true) into.uniqueItems = true
  if (isNames(schema.required)) into.required = [...new Set(schema.required)]
  else if (schema.required !== undefined) drop('required')
}

/** `nullable` is OpenAPI's, and in many servers' schemas; taking it at its word admits more, never less. */
function copyType(schema: Fields, into: Record<string, unknown>, drop: (keyword: string) => void): void {
  if (schema.type === undefined) return
  const types = new Set<unknown>(Array.isArray(schema.type) ? schema.type : [schema.type])
  if (types.size === 0 || !types.isSubsetOf(TYPES)) {
    drop('type')
    return
  }
  if (schema.nullable === true) types.add('null')
  into.type = types.size === 1 ? [...types][0] : [...types]
}

/** In draft-04 `exclusiveMinimum: true` sharpens `minimum`; since then it is a number of its own. */
function copyNumbers(schema: Fields, into: Record<string, unknown>, drop: (keyword: string) => void): void {
  for (const keyword of BOUNDS) {
    const exclusive = keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
    const isSharpened = schema[exclusive] === true
    for (const name of [keyword, exclusive]) {
      const value = schema[name]
      if (isNumber(value)) into[isSharpened ? exclusive : name] = value
      else if (value !== undefined && typeof value !== 'boolean') drop(name)
    }
  }
  if (isNumber(schema.multipleOf) && schema.multipleOf > 0) into.multipleOf = schema.multipleOf
  else if (schema.multipleOf !== undefined) drop('multipleOf')
}

/** Whether the value is a list of member names. */
export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/**
 * What checking a value against this subschema alone costs, in steps: once, for each member of the value, and for each
 * character of a text. Subschemas and patterns have costs of their own.
 */
export function costOf(schema: Fields): readonly [once: number, eachMember: number, eachCharacter: number] {
  let once = 1
  for (const [keyword, value] of Object.entries(schema)) {
    const size = keyword === 'const' || keyword === 'enum' ? measureJson(value, Number.POSITIVE_INFINITY) : undefined
    if (size !== undefined) once += size.values + Math.floor(size.characters / 16)
    else once += typeof value === 'object' && value !== null ? Object.keys(value).length : 1
  }
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties).length : 0
  const isMeasured = 'minLength' in schema || 'maxLength' in schema
  return [once, MEMBER_KEYWORDS.some((keyword) => keyword in schema) ? 1 + patterns : 0, isMeasured ? 1 / 16 : 0]
}

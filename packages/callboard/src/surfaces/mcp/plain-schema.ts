/** Tells which JSON Schemas every client can compile, whatever validator it has. */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'

type Check = (value: unknown, root: JsonSchema) => boolean

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** The dialects that clients know; without one they take their own. */
const DIALECT = /^https?:\/\/json-schema\.org\/(draft\/(2020-12|2019-09)|draft-0[67])\/schema#?$/
/** Into the schema itself, without a character that may be escaped in more than one way. */
const REFERENCE = /^#\/(\$defs|definitions)\/([\w.-]+)$/

const anything: Check = () => true
const flag: Check = (value) => typeof value === 'boolean'
const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => Number.isFinite(value)
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const names: Check = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const choices: Check = (value) => Array.isArray(value) && value.length > 0
const schema: Check = (value, root) => typeof value === 'boolean' || (isObject(value) && hasPlainKeywords(value, root))
const schemas: Check = (value, root) =>
  Array.isArray(value) && value.length > 0 && value.every((part) => schema(part, root))
const membersOf =
  (check: Check): Check =>
  (value, root) =>
    isObject(value) && Object.values(value).every((member) => check(member, root))

/** What a keyword may hold for a validator to take it; an annotation may hold anything. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map([
  ...each(['title', 'description', '$comment', 'default', 'const', 'example', 'examples', 'deprecated'], anything),
  ...each(['readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType'], anything),
  ...each(['uniqueItems'], flag),
  ...each(['format'], text),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], number),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
  ...each(['minContains', 'maxContains'], count),
  ...each(['required'], names),
  ...each(['dependentRequired'], membersOf(names)),
  ...each(['enum'], choices),
  ...each(['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'], schema),
  ...each(['unevaluatedProperties', 'unevaluatedItems'], schema),
  ...each(['properties', '$defs', 'definitions', 'dependentSchemas'], membersOf(schema)),
  ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], schemas),
  ['type', (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value))],
  ['pattern', isPattern],
  ['patternProperties', (value, root) => membersOf(schema)(value, root) && Object.keys(Object(value)).every(isPattern)],
  ['$schema', (value, root) => value === root.$schema && DIALECT.test(String(value))],
  ['$ref', isReference],
])

/**
 * Whether nothing in the schema can keep a validator from compiling it: no reference that leads nowhere, no broken
 * pattern, no keyword of the wrong type, and nothing that validators disagree on (`$id` and anchors among it). Some
 * that a client could compile are not plain; compiling them here to find out would take a thousand times as long.
 */
export function isPlainSchema(root: JsonSchema): boolean {
  return hasPlainKeywords(root, root)
}

function hasPlainKeywords(node: JsonSchema, root: JsonSchema): boolean {
  return Object.entries(node).every(
    ([keyword, value]) => KEYWORDS.get(keyword)?.(value, root) ?? keyword.startsWith('x-'),
  )
}

function each(keywords: readonly string[], check: Check): readonly (readonly [string, Check])[] {
  return keywords.map((keyword) => [keyword, check])
}

function isType(value: unknown): boolean {
  return TYPES.has(value)
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp
  } catch {
    // What is no pattern is what is asked here.
    return false
  }
}

function isReference(value: unknown, root: JsonSchema): boolean {
  if (value === '#') return true
  const [, room = '', name = ''] = REFERENCE.exec(String(value)) ?? []
  const target = root[room]
  return isObject(target) && Object.hasOwn(target, name)
}

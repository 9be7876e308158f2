/** Schemas in a few words, for messages. */
import type { JsonSchema } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'

/** Characters of a list of arguments, and of one type in it. */
const MAX_LIST = 2_000
const MAX_TYPE = 100
const MAX_VALUES = 10
const MAX_TEXT = 40

/**
 * What a prepared schema wants, such as `string`, `array of number`, `"open" or "closed"`; `any` when it does not say.
 */
export function describeSchema(schema: unknown, root: JsonSchema, depth = 0): string {
  if (schema === false) return 'nothing'
  if (!isObject(schema) || depth > 3) return 'any'
  if ('const' in schema) return describeValue(schema.const)
  if (Array.isArray(schema.enum)) return describeValues(schema.enum)
  if (schema.type !== undefined) return describeType(schema, root, depth)
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const texts = new Set(branches.slice(0, MAX_VALUES).map((branch) => describeSchema(branch, root, depth + 1)))
    return texts.has('any') ? 'any' : [...texts].join(' or ')
  }
  const parts = [deref(schema, root), ...(Array.isArray(schema.allOf) ? schema.allOf : [])]
  for (const part of parts) {
    const text = part === schema ? 'any' : describeSchema(part, root, depth + 1)
    if (text !== 'any') return text
  }
  return schema.properties === undefined ? 'any' : 'object'
}

function describeType(schema: JsonSchema, root: JsonSchema, depth: number): string {
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.map((type) => (type === 'array' ? describeArray(schema, root, depth + 1) : type)).join(' or ')
}

/** Such as `array of string`, `array [string, number, …]` where the items are named one by one, or just `array`. */
function describeArray(schema: JsonSchema, root: JsonSchema, depth: number): string {
  const { items, prefixItems, unevaluatedItems } = schema
  if (!Array.isArray(prefixItems)) {
    if (items === false) return 'empty array'
    const item = describeSchema(items, root, depth)
    return item === 'any' ? 'array' : `array of ${item}`
  }
  const first = prefixItems.slice(0, MAX_VALUES).map((item) => describeSchema(item, root, depth))
  const isClosed = items === false || unevaluatedItems === false
  const more = isClosed && first.length === prefixItems.length ? [] : ['…']
  return `array [${[...first, ...more].join(', ')}]`
}

/** Values that a schema names, as JSON. */
export function describeValues(values: readonly unknown[]): string {
  const texts = values.slice(0, MAX_VALUES).map(describeValue)
  const more = values.length - texts.length
  return more > 0 ? `${texts.join(', ')} or one of ${more} more` : texts.join(' or ')
}

/** One value that a schema names, as JSON. */
export function describeValue(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value))
}

/**
 * The arguments that a prepared schema knows, such as `owner (string, required), title (string)`; empty when it names
 * none.
 */
export function describeArguments(root: JsonSchema): string {
  const schema = deref(root, root)
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const texts: string[] = []
  let length = 0
  for (const [name, property] of properties) {
    const type = cut(describeSchema(property, root), MAX_TYPE)
    const text = `${cut(name)} (${required.has(name) ? `${type}, required` : type})`
    length += text.length
    if (length > MAX_LIST) break
    texts.push(text)
  }
  if (properties.length > texts.length) texts.push(`${properties.length - texts.length} more`)
  return texts.join(', ')
}

/** The schema that a reference of a prepared schema means; the schema itself where it is none. */
export function deref(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === '#') return root
  if (typeof schema.$ref !== 'string' || !isObject(root.$defs)) return schema
  const target = root.$defs[schema.$ref.slice('#/$defs/'.length)]
  return isObject(target) ? target : {}
}

/** A text that is short enough to show. */
export function cut(text: string, length: number = MAX_TEXT): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

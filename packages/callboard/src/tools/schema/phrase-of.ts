/** One problem with an argument, as a phrase. */
import type { JsonSchema } from '@callboard/sdk'
import type { ErrorObject } from 'ajv'
import { closestName } from '../../closest-name.ts'
import { isObject } from '../../is-object.ts'
import { cut, describeSchema, describeValue, describeValues } from './describe-schema.ts'
import { pathText } from './path-text.ts'

/** The path, what was expected and what was given, such as `labels[0]: expected string, got number 5`. */
export function phraseOf(error: ErrorObject, root: JsonSchema): string {
  const path = pathOf(error.instancePath)
  const text = aboutName(error, path === '' ? 'argument' : 'property') ?? aboutValue(error, root)
  return path === '' ? text : `${path}: ${text}`
}

/** The path of what a JSON Pointer leads to. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return pathText(parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')))
}

function aboutName(error: ErrorObject, kind: string): string | undefined {
  const { keyword, params, parentSchema } = error
  if (keyword === 'propertyNames') return `${kind} name ${describeValue(params.propertyName)} does not fit`
  if (keyword === 'required') return `missing required ${describeValue(params.missingProperty)}`
  if (keyword === 'dependentRequired')
    return `missing ${describeValue(params.missingProperty)}, which ${describeValue(params.property)} needs`
  const name: unknown = params.additionalProperty ?? params.unevaluatedProperty
  if (typeof name !== 'string') return undefined
  const known = isObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : []
  const closest = closestName(name, known)
  return `unknown ${kind} ${describeValue(name)}${closest === undefined ? '' : `, did you mean ${describeValue(closest)}?`}`
}

function aboutValue(error: ErrorObject, root: JsonSchema): string {
  const { keyword, params, data } = error
  if (keyword === 'false schema') return 'nothing is allowed here'
  if (keyword === 'uniqueItems') return 'expected no two equal items'
  if (keyword === 'oneOf' && Array.isArray(params.passingSchemas)) return 'fits several of the forms, expected only one'
  const isChoice = keyword === 'enum' || keyword === 'const'
  return `expected ${expectation(error, root)}, got ${isChoice && typeof data === 'string' ? describeValue(data) : given(data)}`
}

function expectation(error: ErrorObject, root: JsonSchema): string {
  const { keyword, params, schema, parentSchema } = error
  switch (keyword) {
    case 'type':
      return describeSchema({ type: schema, items: parentSchema?.items, prefixItems: parentSchema?.prefixItems }, root)
    case 'enum':
      return Array.isArray(schema) ? describeValues(schema) : 'another value'
    case 'const':
      return describeValue(schema)
    case 'anyOf':
    case 'oneOf': {
      const forms = describeSchema({ [keyword]: schema }, root)
      return forms === 'any' ? 'one of the forms in the schema' : forms
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `number ${params.comparison} ${params.limit}`
    case 'multipleOf':
      return `a multiple of ${params.multipleOf}`
    case 'pattern':
      return `text that matches ${cut(String(schema))}`
    case 'contains': {
      const most = params.maxContains === undefined ? 'or more' : `to ${params.maxContains}`
      return `${params.minContains} ${most} items of ${describeSchema(schema, root)}`
    }
    case 'items':
    case 'unevaluatedItems':
      return `at most ${count(Number(params.limit ?? params.len), 'item')}`
    case 'not':
      return 'a value that the schema does not exclude'
    default:
      return sizeExpectation(keyword, Number(params.limit ?? params.len)) ?? `what ${JSON.stringify(keyword)} asks for`
  }
}

function sizeExpectation(keyword: string, limit: number): string | undefined {
  const [, bound, what] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? []
  if (bound === undefined) return undefined
  const unit = what === 'Length' ? 'character' : what === 'Items' ? 'item' : 'property'
  return `${bound === 'min' ? 'at least' : 'at most'} ${count(limit, unit)}`
}

/** The type and length of a value; the value itself only where it can't be a secret's text, or was one of a choice. */
function given(value: unknown): string {
  if (typeof value === 'string') return `string of ${count([...value].length, 'character')}`
  if (Array.isArray(value)) return `array of ${count(value.length, 'item')}`
  if (value === null) return 'null'
  if (typeof value === 'object') return `object of ${count(Object.keys(value).length, 'property')}`
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : typeof value
}

function count(number: number, unit: string): string {
  if (number === 1) return `1 ${unit}`
  return `${number} ${unit === 'property' ? 'properties' : `${unit}s`}`
}

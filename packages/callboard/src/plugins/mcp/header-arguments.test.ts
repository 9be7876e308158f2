import { expect, test } from 'vitest'
import { argumentHeaders, headerArgumentsOf } from './header-arguments.ts'
import type { JsonObject } from './messages.ts'

const property = (type: unknown, header: unknown): JsonObject => ({ type, 'x-mcp-header': header })
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

function headersFor(schema: JsonObject, args: JsonObject): Record<string, string> {
  const wanted = headerArgumentsOf(schema)
  if (wanted.kind === 'invalid') throw new Error(wanted.reason)
  return argumentHeaders(wanted.arguments, args)
}

test('strings, integers and booleans become headers at any depth; absent ones do not', () => {
  const schema = object({
    region: property('string', 'Region'),
    page: property('integer', 'Page'),
    none: property('string', 'None'),
    nested: object({ dry: property('boolean', 'Dry') }),
  })
  const args = { region: 'eu west', page: 3, none: null, nested: { dry: false } }
  const expected = { 'Mcp-Param-Region': 'eu west', 'Mcp-Param-Page': '3', 'Mcp-Param-Dry': 'false' }
  expect(headersFor(schema, args)).toEqual(expected)
})

test.each(['ü', ' a', 'a ', '', 'a\nb', '=?base64?YQ==?='])('the value %j is encoded', (value) => {
  const header = headersFor(object({ a: property('string', 'A') }), { a: value })['Mcp-Param-A']
  expect(header).toBe(`=?base64?${Buffer.from(value).toString('base64')}?=`)
})

test.each([
  ['a number', object({ a: property('number', 'A') })],
  ['no type', object({ a: property(undefined, 'A') })],
  ['an empty name', object({ a: property('string', '') })],
  ['a name with a space', object({ a: property('string', 'A B') })],
  ['the root', property('object', 'A')],
  ['an item of a list', object({ a: { type: 'array', items: property('string', 'A') } })],
  ['an alternative', { type: 'object', anyOf: [object({ a: property('string', 'A') })] }],
  ['two of one name', object({ a: property('string', 'A'), b: property('string', 'a') })],
])('%s is no place for a header', (_, schema) => {
  expect(headerArgumentsOf(schema).kind).toBe('invalid')
})

test('a property with the name of the keyword is an ordinary property', () => {
  expect(headerArgumentsOf(object({ 'x-mcp-header': { type: 'string' } }))).toEqual({ kind: 'valid', arguments: [] })
})

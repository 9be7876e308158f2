import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentHeaders, headerArgumentsOf, headerMismatch } from './header-arguments.ts'

type JsonObject = Record<string, unknown>

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

function mismatchOf(schema: JsonObject, args: JsonObject, headers: Record<string, string>): string | undefined {
  const wanted = headerArgumentsOf(schema)
  if (wanted.kind === 'invalid') throw new Error(wanted.reason)
  return headerMismatch(wanted.arguments, args, (name) => headers[name])?.reason
}

const schema = object({ region: property('string', 'Region'), page: property('integer', 'Page') })

test('the headers that are made of arguments are right for those arguments', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (region, page) => {
      // Half a character can't be written in UTF-8, and so comes back as another.
      const args = { region: region.toWellFormed(), page }
      expect(mismatchOf(schema, args, headersFor(schema, args))).toBeUndefined()
    }),
  )
})

test('a header that is missing, unreadable or says something else is told', () => {
  const args = { region: 'Hello' }
  const sent = (header: string) => mismatchOf(schema, args, { 'Mcp-Param-Region': header })
  expect(mismatchOf(schema, args, {})).toBe('the argument "region" is to be repeated in the header Mcp-Param-Region')
  expect(sent('hello')).toBe('the header Mcp-Param-Region says something else than the argument "region"')
  expect(sent('=?base64?SGVsbG8=?=')).toBeUndefined()
  for (const broken of ['SGVsbG8', 'SGVs!!!bG8=', '/w=='])
    expect(sent(`=?base64?${broken}?=`)).toBe(
      'the header Mcp-Param-Region is no Base64 of UTF-8 text, as it says it is',
    )
  expect(sent('=?base64?SGVsbG8=')).toContain('says something else')
})

test('numbers are compared as numbers, and what is not there has no header', () => {
  expect(mismatchOf(schema, { page: 42 }, { 'Mcp-Param-Page': '42.0' })).toBeUndefined()
  expect(mismatchOf(schema, { page: 42 }, { 'Mcp-Param-Page': '43' })).toContain('says something else')
  expect(mismatchOf(schema, { page: null }, {})).toBeUndefined()
  expect(mismatchOf(schema, {}, { 'Mcp-Param-Region': 'eu' })).toBeUndefined()
})

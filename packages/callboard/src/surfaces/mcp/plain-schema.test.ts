import type { JsonSchema } from '@callboard/sdk'
import { AjvJsonSchemaValidator as NewValidator } from '@modelcontextprotocol/client/validators/ajv'
import { AjvJsonSchemaValidator as OldValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainSchema } from './plain-schema.ts'

const FITTING: Readonly<Record<string, readonly unknown[]>> = {
  type: ['object', 'string', ['array', 'null']],
  title: ['a title', 17],
  format: ['date-time'],
  enum: [['a', 1, null]],
  const: [{ a: 1 }],
  required: [['a'], []],
  minLength: [0, 3],
  exclusiveMinimum: [0],
  multipleOf: [0.5],
  uniqueItems: [true],
  pattern: ['^a+$', '\\p{L}'],
  $ref: ['#', '#/$defs/one'],
  'x-more': [{ $ref: '#/nowhere' }],
}
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  type: ['whole', [], 3],
  format: [{}],
  enum: [[], 'a'],
  required: ['a', [1]],
  minLength: ['1', -1],
  exclusiveMinimum: [true],
  uniqueItems: ['yes'],
  pattern: ['(', 4],
  $ref: ['#/$defs/none', '#anchor', 'https://acme.example/one', 7],
  properties: [[], { a: 1 }],
  anyOf: [[], {}],
  items: ['string'],
  id: ['one'],
  $id: ['https://acme.example/one', 4],
  $async: [true],
  discriminator: [{}],
}

const { schema } = fc.letrec<{ schema: unknown; node: unknown }>((tie) => {
  const leaves = Object.entries(FITTING).map(([keyword, values]) => {
    const wrong = fc.constantFrom(...(WRONG[keyword] ?? values))
    return [keyword, fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: wrong })]
  })
  const parts = {
    items: tie('schema'),
    not: tie('schema'),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('schema'), { maxKeys: 2 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '['), tie('schema'), { maxKeys: 1 }),
    anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
    additionalProperties: tie('schema'),
    dependentRequired: fc.constant({ a: ['b'] }),
  }
  const keywords: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(leaves), ...parts }
  return {
    schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), tie('node')),
    node: fc.record(keywords, { requiredKeys: [] }),
  }
})
const root: fc.Arbitrary<JsonSchema> = fc
  .tuple(fc.record({ a: schema }), fc.option(schema, { nil: {} }))
  .map(([properties, one]) => ({ type: 'object', properties, $defs: { one } }))

describe('a plain schema', () => {
  it('is compiled by the validators of both SDKs', () => {
    let plain = 0
    fc.assert(
      fc.property(root, (candidate) => {
        if (!isPlainSchema(candidate)) return
        plain++
        new OldValidator().getValidator(candidate)
        new NewValidator().getValidator(candidate)
      }),
      { numRuns: 1_000 },
    )
    expect(plain).toBeGreaterThan(30)
  })

  it.each(Object.entries(FITTING).flatMap(([keyword, values]) => values.map((value) => [keyword, value] as const)))(
    'may have %s: %j',
    (keyword, value) => {
      expect(isPlainSchema({ $defs: { one: {} }, properties: { a: { [keyword]: value } } })).toBe(true)
    },
  )
})

describe('not plain', () => {
  it.each(Object.entries(WRONG).flatMap(([keyword, values]) => values.map((value) => [keyword, value] as const)))(
    'is one with %s: %j, however deep',
    (keyword, value) => {
      expect(isPlainSchema({ [keyword]: value })).toBe(false)
      expect(isPlainSchema({ $defs: { one: { anyOf: [{ items: { [keyword]: value } }] } } })).toBe(false)
    },
  )

  it('is one whose dialect clients do not know, or that changes its dialect inside', () => {
    const draft7 = 'http://json-schema.org/draft-07/schema#'
    expect(isPlainSchema({ $schema: draft7 })).toBe(true)
    expect(isPlainSchema({ $schema: 'http://json-schema.org/draft-04/schema#' })).toBe(false)
    expect(isPlainSchema({ $schema: draft7, not: { $schema: 'https://json-schema.org/draft/2020-12/schema' } })).toBe(
      false,
    )
  })
})

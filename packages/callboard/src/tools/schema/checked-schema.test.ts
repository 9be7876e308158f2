import type { JsonSchema } from '@callboard/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckedSchema, checkedSchema } from './checked-schema.ts'

function problems(schema: JsonSchema, args: unknown): readonly string[] {
  return checkedSchema(schema).problems(args)
}

const draft = (name: string) => `http://json-schema.org/${name}/schema#`

/**
 * Undefined where the code that Ajv generates trips over its own notes of evaluated properties, as it does beside some
 * `false` branches; the arguments then pass unchecked and the tool is reported, which has a test of its own.
 */
function problemsUnlessAjvTrips(schema: CheckedSchema, value: unknown): readonly string[] | undefined {
  try {
    return schema.problems(value)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

describe('a schema', () => {
  it('gives the verdict of Ajv itself on any schema and value', () => {
    const name = fc.constantFrom('a', 'b', 'constructor', 'x y', '0')
    const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
      const sub = tie('schema')
      const subs = fc.array(sub, { minLength: 1, maxLength: 3 })
      const keywords: Record<string, fc.Arbitrary<unknown>> = {
        type: fc.constantFrom('string', 'integer', 'object', 'array', ['null', 'boolean'], 'number'),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }),
        const: fc.jsonValue({ maxDepth: 1 }),
        minimum: fc.integer({ min: -5, max: 5 }),
        exclusiveMaximum: fc.integer({ min: -5, max: 5 }),
        multipleOf: fc.constantFrom(1, 2, 5),
        minLength: fc.nat(3),
        maxLength: fc.nat(3),
        pattern: fc.constantFrom('^a', 'b$', '^[a-z]{1,3}$', '\\d'),
        minItems: fc.nat(2),
        maxItems: fc.nat(2),
        uniqueItems: fc.boolean(),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(2),
        required: fc.array(name, { maxLength: 2 }),
        properties: fc.dictionary(name, sub, { maxKeys: 3 }),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b', ''), sub, { maxKeys: 2 }),
        additionalProperties: sub,
        unevaluatedProperties: sub,
        propertyNames: sub,
        dependentRequired: fc.dictionary(name, fc.array(name, { maxLength: 2 }), { maxKeys: 1 }),
        dependentSchemas: fc.dictionary(name, sub, { maxKeys: 1 }),
        items: sub,
        prefixItems: subs,
        contains: sub,
        minContains: fc.nat(2),
        maxContains: fc.nat(2),
        unevaluatedItems: sub,
        allOf: subs,
        anyOf: subs,
        oneOf: subs,
        not: sub,
        if: sub,
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
        then: sub,
        else: sub,
        $ref: fc.constantFrom('#/$defs/a', '#b'),
      }
      const object = fc
        .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
        // Beside prefixItems, plain Ajv takes an empty list for one that contains what it should.
        .filter((names) => !(names.includes('contains') && names.includes('prefixItems')))
        .chain((names) => fc.record(Object.fromEntries(names.map((key) => [key, keywords[key] ?? fc.constant(true)]))))
      return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), object) }
    })
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(name, fc.oneof(fc.integer(), fc.constantFrom('a', 'ab', '1'), fc.array(fc.integer({ max: 3 }))), {
        noNullPrototype: true,
      }),
    )
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (sub, values) => {
        const whole = {
          properties: { only: sub },
          $defs: { a: { type: 'string' }, b: { $anchor: 'b', type: ['object', 'integer'] } },
        }
        const reference = new Ajv2020({
          strict: false,
          ownProperties: true,
          multipleOfPrecision: 9,
          validateSchema: false,
        }).compile(whole)
        const checked = checkedSchema(whole)
        expect(checked.notes).toEqual([])
        for (const one of values) {
          const found = problemsUnlessAjvTrips(checked, { only: one })
          if (found === undefined) continue
          const isValid = reference({ only: one })
          // Ajv that names every error counts what a failed branch looked at as evaluated, so it may let more pass
          // there.
          const mayPass = JSON.stringify(sub).includes('"unevaluated') && found.length === 0
          expect([one, found.length === 0, found]).toEqual([one, isValid || mayPass, found])
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    [
      'draft-07, where items may be a list',
      { $schema: draft('draft-07'), items: [{ type: 'string' }], additionalItems: false },
      ['a'],
      ['a', 1],
    ],
    [
      'draft-07, where nothing beside $ref counts',
      {
        $schema: draft('draft-07'),
        properties: { a: { $ref: '#/definitions/s', maxLength: 1 } },
        definitions: { s: { type: 'string' } },
      },
      { a: 'long' },
      { a: 1 },
    ],
    [
      '2020-12, where what is beside $ref counts',
      { properties: { a: { $ref: '#/definitions/s', maxLength: 1 } }, definitions: { s: { type: 'string' } } },
      { a: 'l' },
      { a: 'long' },
    ],
    [
      'draft-07 dependencies',
      { $schema: draft('draft-07'), dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, b: 1 },
      { c: 1 },
    ],
    [
      'draft-04, where a bound is made exclusive',
      { $schema: draft('draft-04'), properties: { a: { minimum: 3, exclusiveMinimum: true } } },
      { a: 4 },
      { a: 3 },
    ],
    [
      'draft-04 ids',
      {
        $schema: draft('draft-04'),
        id: 'http://a.example/s',
        properties: { a: { $ref: 'http://a.example/s#/definitions/s' } },
        definitions: { s: { type: 'string' } },
      },
      { a: 'x' },
      { a: 1 },
    ],
    [
      '2019-09',
      {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        $recursiveAnchor: true,
        properties: { a: { $recursiveRef: '#' }, b: { type: 'string' } },
      },
      { a: { b: 'x' } },
      { a: { b: 1 } },
    ],
    [
      'embedded ids and anchors',
      {
        $id: 'https://a.example/s',
        properties: { a: { $ref: 'other#x' } },
        $defs: { o: { $id: 'other', $defs: { x: { $anchor: 'x', type: 'string' } } } },
      },
      { a: 'x' },
      { a: 1 },
    ],
    [
      'references to a boolean, with escapes',
      { properties: { a: { $ref: '#/$defs/x~1y%20z' } }, $defs: { 'x/y z': false } },
      {},
      { a: 1 },
    ],
    [
      'a dynamic reference within one schema',
      { $dynamicAnchor: 'node', properties: { child: { $dynamicRef: '#node' }, name: { type: 'string' } } },
      { child: { name: 'x' } },
      { child: { name: 1 } },
    ],
    ['nullable', { properties: { a: { type: 'string', nullable: true } } }, { a: null }, { a: 1 }],
    [
      'a number that floating point can not divide',
      { properties: { a: { multipleOf: 0.01 } } },
      { a: 0.07 },
      { a: 0.075 },
    ],
    [
      'a format, which is not asserted',
      { properties: { a: { type: 'string', format: 'email' } } },
      { a: 'no address' },
      { a: 1 },
    ],
    [
      'a property named like what every object inherits',
      { properties: { constructor: { type: 'string' } }, required: ['toString'] },
      { toString: 1 },
      {},
    ],
    [
      'equal items in another order',
      { properties: { a: { uniqueItems: true } } },
      { a: [{ x: 1 }, { x: 2 }, 1, '1'] },
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
    ],
  ])('knows %s', (_what, schema, valid, invalid) => {
    expect(problems(schema, valid)).toEqual([])
    expect(problems(schema, invalid)).not.toEqual([])
    expect(checkedSchema(schema).notes).toEqual([])
  })

  it('takes __proto__ for a name like any other', () => {
    const schema: JsonSchema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"patternProperties":{"__proto__":{"minLength":2}},"required":["__proto__"],"additionalProperties":false}',
    )
    expect(problems(schema, JSON.parse('{"__proto__":"ab"}'))).toEqual([])
    expect(problems(schema, JSON.parse('{"__proto__":5}'))).toEqual(['__proto__: expected string, got number 5'])
    expect(problems(schema, JSON.parse('{"__proto__":"a"}'))).toHaveLength(1)
    expect(problems(schema, {})).toEqual(['missing required "__proto__"'])
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false)
  })

  it('fills in no default and turns nothing into another type', () => {
    const args = { a: '5' }
    expect(problems({ properties: { a: { type: 'integer' }, b: { default: 1 } } }, args)).toHaveLength(1)
    expect(args).toEqual({ a: '5' })
  })

  it('is text to the compiler, whatever it says', () => {
    const evil = '"]);globalThis.pwned=1;//'
    const names = [evil, "'+globalThis.pwned+'", `\`$\{globalThis.pwned=1}\``, '\\', '\u2028', '*/globalThis.pwned=1/*']
    for (const name of names) {
      const sub = { const: { [name]: name }, enum: [name], pattern: name, title: name, $comment: name, type: name }
      const schema = {
        properties: { [name]: sub },
        required: [name],
        dependentRequired: { [name]: [name] },
        $defs: { [name]: { $anchor: 'x' } },
      }
      expect(() => problems(schema, { [name]: name })).not.toThrow()
    }
    expect(globalThis).not.toHaveProperty('pwned')
  })

  it.each([
    [
      'a reference to elsewhere',
      { $ref: 'https://a.example/x.json' },
      '"https://a.example/x.json" leads out of the schema',
    ],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '"#/$defs/none" leads out'],
    ['a reference to what is inherited', { $ref: '#/constructor' }, '"#/constructor" leads out'],
    [
      'a dialect that nobody knows',
      { $schema: 'https://a.example/dialect' },
      'dialect "https://a.example/dialect" is not known',
    ],
    ['too many levels', JSON.parse(`${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}`), 'deeper than 64'],
    [
      'too many subschemas',
      { anyOf: Array.from({ length: 3_000 }, () => ({ type: 'string' })) },
      'more than 2000 subschemas',
    ],
    [
      'too much of anything',
      { enum: Array.from({ length: 60_000 }, (_value, index) => index) },
      'more than 50000 values',
    ],
  ])('with %s is unusable, and says why', (_what, schema, words) => {
    expect(() => checkedSchema(schema)).toThrow(words)
  })

  it('leaves out what it can not use and keeps the rest', () => {
    const checked = checkedSchema({
      properties: { a: { type: 'string', required: true, pattern: '(?=x)' }, b: { type: 'wrong' } },
    })
    expect(checked.notes).toEqual([
      'a "required" of the wrong type (properties.a.required)',
      'a "type" of the wrong type (properties.b.type)',
      'the pattern "(?=x)": it looks around',
    ])
    expect(checked.problems({ a: 'y', b: 1 })).toEqual([])
    expect(checked.problems({ a: 1 })).toEqual(['a: expected string, got number 1'])
  })

  it('tells the first place of each keyword that it can not use, also behind a reference', () => {
    const schema = {
      required: 'a',
      properties: {
        'x y': { $ref: '#/$defs/p' },
        b: { allOf: [{ anyOf: {} }], oneOf: [{ type: 'a' }, { type: 'b' }] },
      },
      $defs: { p: { items: [{ minLength: -1 }], dependentRequired: { a: [1] } } },
    }
    expect(checkedSchema(schema).notes.map((note) => note.replace(' of the wrong type', ''))).toEqual([
      'a "required" (required)',
      'a "anyOf" (properties.b.allOf[0].anyOf)',
      'a "type" (properties.b.oneOf[0].type)',
      'a "dependentRequired" ($defs.p.dependentRequired)',
      'a "minLength" ($defs.p.items[0].minLength)',
    ])
  })

  it.each<[string, JsonSchema]>([
    ['not', { not: { pattern: '(?=x)' } }],
    ['if', { if: { not: { pattern: '(?=x)' } }, else: false }],
    ['oneOf', { oneOf: [{ pattern: '(?=x)' }, { minLength: 1 }] }],
    ['maxContains', { contains: { pattern: '(?=x)' }, maxContains: 0, minContains: 0 }],
    [
      'unevaluatedProperties',
      { if: { pattern: '(?=x)' }, else: { properties: { a: true } }, unevaluatedProperties: false },
    ],
    ['additionalProperties', { patternProperties: { '(?=x)': true }, additionalProperties: false }],
    ['not, by reference', { not: { $ref: '#/$defs/p' }, $defs: { p: { pattern: '(?=x)' } } }],
  ])('refuses nothing for the want of a pattern under %s', (_keyword, schema) => {
    for (const value of ['y', ['y'], { a: 'y' }])
      expect(problems({ properties: { only: schema }, $defs: schema.$defs }, { only: value })).toEqual([])
  })
})

describe('a hostile schema', () => {
  it('with a pattern that backtracks is answered, where an engine that does so would need 2^40 steps', () => {
    const schema = {
      $schema: draft('draft-07'),
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
    }
    expect(problems(schema, { a: `${'a'.repeat(40)}!` })).toHaveLength(1)
  })

  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_value, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  )
  const many = (size: number) => Array.from({ length: size }, (_value, index) => index)
  it.each([
    ['branches that double', { $ref: '#/$defs/d0', $defs: { ...doubling, d40: { type: 'object' } } }, {}],
    ['no end', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
    [
      'lengths of long texts',
      { properties: { a: { allOf: many(1_500).map((index) => ({ maxLength: 1e9 + index })) } } },
      { a: 'x'.repeat(1_000_000) },
    ],
    [
      'long lists of values',
      { properties: { a: { items: { enum: many(20_000).map((index) => ({ index })) } } } },
      { a: many(100_000) },
    ],
    [
      'many patterns for many names',
      { patternProperties: Object.fromEntries(many(400).map((index) => [`^a.*${index}`, { type: 'string' }])) },
      Object.fromEntries(many(20_000).map((index) => [`a${index}`, index])),
    ],
    [
      'big patterns on long texts',
      { properties: { a: { pattern: '(a|b)*a(a|b){300}[cd]' } } },
      { a: 'ab'.repeat(400_000) },
    ],
    [
      'unions of what is evaluated',
      { unevaluatedProperties: false, anyOf: many(900).map((index) => ({ properties: { [`a${index}`]: true } })) },
      Object.fromEntries(many(900).map((index) => [`a${index}`, index])),
    ],
  ])('with %s runs out of steps', (_what, schema, args) => {
    const checked = checkedSchema(schema)
    expect(() => checked.problems(args)).toThrow(/steps|stack/)
  })

  it('compares many items by reading each of them once, not by pairs', () => {
    let reads = 0
    const item = (index: number) => ({
      get index() {
        reads += 1
        return index
      },
    })
    expect(problems({ properties: { a: { uniqueItems: true } } }, { a: many(3_000).map(item) })).toEqual([])
    expect(reads).toBeLessThanOrEqual(2 * 3_000)
  })

  it('does not fill the memory with errors', () => {
    const found = problems({ properties: { a: { items: { type: 'string' } } } }, { a: many(300_000) })
    expect(found).toEqual(['a[0]: expected string, got number 0'])
  })

  it('of a thousand properties works like any other', () => {
    const properties = Object.fromEntries(many(1_900).map((index) => [`p${index}`, { type: 'string' }]))
    expect(problems({ properties, additionalProperties: false }, { p1: 'a' })).toEqual([])
    expect(problems({ properties, additionalProperties: false }, { p7: 1 })).toEqual([
      'p7: expected string, got number 1',
    ])
  })
})

it('a megabyte of ordinary arguments is checked to the end', () => {
  const row = {
    type: 'object',
    properties: { id: { type: 'integer' }, tags: { type: 'array', items: { type: 'string', maxLength: 9 } } },
  }
  const rows = Array.from({ length: 20_000 }, (_value, id) => ({
    id,
    name: 'the name of a row',
    tags: ['a', 'bb', 'ccc'],
  }))
  const checked = checkedSchema({ properties: { rows: { type: 'array', items: row } } })
  expect(checked.problems({ rows })).toEqual([])
  expect(checked.problems({ rows: [...rows, { id: 'x' }] })).toEqual([
    'rows[20000].id: expected integer, got string of 1 character',
  ])
})

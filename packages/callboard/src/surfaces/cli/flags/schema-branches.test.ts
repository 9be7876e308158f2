import { expect, test } from 'vitest'
import { acceptedTypes, schemaBranches } from './schema-branches.ts'

test.each(['#/$defs/%zz', '#/$defs/%', '#/$defs/none', 'https://x.example/%zz'])(
  'a reference to %s that leads nowhere is left out',
  (reference) => {
    const schema = { $ref: reference, type: 'integer' }
    const root = { $defs: {}, properties: { a: schema } }
    expect([...schemaBranches(schema, root)]).toEqual([schema])
    expect(acceptedTypes(schema, root)).toEqual(new Set(['integer']))
  },
)

test('a reference is decoded before it is followed', () => {
  const root = { $defs: { 'a b/c~d%': { type: 'string' } } }
  expect(acceptedTypes({ $ref: '#/$defs/a%20b~1c~0d%25' }, root)).toEqual(new Set(['string']))
})

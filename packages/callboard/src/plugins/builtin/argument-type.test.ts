import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentType } from './argument-type.ts'

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, 'integer or null'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { type: 'array' } }, 'array'],
  [{ type: 'array' }, 'array'],
  [{ anyOf: [{ type: 'string' }] }, ''],
  [{ type: 'rubbish' }, ''],
  [true, ''],
  [undefined, ''],
])('%j is "%s"', (schema, type) => {
  expect(argumentType(schema)).toBe(type)
})

test('any schema gives a short text', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (type, items, other) => {
      for (const schema of [{ type, items }, { type: 'array', items: { type } }, other]) {
        expect(argumentType(schema).length).toBeLessThan(40)
      }
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { followPointer } from './follow-pointer.ts'

const root = { a: { 'b/c': [10, 20], '~': 1, 'd e%': 2, 'f%': 3, null: null }, '': { '': 4 } }

test.each([
  ['', root],
  ['/a/b~1c/1', 20],
  ['/a/~0', 1],
  ['/a/d%20e%25', 2],
  ['/a/f%', 3],
  ['/a/null', null],
  ['/', { '': 4 }],
  ['//', 4],
])('at %j stands what it names', (pointer, value) => {
  expect(followPointer(root, pointer)).toEqual(value)
})

test.each(['/b', '/a/b/c', '/a/b~1c/2', '/a/~0/x', '/a/null/x', '/a/toString', '/a/b~1c/map', '/__proto__'])(
  'at %j stands nothing',
  (pointer) => {
    expect(followPointer(root, pointer)).toBeUndefined()
  },
)

test('every name is found by its encoded form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (outer, inner) => {
      const encoded = [outer, inner].map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
      const value = JSON.parse(`{${JSON.stringify(outer)}: {${JSON.stringify(inner)}: "here"}}`)
      expect(followPointer(value, `/${encoded.join('/')}`)).toBe('here')
    }),
  )
})

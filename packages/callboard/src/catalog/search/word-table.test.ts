import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WordTable } from './word-table.ts'

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1'), maxLength: 4 }),
  fc.nat(5000).map((n) => `w${n.toString(36)}`),
)

test('words are found by their letters as in a map, before and after some are taken out', () => {
  const step = fc.record({ words: fc.array(word, { maxLength: 200 }), gone: fc.nat(4) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), word, (steps, other) => {
      const table = new WordTable()
      const map = new Map<string, number>()
      let next = 0
      for (const { words, gone } of steps) {
        for (const one of words) {
          expect(table.find(one)).toBe(map.get(one))
          if (map.has(one)) continue
          table.set(next, one)
          map.set(one, next++)
        }
        table.sweep((number) => number % 5 === gone)
        for (const [one, number] of map) if (number % 5 === gone) map.delete(one)
        for (const one of [...words, other]) expect(table.find(one)).toBe(map.get(one))
        for (const [one, number] of map) expect(table.textOf(number)).toBe(one)
      }
    }),
    { numRuns: 50 },
  )
})

test('a word is found where it stands in a text, in small letters or capitals', () => {
  const table = new WordTable()
  table.set(7, 'file')
  expect(table.find('Read FILE now', 5, 9)).toBe(7)
  expect(table.find('Read Files', 5, 10)).toBeUndefined()
  expect(table.find('Read Files', 5, 9)).toBe(7)
})

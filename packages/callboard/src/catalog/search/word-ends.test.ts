import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { expect, test } from 'vitest'
import { isOneEditAway, WordEnds } from './word-ends.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 })

function isSwapped(a: string, b: string): boolean {
  return [...a].some((_, i) => `${a.slice(0, i)}${a.charAt(i + 1)}${a.charAt(i)}${a.slice(i + 2)}` === b)
}

test('one edit is a letter more, less or another, or two neighbours in the other order', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isOneEditAway(a, b)).toBe(a !== b && (distance(a, b) === 1 || isSwapped(a, b)))
    }),
    { numRuns: 2000 },
  )
})

test('of all words those are found that are one edit away, and those that begin with it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word), word, (words, typed) => {
      const ends = new WordEnds()
      for (const one of words) ends.add(one)
      const near = words.filter((one) => typed.length >= 5 && isOneEditAway(typed, one))
      expect(ends.near(typed).sort()).toEqual(near.sort())
      const longer = words.filter((one) => typed.length > 1 && one.length > 2 && one !== typed && one.startsWith(typed))
      expect(ends.beginningWith(typed).sort()).toEqual(longer.sort())
      for (const one of words) ends.delete(one)
      expect([...ends.near(typed), ...ends.beginningWith(typed)]).toEqual([])
    }),
  )
})

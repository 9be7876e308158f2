/** Patterns: `*` is any run of characters, everything else is itself, and no pattern is slow. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patternMatcher } from './pattern.ts'

describe('patternMatcher', () => {
  test.each([
    ['github.get_*', 'github.get_issue'],
    ['github.get_*', 'github.get_'],
    ['*', ''],
    ['*', 'a.b/c'],
    ['acme.*.view', 'acme.hello.there.view'],
    ['*_issue', 'create_issue'],
    ['a*b*c', 'a-b-b-c'],
    ['a*a', 'aa'],
    ['**', 'x'],
    ['', ''],
    ['a.b', 'a.b'],
    ['[a]+?', '[a]+?'],
    ['__proto__', '__proto__'],
  ])('%j matches %j', (pattern, text) => {
    expect(patternMatcher([pattern])(text)).toBe(true)
  })

  test.each([
    ['github.get_*', 'github.set_issue'],
    ['github.get_*', 'x.github.get_issue'],
    ['a*a', 'a'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'a-c-b'],
    ['*x*x*', 'x'],
    ['', 'a'],
    ['a', ''],
    ['a.b', 'a-b'],
    ['a?', 'ab'],
    ['A*', 'abc'],
  ])('%j does not match %j', (pattern, text) => {
    expect(patternMatcher([pattern])(text)).toBe(false)
  })

  test('matches where one of several patterns does, and nothing without patterns', () => {
    const matches = patternMatcher(['a', 'b*', '*c'])
    expect(['a', 'bx', 'xc', 'ax'].map(matches)).toEqual([true, true, true, false])
    expect(patternMatcher([])('')).toBe(false)
  })

  test('agrees with a plain recursive reading of what a pattern means', () => {
    const reading = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === ''
      if (pattern[0] !== '*') return text !== '' && pattern[0] === text[0] && reading(pattern.slice(1), text.slice(1))
      return reading(pattern.slice(1), text) || (text !== '' && reading(pattern, text.slice(1)))
    }
    const letters = (...units: string[]) =>
      fc.array(fc.constantFrom(...units), { maxLength: 9 }).map((all) => all.join(''))
    fc.assert(
      fc.property(letters('a', 'b', '.', '*'), letters('a', 'b', '.'), (pattern, text) => {
        expect(patternMatcher([pattern])(text)).toBe(reading(pattern, text))
      }),
      { numRuns: 2000 },
    )
  })

  test('a pattern of a thousand stars that fails at the very end does not hang', () => {
    expect(patternMatcher([`${'*a'.repeat(1000)}*b`])('a'.repeat(100_000))).toBe(false)
  })
})

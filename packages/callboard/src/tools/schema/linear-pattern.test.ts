import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLinearPattern } from './linear-pattern.ts'
import { PatternSet } from './pattern-set.ts'

/** Pieces of patterns as they stand in real schemas, and their odd corners. */
const PIECES = [
  'a',
  'b',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\b',
  '[a-c]',
  '[^a-c]',
  '[\\s-]',
  '[\\w.-]',
  '[^\\S\\n]',
  '[^\\w]',
  '\\.',
  '\\-',
  '\\/',
  '\\u00e9',
  '\\x41',
  '\\t',
  '\\cJ',
  '\\0',
  '[\\b]',
  '-',
  '_',
  ':',
  '"',
  ' ',
  '\\p{L}',
  '\\P{Lu}',
  '[]',
  '[^]',
  '(?:ab|c)',
  '(a|)',
  '(a)',
  '^',
  '$',
  'a*',
  'b+',
  '.?',
  '\\d{2}',
  '[ab]{1,3}',
  'a{2,}',
  '.*?',
  '\u{1f600}',
]
const LETTERS = [
  'a',
  'b',
  'c',
  'A',
  '0',
  '9',
  '_',
  '-',
  '.',
  '/',
  ' ',
  '\n',
  '\r',
  '\t',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\v',
  '\b',
  '\0',
  'é',
  '"',
  ':',
]

function native(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}

describe('compileLinearPattern', () => {
  it('matches what the language itself matches', () => {
    const source = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 8 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 1, maxLength: 10 }), (pattern, texts) => {
        const expected = native(pattern)
        // Without the u flag a pair of surrogates is two characters, which this engine does not have.
        fc.pre(expected.unicode || !pattern.includes('\u{1f600}'))
        const actual = compileLinearPattern(pattern)
        for (const one of texts) {
          fc.pre(expected.unicode || !one.includes('\u{1f600}'))
          expect([one, actual.test(one)]).toEqual([one, expected.test(one)])
        }
      }),
      { numRuns: 500 },
    )
  })

  // Apart from the comparison above, since V8 of Node 26 finds no /[^\w]$/u in it.
  it.each([
    ['^.$', true],
    ['^[^a]$', true],
    ['[^\\w]$', true],
    ['\\W$', true],
    ['^\u{1f600}{1}$', true],
    ['^..$', false],
    ['\\p{L}', false],
  ])('takes a character beyond the basic plane as one for %s', (source, expected) => {
    expect(compileLinearPattern(source).test('\u{1f600}')).toBe(expected)
  })

  it.each([
    ['^(a+)+$', false],
    ['^(a|a)*$', false],
    ['(x+x+)+y', false],
    ['^(\\w+\\s?)*$', false],
    ['(.*a){12}', true],
  ])('answers for %s, for which an engine that backtracks would take years', (source, expected) => {
    expect(compileLinearPattern(source).test(`${'a'.repeat(80)}!`)).toBe(expected)
  })

  it('takes named groups', () => {
    expect(compileLinearPattern('^(?<year>\\d{4})-(?<month>\\d\\d)$').test('2026-11')).toBe(true)
  })

  it('goes on matching after it has forgotten its states', () => {
    const pattern = compileLinearPattern('^[ab]+c$')
    for (let round = 0; round < 5; round++) {
      expect(pattern.test(`${'ab'.repeat(3_000)}c`)).toBe(true)
      expect(pattern.test('ab'.repeat(3_000))).toBe(false)
    }
  })

  it.each([
    ['(?=a)b', 'looks around'],
    ['a\\Bb', 'uses \\B'],
    ['(?<!a)b', 'looks around'],
    ['(a)\\1', 'backreference'],
    ['(', 'nterminated'],
    ['a'.repeat(1001), 'longer than 1000'],
    ['(?:[a-z]{1,90}-){1,90}', 'too big'],
    ['\\p{Emoji}', '\\p{Emoji}'],
    ['a{1,5000}', 'too big'],
  ])('refuses %s in words', (source, words) => {
    expect(() => compileLinearPattern(source)).toThrow(words)
  })
})

describe('PatternSet', () => {
  it('takes hundreds of patterns up to a size of all together, and says so of the rest', () => {
    const set = new PatternSet()
    const faults = Array.from({ length: 400 }, (_value, index) => set.add(`^(a+)+[a-z]{1,${index + 1}}$`))
    expect(faults[0]).toBeUndefined()
    expect(faults.at(-1)).toContain('all patterns together')
    const size = [...set.compiled.values()].reduce((sum, pattern) => sum + pattern.size, 0)
    expect(size).toBeLessThanOrEqual(6_000)
    expect(size).toBeGreaterThan(5_000)
  })

  it('compiles a pattern once', () => {
    const set = new PatternSet()
    set.add('^a$')
    const first = set.compiled.get('^a$')
    set.add('^a$')
    expect(set.compiled.get('^a$')).toBe(first)
    expect(set.add('(?=x)')).toBe(set.add('(?=x)'))
  })
})

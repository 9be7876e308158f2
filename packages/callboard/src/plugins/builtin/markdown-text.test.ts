import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../../../test/fixtures/longest-turn.ts'
import { cutText, inlineCode } from './markdown-text.ts'

test.each([
  ['a b', 3, 'a b'],
  ['a bc', 3, 'a…'],
  [` a${' '.repeat(100_000)}`, 3, 'a'],
  [`abc${' '.repeat(100_000)}d`, 3, 'ab…'],
  [`ab${' '.repeat(100_000)}d`, 3, 'ab…'],
  ['😀'.repeat(100_001), 3, '😀😀…'],
])('%j…, cut to %i characters', (text, max, expected) => {
  expect(cutText(text, max)).toBe(expected)
})

test('of ten megabytes only the beginning is folded', () => {
  const text = 'a \n'.repeat(3_500_000)
  cutText(text, 160)
  const began = processorMs()
  for (let round = 0; round < 20; round += 1) cutText(text, 160)
  expect(processorMs() - began).toBeLessThan(300)
})

test('code within a line stays one line, and holds no end of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'`ab\n\r\u001b\u2028 ') }), (text) => {
      const code = inlineCode(text)
      expect(code).not.toMatch(/[\p{Cc}\u2028]/u)
      const fence = /^`+/.exec(code)?.[0] ?? ''
      if (text.includes('`')) expect(code.slice(fence.length, -fence.length)).not.toContain(fence)
    }),
  )
})

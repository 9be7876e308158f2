import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanNeedle, TextScan } from './text-scan.ts'

function containing(texts: readonly string[], needle: string): number[] {
  const found: number[] = []
  const scan = new TextScan(64)
  for (const [slot, text] of texts.entries()) scan.set(slot, text)
  scan.forEachContaining(scanNeedle(needle), (position) => found.push(position))
  return found
}

test('texts are found without regard to case, in their order', () => {
  expect(containing(['Read a file', 'nothing', '', 'FILES'], 'file')).toEqual([0, 3])
})

test('what lies across the end of a text is not found', () => {
  expect(containing(['ab', '', 'cd'], 'bc')).toEqual([])
  expect(containing(['aa', 'a', 'aaa'], 'aaa')).toEqual([2])
})

test('texts of many stretches are found by their place in the list', () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `text ${i}.`)
  expect(containing(texts, 'text 1234.')).toEqual([1234])
  expect(containing(texts, '.')).toHaveLength(2000)
})

test('what is longer than every text is in none, and as long as the longest may be it', () => {
  expect(containing(['abc', 'abcd'], 'abcde')).toEqual([])
  expect(containing(['abc', 'abcd'], 'abcd')).toEqual([1])
})

test('the same texts are found as by asking each', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'ß', 'İ'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(text), text, (texts, typed) => {
      const needle = typed.toLowerCase()
      fc.pre(needle !== '')
      const expected = texts.flatMap((one, i) => (one.toLowerCase().includes(needle) ? [i] : []))
      expect(containing(texts, needle)).toEqual(expected)
    }),
  )
})

test('a text that was taken out is found no more, and another can take its place', () => {
  const scan = new TextScan(64)
  const find = (needle: string): number[] => {
    const found: number[] = []
    scan.forEachContaining(scanNeedle(needle), (slot) => found.push(slot))
    return found
  }
  scan.set(40, 'read')
  scan.set(3, 'reader')
  scan.forget(40)
  expect(find('read')).toEqual([3])
  scan.set(40, 'write')
  expect(find('read')).toEqual([3])
  expect(find('rite')).toEqual([40])
})

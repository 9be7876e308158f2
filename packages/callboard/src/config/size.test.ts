import { expect, test } from 'vitest'
import { parseSize } from './size.ts'

test.each([
  ['100MB', 104_857_600],
  ['1.5GB', 1_610_612_736],
  ['0MB', 0],
])('%j is %d bytes', (written, expected) => {
  expect(parseSize(written)).toBe(expected)
})

test.each(['', '5', 'MB', '-5MB', '5 MB', '5mb', '1e3MB', '5KB', '5TB', '5constructor'])('%j is no size', (written) => {
  expect(parseSize(written)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['500ms', 500],
  ['60s', 60_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['30d', 2_592_000_000],
  ['0s', 0],
  [250, 250],
  [1.6, 2],
])('%j is %d milliseconds', (written, expected) => {
  expect(parseDuration(written)).toBe(expected)
})

test.each(['', '5', 's', '-5s', '5 s', '5S', '1e3s', '5constructor', 'soon', -1, Number.NaN, Infinity])(
  '%j is no duration',
  (written) => {
    expect(parseDuration(written)).toBeUndefined()
  },
)

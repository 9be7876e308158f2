import { expect, test } from 'vitest'
import { isBlank } from './is-blank.ts'

test.each(['', ' \t\n', '\ud800', '\udc00\ud800', '\0\u001b', '\u200b\u202e\ufeff', '\ufffd', '\u2028\u00a0'])(
  'in %j there is nothing to look for',
  (text) => expect(isBlank(text)).toBe(true),
)

test.each(['a', ' . ', '名', '😀', '\ud800x', '\0-', '\u0301'])('in %j there is something to look for', (text) =>
  expect(isBlank(text)).toBe(false),
)

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, numberText, ODD_NUMBERS } from '../../../test/fixtures/any-json.ts'
import { exactNumber, isSameInDoubles, isWritten, parseWritten, readJson } from './exact-json.ts'
import { mayLoseDigits } from './may-lose-digits.ts'

const written = (text: string): string => JSON.stringify(readJson(text).written)

test.each(ODD_NUMBERS)('%s comes back as it is, wherever it stands', (number) => {
  for (const text of [`[${number}]`, `{"a":${number}}`, `{"a":{"b\\\\":[1,${number},2]},"c":"${number}"}`])
    expect(written(text)).toBe(text)
  expect(JSON.stringify(parseWritten(number))).toBe(number)
})

test('any JSON with any numbers comes back as it is', () => {
  fc.assert(
    fc.property(compactJson, (json) => {
      expect(written(`[${json}]`)).toBe(`[${json}]`)
    }),
    { numRuns: 2_000 },
  )
})

test('the same with white space between its tokens', () => {
  const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ')
  fc.assert(
    fc.property(numberText, space, space, (number, before, behind) => {
      expect(written(`{"a"${behind}:${before}${number}${behind},"b":[${before}${number}${behind}]}`)).toBe(
        `{"a":${number},"b":[${number}]}`,
      )
    }),
  )
})

test('doubles are what `JSON.parse` has, but finite', () => {
  fc.assert(
    fc.property(compactJson, (json) => {
      const most = (_: string, value: unknown): unknown =>
        value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value
      expect(readJson(`[${json}]`).value).toEqual(JSON.parse(`[${json}]`, most))
    }),
  )
})

test('without such numbers there is one value alone', () => {
  for (const text of ['{"a":[1,-2,0.5,1e+21,1e-7,0.30000000000000004,123456789012345]}', '[]', '{"a":"1.0"}']) {
    const { value, written: same } = readJson(text)
    expect(same).toBe(value)
    expect(value).toEqual(JSON.parse(text))
  }
})

test('a key `__proto__` is one like any other', () => {
  const text = '{"__proto__":1.0,"a":{"__proto__":{"b":-0}}}'
  expect(written(text)).toBe(text)
  expect(readJson('{"__proto__":1e400}').value).toEqual(JSON.parse(`{"__proto__":${Number.MAX_VALUE}}`))
})

test('what is nested too deeply for it is read with doubles', () => {
  const text = `${'['.repeat(200_000)}1.0${']'.repeat(200_000)}`
  const { value, written: same } = readJson(text)
  expect(same).toBe(value)
})

test.each(['', '{', '[1.0', '[01.0]', '[1.]', '[.50]'])('%j is refused', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError)
})

test('a written number is known from an object that looks like one', () => {
  expect(isWritten(parseWritten('1.0'))).toBe(true)
  for (const other of [1, { rawJSON: '1.0' }, null, undefined, '1.0']) expect(isWritten(other)).toBe(false)
})

describe('mayLoseDigits', () => {
  test.each([
    ['ordinary numbers', '{"a":[1,-2,10,0,0.5,-0.25,100.001,123456789012345,0.000001]}'],
    ['texts that look like numbers', '{"a":"1.0","b":"12345678901234567890","c":["1e5","-0"]}'],
    ['lists in a text', '{"a":"[1.0, 1e5] \\\\","b\\"":"\\\\\\": 1.0"}'],
    ['JSON in a text', JSON.stringify({ text: JSON.stringify({ a: 1, b: { c: 12345678 } }).replace('1', '1.0') })],
    ['times and ids', '{"at":"2026-07-28T10:00:00.000Z","id":"550e8400-e29b-41d4-a716-446655440000"}'],
    ['prose', '{"text":"Temperature: 21.0 degrees, 3e5 of them ... and so on................"}'],
  ])('has no doubts about %s', (_, text) => {
    expect(mayLoseDigits(text)).toBe(false)
  })

  test('has none about a long text of digits, and takes no longer for it', () => {
    expect(mayLoseDigits(`["${'1'.repeat(4_000_000)}"]`)).toBe(false)
  })

  test('may be given bytes as Latin-1', () => {
    fc.assert(
      fc.property(compactJson, (json) => {
        const text = `["ä🎭",${json}]`
        const isSame = JSON.stringify(JSON.parse(text)) === text
        expect(isSame || mayLoseDigits(Buffer.from(text).toString('latin1'))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  ['9007199254740993', false],
  ['9007199254740993.0', false],
  ['-12345678901234567890', false],
  ['1e400', false],
  ['-1e400', false],
  ['9007199254740992', true],
  ['1e300', true],
  ['1.50', true],
  ['-0', true],
  ['0.1234567890123456789', true],
  ['1e-400', true],
])('whether %s is the same number in doubles: %s', (text, isSame) => {
  expect(isSameInDoubles(text)).toBe(isSame)
})

test('many zeros within a number are looked at once', () => {
  expect(isSameInDoubles(`9007199254740993.${'0'.repeat(1_000_000)}1`)).toBe(false)
})

test.each([
  ['1.0', '1'],
  ['1e3', '1000'],
  ['-0', '-0'],
  ['1e400', '1e400'],
  ['1e-400', '1e-400'],
  ['0.1234567890123456789', '0.1234567890123456789'],
  ['9007199254740993', '9007199254740993'],
])('of %s the number is written %s', (text, json) => {
  expect(JSON.stringify(exactNumber(text))).toBe(json)
})

/** JSON that is read a little at a time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInSteps } from './read-in-steps.ts'

/** In pieces of these lengths, one after the other and again, as a stream might have brought them. */
function piecesOf(json: string, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  const bytes = Buffer.from(json)
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const to = from + (lengths[turn % lengths.length] ?? bytes.length)
    pieces.push(bytes.subarray(from, to))
    from = to
  }
  return pieces
}

function read(pieces: readonly Buffer[], stepBytes?: number): { readonly value: unknown; readonly steps: number } {
  const work = readInSteps(pieces, stepBytes)
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next()
    if (done === true) return { value, steps }
  }
}

const LENGTHS = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 })
const STEP = fc.integer({ min: 8, max: 60 })
const SPACE = fc.constantFrom('', ' ', '\t', '\r\n  ')
const TEXT = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'toString',
    '\ud83d',
    '\ude00',
    '😀'.repeat(9),
    '\\"'.repeat(20),
    '"[{,}]"',
    'ä\n\u0001€',
  ),
)
/** V8 (14) takes a key with an escape for another one that ends with a backslash there, once it has seen that one. */
const KEY = TEXT.filter((key) => !key.includes('\\'))

test('the value is the one that JSON.parse gives, whatever it is and wherever it is cut', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.oneof(TEXT, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 9 }),
      fc.array(fc.tuple(KEY, tie('value')), { maxLength: 9 }).map((members) => new Map(members)),
    ),
  }))
  fc.assert(
    fc.property(value, SPACE, fc.boolean(), LENGTHS, STEP, (any, space, inAscii, lengths, stepBytes) => {
      const json = jsonOf(any, space, inAscii)
      expect(read(piecesOf(json, lengths), stepBytes).value).toStrictEqual(JSON.parse(json))
    }),
    { numRuns: 1_000 },
  )
})

/** With this space around every token; in ASCII all other characters are escapes. */
function jsonOf(value: unknown, space: string, inAscii: boolean): string {
  const around = (token: string): string => `${space}${token}${space}`
  if (Array.isArray(value)) return around(`[${value.map((item) => jsonOf(item, space, inAscii)).join(',') || space}]`)
  if (value instanceof Map) {
    const members = Array.from(value, ([key, member]) =>
      [key, member].map((part) => jsonOf(part, space, inAscii)).join(':'),
    )
    return around(`{${members.join(',') || space}}`)
  }
  const json = JSON.stringify(value)
  return around(inAscii ? json.replaceAll(/[^ -~]/g, escaped) : json)
}

function escaped(unit: string): string {
  return Array.from({ length: unit.length }, (_, at) => `\\u${unit.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  )
}

test('of a key that is there twice the last value counts, in the place of the first', () => {
  const json = `{"a":1,"b":"${'b'.repeat(20)}","a":"${'a'.repeat(20)}","__proto__":{"c":"${'c'.repeat(20)}"},"9":9}`
  const { value } = read([Buffer.from(json)], 8)
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('what is nested a thousand levels deep is read', () => {
  const json = `${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`
  expect(JSON.stringify(read([Buffer.from(json)], 8).value)).toBe(json)
})

test.each([
  ['a text', JSON.stringify('0123456789'.repeat(1_000))],
  ['a text of escapes', JSON.stringify('\n\u0001"ä'.repeat(2_500))],
  ['a list', JSON.stringify(Array.from({ length: 2_000 }, (_, index) => index))],
  ['an object', JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, index])))],
  ['a number', '9'.repeat(10_000)],
])('%s is read in many steps', (_, json) => {
  const { value, steps } = read(piecesOf(json, [64]), 256)
  expect(value).toEqual(JSON.parse(json))
  expect(steps).toBeGreaterThan(json.length / 256)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure, object, parse } from '../testing/parse-words.ts'

describe('texts', () => {
  test.each([
    [['--message', 'hi'], 'hi'],
    [['--message=hi'], 'hi'],
    [['--message', '3'], '3'],
    [['--message', 'true'], 'true'],
    [['--message', '{"a":1}'], '{"a":1}'],
    [['--message', ''], ''],
    [['--message='], ''],
    [['--message=a=b'], 'a=b'],
    [['--message', '-h'], '-h'],
    [['--message', '-'], '-'],
    [['--message=--count'], '--count'],
  ])('%j gives the text as it stands', (words, value) => {
    expect(parse(words)).toEqual({ message: value })
  })

  test('a value that begins with two dashes needs the equals sign, and the message says so', () => {
    expect(failure(['--message', '--hello'])).toBe(
      '64 --message needs a value: TEXT; one that begins with -- is written --message=--…',
    )
  })
})

test('whatever the text, after the equals sign it arrives unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parse([`--message=${text}`])).toEqual({ message: text })
      expect(parse([`--arg=message=${text}`])).toEqual({ message: text })
    }),
  )
})

test('whatever the JSON, it arrives as it was written where the schema names no type', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parse([`--anything=${text}`])).toEqual({ anything: JSON.parse(text) })
    }),
  )
})

describe('numbers', () => {
  test.each([
    ['--count', '3', 3],
    ['--count', '-5', -5],
    ['--count', '3.0', 3],
    ['--count', '1e3', 1000],
    ['--ratio', '-0.5', -0.5],
    ['--ratio', '.5', 0.5],
    ['--ratio', '1e300', 1e300],
    ['--ratio', '1.7976931348623157e308', Number.MAX_VALUE],
    ['--count', '-9007199254740991', Number.MIN_SAFE_INTEGER],
  ])('%s %s is the number', (flag, text, value) => {
    expect(Object.values(parse([flag, text]))).toEqual([value])
  })

  test.each([
    ['--ratio', '1e999', '1e999'],
    ['--ratio', '-0', '-0'],
    ['--ratio', '.1234567890123456789', '0.1234567890123456789'],
    ['--ratio', '-9007199254740993e0', '-9007199254740993e0'],
    ['--count', '9007199254740993.0', '9007199254740993.0'],
    ['--count', '+009007199254740993', '9007199254740993'],
    ['--anything', '9007199254740993', '9007199254740993'],
    ['--anything', '1e999', '1e999'],
    ['--filter', '{"id":9007199254740993}', '{"id":9007199254740993}'],
    ['--sizes', '[1,9007199254740993]', '[1,9007199254740993]'],
  ])('%s %s is kept as %s, which no double is', (flag, text, json) => {
    expect(JSON.stringify(Object.values(parse([flag, text]))[0])).toBe(json)
  })

  test.each([
    ['--count', 'abc', '65 --count needs a whole number, but got "abc"'],
    ['--count', '3.5', '65 --count needs a whole number, but got "3.5"'],
    ['--count', '', '65 --count needs a whole number, but got ""'],
    ['--count', '0x10', '65 --count needs a whole number, but got "0x10"'],
    ['--ratio', 'Infinity', '65 --ratio needs a number, but got "Infinity"'],
  ])('%s %s is refused', (flag, text, message) => {
    expect(failure([flag, text])).toBe(message)
  })
})

describe('true and false', () => {
  test.each([
    [['--dry-run'], true],
    [['--dryRun'], true],
    [['--no-dry-run'], false],
    [['--no-dryRun'], false],
    [['--dry-run=false'], false],
    [['--dry-run', 'false'], false],
    [['--dry-run', 'true'], true],
  ])('%j gives %s', (words, value) => {
    expect(parse(words)).toEqual({ dryRun: value })
  })

  test.each([
    [['--dry-run', 'yes'], '65 --dry-run needs true or false, but got "yes"'],
    [['--dry-run', '--no-dry-run'], '64 --dry-run was given 2 times, but takes one value'],
    [['--no-dry-run', 'true'], '64 --no-dry-run takes no value; write --dry-run=true or --dry-run=false'],
    [['--no-dry-run=true'], '64 --no-dry-run takes no value; write --dry-run=true or --dry-run=false'],
  ])('%j is refused', (words, message) => {
    expect(failure(words)).toBe(message)
  })

  test('an argument whose own name begins with no- is itself, not the negation of another', () => {
    const schema = object({ 'no-cache': { type: 'boolean' }, cache: { type: 'boolean' } })
    expect(parse(['--no-cache'], schema)).toEqual({ 'no-cache': true })
  })

  test('only an argument that is true or false can be negated', () => {
    expect(failure(['--no-message'])).toContain('64 no argument --no-message')
  })
})

describe('lists', () => {
  test.each([
    [['--tags', 'a'], { tags: ['a'] }],
    [['--tags', 'a', '--tags=b', '--tags', '3'], { tags: ['a', 'b', '3'] }],
    [['--sizes', '1', '--sizes', '-2'], { sizes: [1, -2] }],
    [['--sizes', '[1,2]'], { sizes: [1, 2] }],
    [['--tags', '["a","b"]'], { tags: ['a', 'b'] }],
    [['--tags', '[]'], { tags: [] }],
    [['--tags', '[a'], { tags: ['[a'] }],
    [['--tags', '["a"]', '--tags', 'b'], { tags: ['["a"]', 'b'] }],
  ])('%j', (words, value) => {
    expect(parse(words)).toEqual(value)
  })

  test('each item has to fit', () => {
    expect(failure(['--sizes', '1', '--sizes', 'x'])).toBe('65 --sizes needs a whole number, but got "x"')
  })

  test('a list of lists takes one inner list for each time it is given', () => {
    const schema = object({ points: { type: 'array', items: { type: 'array', items: { type: 'number' } } } })
    expect(parse(['--points', '[1,2]'], schema)).toEqual({ points: [[1, 2]] })
    expect(parse(['--points', '[1,2]', '--points', '[3,4]'], schema)).toEqual({
      points: [
        [1, 2],
        [3, 4],
      ],
    })
  })

  test('anything else takes one value only', () => {
    expect(failure(['--message', 'a', '--message', 'b'])).toBe('64 --message was given 2 times, but takes one value')
  })
})

describe('objects, enumerations and schemas without a type', () => {
  test('an object is JSON', () => {
    expect(parse(['--filter', '{"a":{"b":[1]}}'])).toEqual({ filter: { a: { b: [1] } } })
    expect(failure(['--filter', 'a=1'])).toBe('65 --filter needs a JSON object such as \'{"a":1}\', but got "a=1"')
  })

  test('a text without a type is JSON if it can be, else text', () => {
    expect(parse(['--anything', '3'])).toEqual({ anything: 3 })
    expect(parse(['--anything', 'three'])).toEqual({ anything: 'three' })
    expect(parse(['--anything', '{"a":null}'])).toEqual({ anything: { a: null } })
  })

  test('an enumeration takes its members by their text, and leaves others to the check of the call', () => {
    expect(parse(['--level', 'low'])).toEqual({ level: 'low' })
    expect(parse(['--level', '3'])).toEqual({ level: 3 })
    expect(parse(['--level', 'null'])).toEqual({ level: null })
    expect(parse(['--level', 'middle'])).toEqual({ level: 'middle' })
  })
})

describe('alternatives and references', () => {
  const schema = object(
    {
      optional: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      nullable: { type: 'boolean', nullable: true },
      either: { type: ['string', 'number'] },
      one: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      referred: { $ref: '#/$defs/size' },
      narrowed: { allOf: [{ type: ['integer', 'string'] }, { type: 'number' }] },
      circle: { $ref: '#/$defs/circle' },
      nowhere: { $ref: 'https://example.com/schema' },
      escaped: { $ref: '#/$defs/a~1b' },
    },
    {
      $defs: { size: { type: 'integer' }, circle: { anyOf: [{ $ref: '#/$defs/circle' }] }, 'a/b': { type: 'boolean' } },
    },
  )

  test.each([
    [['--optional', '3'], { optional: 3 }],
    [['--optional', 'null'], { optional: null }],
    [['--nullable'], { nullable: true }],
    [['--nullable', 'null'], { nullable: null }],
    [['--either', '3'], { either: '3' }],
    [['--one', 'a'], { one: 'a' }],
    [['--one', 'a', '--one', 'b'], { one: ['a', 'b'] }],
    [['--referred', '7'], { referred: 7 }],
    [['--narrowed', '7'], { narrowed: 7 }],
    [['--circle', '7'], { circle: 7 }],
    [['--nowhere', 'x'], { nowhere: 'x' }],
    [['--escaped'], { escaped: true }],
  ])('%j', (words, value) => {
    expect(parse(words, schema)).toEqual(value)
  })

  test('what fits none of the alternatives is refused with all of them', () => {
    expect(failure(['--optional', 'x'], schema)).toBe('65 --optional needs a whole number or null, but got "x"')
  })

  test('a schema whose references multiply is read in no time', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        { anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${level + 1}` })) },
      ]),
    )
    const wide = object({ x: { $ref: '#/$defs/d0' } }, { $defs: { ...definitions, d40: { type: 'integer' } } })
    expect(parse(['--x', '3'], wide)).toEqual({ x: 3 })
  })
})

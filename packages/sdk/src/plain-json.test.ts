import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NotJsonError, plainJson } from './plain-json.ts'

class Point {
  readonly x = 1
  readonly #hidden = 2
  get y(): number {
    return this.#hidden
  }
}

function cycle(): unknown {
  const value: Record<string, unknown> = { a: 1 }
  value.self = { back: value }
  return value
}

function nested(levels: number): unknown {
  let value: unknown = 'leaf'
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

describe('plainJson', () => {
  test('is what JSON makes of JSON, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const copy = plainJson(value)
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)))
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
      }),
    )
  })

  test('whatever it is given, it gives what JSON can hold or says why not', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          try {
            const copy = plainJson(value)
            expect(JSON.parse(JSON.stringify(copy))).toEqual(copy)
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(NotJsonError)
          }
        },
      ),
    )
  })

  test.each([
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an instance of a class', new Point(), { x: 1 }],
    ['a member that is undefined', { a: undefined, b: 1 }, { b: 1 }],
    ['a list with a hole', Object.assign(new Array(3), { 2: undefined }), [null, null, null]],
    ['one object in two places', [Point, Point].map(() => ({})), [{}, {}]],
    ['a negative zero', [-0], [0]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('takes %s as JSON does', (_what, value, expected) => {
    expect(plainJson(value)).toEqual(expected)
  })

  test('a member named __proto__ stays a member', () => {
    const copy = plainJson(JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(Object.keys(Object(copy))).toEqual(['__proto__'])
    expect(copy).not.toHaveProperty('polluted')
  })

  test.each([
    ['NaN', { total: Number.NaN }, 'total: NaN has no form in JSON'],
    ['an infinite number', [Number.POSITIVE_INFINITY], '[0]: Infinity has no form in JSON'],
    ['a BigInt', { rows: [{ id: 1n }] }, 'rows[0].id: a bigint has no form in JSON'],
    ['a function', { run: () => 1 }, 'run: a function has no form in JSON'],
    ['a symbol', Symbol('x'), 'a symbol has no form in JSON'],
    ['nothing at all', undefined, 'undefined has no form in JSON'],
    ['a Map', { 'by id': new Map([[1, 2]]) }, '["by id"]: a Map has no form in JSON'],
    ['a Promise', { user: Promise.resolve(1) }, 'user: a Promise has no form in JSON; await it'],
    ['an error', { cause: new Error('x') }, 'cause: an Error has no form in JSON'],
    ['an instance without members', new (class Empty {})(), 'an Empty has no form in JSON'],
    ['bytes', { data: Buffer.from('x') }, 'data: a buffer of bytes has no form in JSON'],
    ['a cycle', cycle(), 'self.back: it contains itself'],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
      "it can't be read: no",
    ],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw 'no'
        },
      },
      "it can't be read: no",
    ],
    ['50 MB of text', 'x'.repeat(50_000_000), 'it is larger than 16 million characters'],
    ['a list without end', new Array(2 ** 32 - 1), 'it is larger than 16 million characters'],
  ])('refuses %s', (_what, value, message) => {
    expect(() => plainJson(value)).toThrow(message)
  })

  test('reads no item of a list that has too many', () => {
    const read: unknown[] = []
    const list = new Proxy(new Array(1_100_000).fill(0), {
      get: (target, name) => {
        read.push(name)
        return Reflect.get(target, name)
      },
    })
    expect(() => plainJson(list)).toThrow(/^it is larger than 16 million characters$/)
    expect(read).not.toContain('0')
  })

  test('128 levels are deep enough', () => {
    expect(() => plainJson(nested(128))).not.toThrow()
    expect(() => plainJson(nested(129))).toThrow('it is deeper than 128 levels')
  })

  test('a value that unfolds without end is refused in time', () => {
    const branch = { toJSON: () => [branch, branch] }
    let wide: unknown = ['x'.repeat(1000)]
    for (let level = 0; level < 60; level++) wide = [wide, wide]
    for (const value of [branch, wide]) expect(() => plainJson(value)).toThrow(NotJsonError)
  })
})

import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWritten } from '../../exact-json.ts'
import { Secrets } from '../../secrets.ts'
import { recordedArguments } from './recorded-arguments.ts'

function toolOf(inputSchema: JsonSchema = { type: 'object' }): ToolDefinition {
  return { package: 'a', name: 'x', action: 'x', inputSchema }
}

function recorded(args: Readonly<Record<string, unknown>>, schema?: JsonSchema, ...secrets: string[]): unknown {
  const known = new Secrets()
  for (const secret of secrets) known.add(secret)
  return JSON.parse(recordedArguments(args, toolOf(schema), known))
}

test('what is no secret is recorded as it is', () => {
  const args = {
    message: 'hi',
    count: 3,
    on: true,
    off: null,
    list: [1, [2]],
    max_tokens: 5,
    author: 'ana',
    at: { b: 1 },
  }
  expect(recorded(args)).toEqual(args)
})

test('numbers are recorded as they were written, but for very long ones, and hidden as any others', () => {
  const given = (json: string, ...secrets: string[]): string => {
    const known = new Secrets()
    for (const secret of secrets) known.add(secret)
    return recordedArguments(Object(parseWritten(json)), toolOf(), known)
  }
  expect(given('{"id":12345678901234567890,"max_tokens":1.0,"pin":-0}')).toBe(
    '{"id":12345678901234567890,"max_tokens":1.0,"pin":"[secret]"}',
  )
  expect(given('{"id":1234567890123456789.0}', '1234567890123456789')).toBe('{"id":"[secret]"}')
  expect(given(`{"id":${'1'.repeat(2_000)}}`)).toBe('{"id":"…"}')
  const inText = (json: string): string => JSON.parse(given(JSON.stringify({ x: json }), '12345678901234567891')).x
  expect(inText('{"q":12345678901234567891}')).toBe('{"q":"[secret]"}')
  expect(inText('{"q":[1e400,9007199254740993,-0]}')).toBe('{"q":[1e400,9007199254740993,-0]}')
  expect(inText(`${'['.repeat(20_000)}1.0${']'.repeat(20_000)}`)).not.toContain('1.0')
})

describe('hidden is the value of an argument', () => {
  test.each([
    'password',
    'passphrase',
    'pwd',
    'userPwd',
    'db_pw',
    'otp',
    'card-cvv',
    'client_secret',
    'accessToken',
    'api-key',
    'Authorization',
    'COOKIE',
    'auth',
  ])('named %s, whatever it is and however deep it stands', (name) => {
    expect(recorded({ a: [{ [name]: { b: 'c' } }], [name]: 1 })).toEqual({
      a: [{ [name]: '[secret]' }],
      [name]: '[secret]',
    })
  })

  const schemas: readonly (readonly [string, JsonSchema])[] = [
    ['with format: password', { properties: { code: { type: 'string', format: 'password' } } }],
    ['with writeOnly', { properties: { code: { writeOnly: true } } }],
    ['in a nested object', { properties: { outer: { properties: { code: { format: 'password' } } } } }],
    ['in one of several shapes', { anyOf: [{ properties: {} }, { properties: { code: { format: 'password' } } }] }],
    ['of whose items it is said', { properties: { code: { type: 'array', items: { format: 'password' } } } }],
    ['of whose members it is said', { properties: { code: { additionalProperties: { writeOnly: true } } } }],
    ['behind a reference', { properties: { code: { $ref: '#/$defs/p' } }, $defs: { p: { format: 'password' } } }],
    ['behind an anchor', { properties: { code: { $ref: '#p' } }, $defs: { p: { $anchor: 'p', writeOnly: true } } }],
    ['behind a reference that leads nowhere', { properties: { code: { $ref: 'https://example.com/x' } } }],
    [
      'in a schema that refers to itself',
      { properties: { outer: { $ref: '#' }, code: { allOf: [{ $ref: '#' }, { format: 'password' }] } } },
    ],
  ]

  test.each(schemas)('that the schema marks: %s', (_, schema) => {
    expect(recorded({ outer: { code: '1' }, code: ['2'], other: '3' }, schema)).toEqual({
      outer: { code: '[secret]' },
      code: '[secret]',
      other: '3',
    })
  })

  test('of any name, where the schema marks every argument', () => {
    expect(recorded({ a: 1, b: 2 }, { additionalProperties: { format: 'password' } })).toEqual({
      a: '[secret]',
      b: '[secret]',
    })
  })

  test('of any name, where the schema is too large to be sure', () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`a${i}`, { type: 'string' }]))
    expect(recorded({ a: 1 }, { properties })).toEqual({ a: '[secret]' })
  })
})

describe('in a text that is JSON', () => {
  const schema = { properties: { code: { format: 'password' }, body: { type: 'string' } } } as const
  const inner = { user: 'ana', password: 'hunter2', code: 7, list: [{ api_key: 'k', n: 1 }] }
  const shown = { user: 'ana', password: '[secret]', code: '[secret]', list: [{ api_key: '[secret]', n: 1 }] }

  test('the same values are hidden, also in JSON within JSON', () => {
    const body = JSON.stringify(inner)
    expect(recorded({ body }, schema)).toEqual({ body: JSON.stringify(shown) })
    expect(recorded({ body: `\n ${JSON.stringify([body], null, 2)}` }, schema)).toEqual({
      body: JSON.stringify([JSON.stringify(shown)]),
    })
    expect(recorded({ body: JSON.stringify(body) }, schema)).toEqual({ body: JSON.stringify(JSON.stringify(shown)) })
  })

  test('that is too long to be looked into nothing is recorded, nor of one that is too deep', () => {
    const password = 'hunter2'
    expect(recorded({ body: JSON.stringify([password, 'x'.repeat(200_000)]) })).toEqual({ body: '…' })
    let deep = JSON.stringify({ password })
    for (let level = 0; level < 12; level += 1) deep = JSON.stringify([deep]).slice(0, 90_000)
    expect(JSON.stringify(recorded({ deep }))).not.toContain(password)
    let nested: unknown = JSON.stringify({ password })
    for (let level = 0; level < 30; level += 1) nested = [nested]
    expect(JSON.stringify(recorded({ nested: JSON.stringify(nested) }))).not.toContain(password)
  })

  test.each(['[x] to do', '{not: json}', '"said" she', '12', 'null', ' plain '])(
    'or only looks like it: %j',
    (text) => {
      expect(recorded({ text })).toEqual({ text })
    },
  )

  test('a long one is cut as any text, and measured as one', () => {
    const rows = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id })))
    const { body, more } = Object(recorded({ body: rows, more: 'm' }))
    expect([body.length, more]).toEqual([1_001, 'm'])
  })
})

test('an example of a schema marks nothing', () => {
  const schema = { properties: { a: { examples: [{ format: 'password' }], default: { writeOnly: true } } } }
  expect(recorded({ a: 1 }, schema)).toEqual({ a: 1 })
})

test('several tokens are as secret as one, and their number is not', () => {
  expect(recorded({ tokens: ['a'], max_tokens: 5, userTokens: 'b' })).toEqual({
    tokens: '[secret]',
    max_tokens: 5,
    userTokens: '[secret]',
  })
})

test('a secret that the host knows is hidden in names, texts and numbers', () => {
  expect(
    recorded({ 'x-hunter22': 'a hunter22 b', n: 12345678, list: ['hunter22'] }, undefined, 'hunter22', '12345678'),
  ).toEqual({ 'x-[secret]': 'a [secret] b', n: '[secret]', list: ['[secret]'] })
})

test('a text that is too long is cut, also through a secret, and what is too much is left out', () => {
  const long = `${'x'.repeat(995)}hunter22`
  expect(recorded({ long }, undefined, 'hunter22')).toEqual({ long: `${'x'.repeat(995)}[secr…` })
  const many = recorded({ list: Array.from({ length: 100_000 }, (_, i) => i), more: 1 })
  expect(many).toMatchObject({ '…': '…' })
  expect(JSON.stringify(many)).toMatch(/^\{"list":\[0,1,2,.*,"…"\],"…":"…"\}$/)
})

test('any arguments make JSON of a bounded length without the known secret', () => {
  const secret = 'S3cr3t-"é\\'
  const json = fc.jsonValue({ maxDepth: 4 })
  const text = fc.string({ maxLength: 3_000 }).map((around) => `${around}${secret}${around}`)
  const value = fc.oneof(json, text, fc.array(text), fc.dictionary(fc.string(), text))
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), value), (args) => {
      const secrets = new Secrets()
      secrets.add(secret)
      const written = recordedArguments(args, toolOf(), secrets)
      expect(() => JSON.parse(written)).not.toThrow()
      expect(JSON.stringify(JSON.parse(written))).toBe(written)
      expect(written).not.toContain('S3cr3t')
      expect(JSON.parse(written)).not.toHaveProperty('polluted')
      expect(written.length).toBeLessThan(16_000)
    }),
  )
})

test('what JSON can not hold does no harm', () => {
  const circle: Record<string, unknown> = { n: 1n, f: () => 1, u: undefined }
  circle.self = circle
  expect(() => recorded(circle)).not.toThrow()
})

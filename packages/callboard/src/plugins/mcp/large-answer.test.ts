import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonBytes } from '../encoded-result.ts'
import { findAnswer, type LargeResult } from './large-answer.ts'

/** The text in pieces of these lengths, again and again. */
function cut(text: string | Buffer, lengths: readonly number[] = [3]): Buffer[] {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    parts.push(bytes.subarray(at, at + length))
    at += length
  }
  return parts
}

function look(parts: readonly Buffer[]) {
  const work = findAnswer(parts)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

function find(parts: readonly Buffer[]): LargeResult | undefined {
  const found = look(parts)
  return found?.kind === 'result' ? found : undefined
}

const textOf = (bytes: JsonBytes | undefined): string => Buffer.concat(bytes ?? []).toString()
const fieldsOf = (answer: LargeResult | undefined): Record<string, unknown> =>
  Object.fromEntries(Array.from(answer?.fields ?? [], ([key, bytes]) => [key, JSON.parse(textOf(bytes))]))

test('an answer is found with its id and the bytes of each field of its result', () => {
  const text =
    '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a\\"}ä🎭"}],"isError":false,"n":1.50e+1}}'
  const answer = find(cut(text))
  expect(answer?.id).toBe(7)
  expect(Array.from(answer?.fields ?? [], ([key, bytes]) => [key, textOf(bytes)])).toEqual([
    ['content', '[{"type":"text","text":"a\\"}ä🎭"}]'],
    ['isError', 'false'],
    ['n', '1.50e+1'],
  ])
})

test('its id may stand behind the result, and of two equal keys the last one counts', () => {
  const answer = find(cut('{"result":{"a":1,"a":[2]},"x":{"a":3},"id":"x"}'))
  expect(answer?.id).toBe('x')
  expect(fieldsOf(answer)).toEqual({ a: [2] })
})

test('line ends between its tokens are none afterwards, those in its strings stay what they are', () => {
  const answer = find(cut('{\r\n "id": 1,\n "result": {\n  "a": [\n 1,\r\n 2 ],\n "b": "\\n"\n }\n}\n'))
  expect(fieldsOf(answer)).toEqual({ a: [1, 2], b: '\n' })
  for (const bytes of answer?.fields.values() ?? []) expect(textOf(bytes)).not.toMatch(/[\r\n]/)
})

test.each([
  ['a notification', '{"jsonrpc":"2.0","method":"m","params":{}}'],
  ['a request', '{"id":1,"method":"m","result":{}}'],
  ['an error', '{"id":1,"error":{"code":1,"message":"m"}}'],
  ['a batch', '[{"id":1,"result":{}}]'],
  ['a result that is no object', '{"id":1,"result":[{}]}'],
  ['a result that was an object first', '{"id":1,"result":{},"result":[{}]}'],
  ['an answer without an id', '{"result":{}}'],
  ['a text', '"text"'],
  ['nothing', ''],
  ['what is nested too deeply', `{"id":1,"result":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}`],
  ['what has a key that is too long', `{"id":1,"result":{"${'k'.repeat(1_000)}":0}}`],
  ['what has an id that is too long', `{"id":"${'i'.repeat(1_000)}","result":{}}`],
  ['what has a number that is too long', `{"id":1,"result":{"n":${'9'.repeat(70_000)}}}`],
  ['what has too many fields', `{"id":1,"result":{${Array.from({ length: 101 }, (_, n) => `"${n}":0`).join()}}}`],
])('%s is not taken for one with a result', (_, text) => {
  expect(find(cut(text))).toBeUndefined()
})

test.each([
  ['{"jsonrpc":"2.0","method":"m","params":{"result":{}}}', { kind: 'unasked' }],
  ['{"params":{},"id":1,"method":"m"}', { kind: 'unasked' }],
  [
    '{"id":1,"error":{"code":1,"message":"m","data":{"method":"m"}}}',
    { kind: 'failure', id: 1, error: expect.any(Array) },
  ],
  ['{"result":"text","id":"x"}', { kind: 'failure', id: 'x', error: undefined }],
  ['{"id":1,"message":"m"}', undefined],
  ['[{"method":"m"}]', undefined],
  ['{"id":1,"error":{}', undefined],
])('what is no result is known for what it is: %s', (text, kind) => {
  expect(look(cut(text))).toEqual(kind)
})

test('the bytes of an error are found where it is the only outcome', () => {
  const errorIn = (text: string): unknown => {
    const found = look(cut(text))
    return found?.kind === 'failure' ? found.error && textOf(found.error) : found?.kind
  }
  expect(errorIn('{"id":1,"error":{"code":1,"data":1.0}}')).toBe('{"code":1,"data":1.0}')
  expect(errorIn('{"id":1,"error":null,"result":1.0}')).toBeUndefined()
  expect(errorIn('{"id":1,"error":null,"result":{}}')).toBe('result')
})

test.each([
  ['a byte that begins nothing', [0x80]],
  ['a character that is not whole', [0xf0, 0x9f, 0x8e]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
])('a text with %s is no JSON', (_, bytes) => {
  const text = Buffer.concat([Buffer.from('{"id":1,"result":{"a":"'), Buffer.from(bytes), Buffer.from('"}}')])
  expect(find(cut(text))).toBeUndefined()
  expect(find([text])).toBeUndefined()
})

/** JSON texts as they are, and with one character taken out, put in or changed. */
const nearlyJson = fc
  .record({
    value: fc.jsonValue({ maxDepth: 4 }),
    indent: fc.constantFrom(0, 1),
    at: fc.nat(),
    change: fc.constantFrom('none', 'none', 'out', 'in', 'other'),
    character: fc.constantFrom(...'{}[]",:\\0-.eEtu \n\t\u0001ä'),
  })
  .map(({ value, indent, at, change, character }) => {
    const text = JSON.stringify(value, undefined, indent)
    const place = at % (text.length + 1)
    const rest = change === 'out' || change === 'other' ? text.slice(place + 1) : text.slice(place)
    return `${text.slice(0, place)}${change === 'in' || change === 'other' ? character : ''}${rest}`
  })

test('what is taken is what JSON.parse takes, with the same values, however it is cut', () => {
  fc.assert(
    fc.property(nearlyJson, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (text, lengths) => {
      const message = `{"id":1,"result":{"before":0,"field":${text},"after":[]}}`
      let parsed: { result: Record<string, unknown> } | undefined
      try {
        parsed = JSON.parse(message)
      } catch {
        parsed = undefined
      }
      const answer = find(cut(message, lengths))
      expect(answer === undefined).toBe(parsed === undefined)
      if (parsed !== undefined) expect(fieldsOf(answer)).toEqual(Object.fromEntries(Object.entries(parsed.result)))
    }),
    { numRuns: 2_000 },
  )
})

test('it works a little at a time', () => {
  const text = `{"id":1,"result":{"content":[{"type":"text","text":"${'x'.repeat(1_000_000)}"}]}}`
  let turns = 0
  for (const work = findAnswer(cut(text, [65_536])); work.next().done !== true; ) turns += 1
  expect(turns).toBeGreaterThan(10)
})

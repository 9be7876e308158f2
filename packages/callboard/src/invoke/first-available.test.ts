import { expect, test } from 'vitest'
import type { CatalogTool } from '../catalog/catalog-tool.ts'
import { sampleTool } from '../catalog/testing/sample-tool.ts'
import { CallboardError } from '../errors.ts'
import { type AiFailureKind, aiMeta } from '../plugins/ai-answer.ts'
import type { ToolResult } from '../plugins/plugin.ts'
import { firstAvailable } from './first-available.ts'

const offer = (provider: string): CatalogTool =>
  sampleTool({ name: 'ai_prompt', pluginId: provider, providers: [provider] })
const answer = (provider: string): ToolResult => ({
  content: [{ type: 'text', text: `I am ${provider}` }],
  _meta: { ...aiMeta({ provider, model: 'm' }), other: 1 },
})
const failure = (provider: string, kind: AiFailureKind): ToolResult => ({
  content: [{ type: 'text', text: kind }],
  isError: true,
  _meta: aiMeta({ provider, error: { kind } }),
})

/** Asks `a`, and `b` and `c` where it is unavailable, who each do this. */
async function ask(turns: Readonly<Record<string, (onProgress: () => void) => ToolResult>>, refusing = '') {
  const asked: string[] = []
  const answering: string[] = []
  const timed = { signal: new AbortController().signal, onProgress: () => {}, pause: () => () => {} }
  const result = await firstAvailable({
    tool: offer('a'),
    others: [offer('b'), offer('c')],
    timed,
    run: async ({ entry }, { onProgress }) => {
      asked.push(entry.pluginId)
      return turns[entry.pluginId]?.(() => onProgress({ progress: 1 })) ?? answer(entry.pluginId)
    },
    check: async ({ entry }) => {
      if (entry.pluginId === refusing) throw new CallboardError('invalid_arguments', 'no such model')
    },
    onAnswer: ({ entry }) => answering.push(entry.pluginId),
  })
  return { asked, answering, result }
}

const down = (): never => {
  throw new CallboardError('unavailable', 'plugin "a" is down')
}

test('the chosen one is asked alone, and its answer is left as it is', async () => {
  expect(await ask({})).toMatchObject({ asked: ['a'], result: answer('a') })
})

test.each<[AiFailureKind]>([
  ['auth'],
  ['rate_limit'],
  ['context_too_long'],
  ['content_filter'],
  ['interrupted'],
  ['refused'],
])('a failure of kind %s is nobody else’s to mend', async (kind) => {
  expect(await ask({ a: () => failure('a', kind) })).toMatchObject({ asked: ['a'], result: failure('a', kind) })
})

test.each([
  ['a provider', () => failure('a', 'unavailable')],
  ['a plugin', down],
])('where %s is unavailable the next one answers, and the answer says so', async (_, turn) => {
  const { asked, result } = await ask({ a: turn })
  expect(asked).toEqual(['a', 'b'])
  expect(result).toEqual({
    content: [
      { type: 'text', text: 'I am b' },
      { type: 'text', text: '(answered by b, since a is unavailable)' },
    ],
    _meta: { 'callboard/ai': { provider: 'b', model: 'm', insteadOf: ['a'] }, other: 1 },
  })
})

test('each that is unavailable is named', async () => {
  const { result } = await ask({ a: down, b: () => failure('b', 'unavailable') })
  expect(result.content.at(-1)).toEqual({ type: 'text', text: '(answered by c, since a and b are unavailable)' })
})

test('where all are, the failure is that of the chosen one', async () => {
  const all = { a: down, b: () => failure('b', 'unavailable'), c: () => failure('c', 'unavailable') }
  await expect(ask(all)).rejects.toThrow('plugin "a" is down')
  const { answering, result } = await ask({ ...all, a: () => failure('a', 'unavailable') })
  expect(answering).toEqual(['a'])
  expect(result).toEqual({
    ...failure('a', 'unavailable'),
    content: [
      { type: 'text', text: 'unavailable' },
      { type: 'text', text: '(asked instead, and unavailable too: b, c)' },
    ],
  })
})

test('a failure of another one is told as its own', async () => {
  const { asked, result } = await ask({ a: down, b: () => failure('b', 'auth') })
  expect(asked).toEqual(['a', 'b'])
  expect(result).toMatchObject({ isError: true, _meta: { 'callboard/ai': { provider: 'b', insteadOf: ['a'] } } })
})

test('one that can not take the arguments is passed over', async () => {
  const { asked, result } = await ask({ a: down }, 'b')
  expect(asked).toEqual(['a', 'c'])
  expect(result._meta).toMatchObject({ 'callboard/ai': { insteadOf: ['a'] } })
})

test('nobody takes over an answer that has begun', async () => {
  const begun = (onProgress: () => void): ToolResult => {
    onProgress()
    return down()
  }
  await expect(ask({ a: begun })).rejects.toThrow('plugin "a" is down')
})

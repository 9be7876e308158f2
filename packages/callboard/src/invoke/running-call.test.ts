import { expect, test } from 'vitest'
import { aiMeta } from '../plugins/ai-answer.ts'
import { RunningCall } from './running-call.ts'

const answer = {
  content: [],
  _meta: aiMeta({ provider: 'openai', model: 'gpt-5', finishReason: 'stop', usage: { input: 11 } }),
}

function recordOf(provider: string | undefined, result: Parameters<RunningCall['end']>[1]) {
  const call = new RunningCall({ name: 'ai_prompt', arguments: {}, user: 'ana' }, undefined)
  call.provider = provider
  return call.end('ok', result)
}

test('what a model did is recorded of the answer of a tool with a provider', () => {
  expect(recordOf('openai', answer)).toMatchObject({
    provider: 'openai',
    ai: { model: 'gpt-5', finishReason: 'stop', inputTokens: 11 },
  })
})

test('what any other server writes under the key of an answer is not', () => {
  expect(recordOf(undefined, answer)).not.toHaveProperty('ai')
})

test.each([
  [undefined],
  [{ content: [] }],
  [{ content: [], _meta: { 'callboard/ai': 'x' } }],
  [{ content: [], _meta: { 'callboard/ai': { model: 3 } } }],
])('nothing is recorded of %j', (result) => {
  expect(recordOf('openai', result)).not.toHaveProperty('ai')
})

test('what is not as it should be is left out, and a long name is cut', () => {
  const ai = { model: 'm'.repeat(1_000), finishReason: 4, usage: { input: '7', output: 2 } }
  expect(recordOf('openai', { content: [], _meta: { 'callboard/ai': ai } })).toMatchObject({
    ai: { model: 'm'.repeat(128), outputTokens: 2 },
  })
})

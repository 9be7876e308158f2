/** The very requests that each API is sent, which the model server answers as the real ones do. */
import { expect, test } from 'vitest'
import { GOOD_KEY } from '../fixtures/model-server.ts'
import { callPlugin } from '../fixtures/plugin-calls.ts'
import { type Api, startScene } from './ai-under-test.ts'

const SCHEMA = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] }
const EVERYTHING = {
  system: 'You are a stagehand',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'text', text: 'What is it?' },
      ],
    },
    { role: 'assistant', content: 'A moon.' },
    { role: 'user', content: 'When?' },
  ],
  max_tokens: 80,
  temperature: 0.5,
  schema: SCHEMA,
}

interface Sent {
  readonly path: string
  readonly key: readonly [header: string, value: string]
  readonly body: object
}

const QUESTION: Readonly<Record<Api, Sent>> = {
  openai: {
    path: '/v1/responses',
    key: ['authorization', `Bearer ${GOOD_KEY}`],
    body: {
      model: 'model-1',
      input: [
        { role: 'system', content: 'You are a stagehand' },
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
            { type: 'input_text', text: 'What is it?' },
          ],
        },
        { role: 'assistant', content: 'A moon.' },
        { role: 'user', content: [{ type: 'input_text', text: 'When?' }] },
      ],
      temperature: 0.5,
      max_output_tokens: 80,
      text: { format: { type: 'json_schema', strict: false, name: 'response', schema: SCHEMA } },
      store: false,
    },
  },
  anthropic: {
    path: '/v1/messages',
    key: ['x-api-key', GOOD_KEY],
    body: {
      model: 'model-1',
      max_tokens: 80,
      temperature: 0.5,
      system: [{ type: 'text', text: 'You are a stagehand' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'text', text: 'What is it?' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'A moon.' }] },
        { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      ],
      tools: [{ name: 'json', description: 'Respond with a JSON object.', input_schema: SCHEMA }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    },
  },
  google: {
    path: '/v1beta/models/model-1:generateContent',
    key: ['x-goog-api-key', GOOD_KEY],
    body: {
      generationConfig: {
        maxOutputTokens: 80,
        temperature: 0.5,
        responseMimeType: 'application/json',
        responseJsonSchema: SCHEMA,
      },
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }, { text: 'What is it?' }],
        },
        { role: 'model', parts: [{ text: 'A moon.' }] },
        { role: 'user', parts: [{ text: 'When?' }] },
      ],
      systemInstruction: { parts: [{ text: 'You are a stagehand' }] },
    },
  },
  'openai-compatible': {
    path: '/v1/chat/completions',
    key: ['authorization', `Bearer ${GOOD_KEY}`],
    body: {
      model: 'model-1',
      max_tokens: 80,
      temperature: 0.5,
      response_format: { type: 'json_schema', json_schema: { schema: SCHEMA, strict: false, name: 'response' } },
      messages: [
        { role: 'system', content: 'You are a stagehand' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'text', text: 'What is it?' },
          ],
        },
        { role: 'assistant', content: 'A moon.' },
        { role: 'user', content: 'When?' },
      ],
    },
  },
}

const STREAM: Readonly<Record<Api, Omit<Sent, 'key'>>> = {
  openai: {
    path: '/v1/responses',
    body: {
      model: 'model-1',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Begin' }] }],
      store: false,
      stream: true,
    },
  },
  anthropic: {
    path: '/v1/messages',
    body: {
      model: 'model-1',
      max_tokens: 4096,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Begin' }] }],
      stream: true,
    },
  },
  google: {
    path: '/v1beta/models/model-1:streamGenerateContent?alt=sse',
    body: { generationConfig: {}, contents: [{ role: 'user', parts: [{ text: 'Begin' }] }] },
  },
  'openai-compatible': {
    path: '/v1/chat/completions',
    body: {
      model: 'model-1',
      messages: [{ role: 'user', content: 'Begin' }],
      stream: true,
      stream_options: { include_usage: true },
    },
  },
}

test.each<Api>(['openai', 'anthropic', 'google', 'openai-compatible'])('%s is asked in its own form', async (api) => {
  const { server, plugin } = await startScene(api)
  server.plan({ kind: 'answer', pieces: ['{"year":1599}'] })
  const answer = await callPlugin(plugin, 'ai_prompt', EVERYTHING)
  expect(answer.structuredContent).toEqual({ year: 1599 })
  await callPlugin(plugin, 'ai_prompt_stream', { prompt: 'Begin' })
  const [question, stream] = server.requests
  const { path, key, body } = QUESTION[api]
  expect([question?.path, question?.body]).toEqual([path, body])
  expect([stream?.path, stream?.body]).toEqual([STREAM[api].path, STREAM[api].body])
  for (const request of server.requests) expect(request.headers[key[0]]).toBe(key[1])
})

test('a model of Anthropic that writes objects by itself is given the schema and no tool', async () => {
  const { server, plugin } = await startScene('anthropic', { models: ['claude-sonnet-4-5'] })
  server.plan({ kind: 'answer', pieces: ['{"year":', '1599}'] })
  const answer = await callPlugin(plugin, 'ai_prompt', { prompt: 'When?', schema: SCHEMA })
  expect(answer.structuredContent).toEqual({ year: 1599 })
  const { body } = await server.request(0)
  expect(body.tools).toBeUndefined()
  expect(JSON.stringify(body)).toContain('"json_schema"')
})

test.each(['openai', 'claude', 'constructor'])(
  'a compatible server called %s is asked like any other',
  async (provider) => {
    const { server, plugin } = await startScene('openai-compatible', { provider })
    await callPlugin(plugin, 'ai_prompt_stream', { prompt: 'Begin' })
    expect((await server.request(0)).body).toEqual(STREAM['openai-compatible'].body)
  },
)

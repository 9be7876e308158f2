/** What a bridge asks of each kind of provider, and what it makes of the answers. */
import { describe, expect, test } from 'vitest'
import type { Progress } from '../../packages/callboard/src/plugins/plugin.ts'
import { callPlugin, startPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { APIS, bridgeTo, providerAt, startScene } from './ai-under-test.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.each(APIS)('through the API %s', (api) => {
  const provider = api === 'openai-compatible' ? 'ollama' : api

  test('a prompt is answered with the text, the usage and why it ended', async () => {
    const { server, plugin } = await startScene(api)
    const result = await callPlugin(plugin, 'ai_prompt', { prompt: 'Say hello' })
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Say hello' }],
      _meta: {
        'callboard/ai': { provider, model: 'model-1', finishReason: 'stop', usage: { input: 11, output: 7 } },
      },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('a stream tells each piece as it comes, and answers with the whole', async () => {
    const { server, plugin } = await startScene(api)
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    server.plan({ kind: 'answer', pieces: ['Once ', 'upon ', 'a time'], hold })
    const steps: Progress[] = []
    const result = await callPlugin(
      plugin,
      'ai_prompt_stream',
      { prompt: 'a story' },
      {
        onProgress: (step) => {
          steps.push(step)
          // The rest is not written before the first piece has arrived.
          release()
        },
      },
    )
    expect(steps).toEqual([
      { progress: 5, message: 'Once ', isPiece: true },
      { progress: 10, message: 'upon ', isPiece: true },
      { progress: 16, message: 'a time', isPiece: true },
    ])
    expect(textOf(result)).toBe('Once upon a time')
    expect(result._meta).toEqual({
      'callboard/ai': { provider, model: 'model-1', finishReason: 'stop', usage: { input: 11, output: 7 } },
    })
  })

  test('the system text, the messages, the model and the limits reach the provider', async () => {
    const { server, plugin } = await startScene(api, { maxTokens: 90 })
    await callPlugin(plugin, 'ai_prompt', {
      system: 'You are a stagehand',
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
        { role: 'user', content: 'three' },
      ],
      model: 'model-2',
      max_tokens: 80,
      temperature: 0.5,
    })
    const { body, path } = await server.request(0)
    const text = JSON.stringify(body)
    expect(text).toMatch(/You are a stagehand.*one.*two.*three|one.*two.*three.*You are a stagehand/)
    expect(`${path} ${body.model}`).toContain('model-2')
    const { generationConfig = {} } = body
    const flat: Record<string, unknown> = { ...body, ...Object(generationConfig) }
    expect(flat.max_tokens ?? flat.max_output_tokens ?? flat.maxOutputTokens).toBe(80)
    expect(flat.temperature).toBe(0.5)
    await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
    expect(JSON.stringify((await server.request(1)).body)).toContain('90')
  })

  test('an image reaches the provider as it was given', async () => {
    const { server, plugin } = await startScene(api)
    await callPlugin(plugin, 'ai_prompt', { prompt: 'What is it?', images: [{ data: PIXEL, mimeType: 'image/png' }] })
    const part = { type: 'image', data: PIXEL, mimeType: 'image/png' }
    await callPlugin(plugin, 'ai_prompt', {
      messages: [{ role: 'user', content: [part, { type: 'text', text: 'What is it?' }] }],
    })
    const [first, second] = server.requests
    expect(JSON.stringify(first?.body)).toContain(PIXEL)
    expect(JSON.stringify(first?.body)).toContain('image/png')
    expect(second?.body).toEqual(first?.body)
  })

  test('an object of a schema is the structured content', async () => {
    const { server, plugin } = await startScene(api)
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] }
    server.plan({ kind: 'answer', pieces: ['{"year":1599}'] })
    const result = await callPlugin(plugin, 'ai_prompt', { prompt: 'When?', schema })
    expect(result.structuredContent).toEqual({ year: 1599 })
    expect(JSON.parse(textOf(result))).toEqual({ year: 1599 })
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"year"')
  })

  test('an object that is not of the schema is an error that says so', async () => {
    const { server, plugin } = await startScene(api)
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] }
    server.plan({ kind: 'answer', pieces: ['{"year":"long ago"}'] })
    const result = await callPlugin(plugin, 'ai_prompt', { prompt: 'When?', schema })
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        'callboard/ai': { finishReason: 'stop', usage: { input: 11, output: 7 }, error: { kind: 'unreadable' } },
      },
    })
    expect(textOf(result)).toMatch(/did not write an object of the schema: .*year/)
  })

  test('an answer that its limit of tokens ended says so, and one that a filter held back is an error', async () => {
    const { server, plugin } = await startScene(api)
    server.plan({ kind: 'answer', finish: 'length' }, { kind: 'answer', finish: 'filter' })
    const cut = await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
    expect(cut._meta).toMatchObject({ 'callboard/ai': { finishReason: 'length' } })
    const filtered = await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
    expect(filtered).toMatchObject({
      isError: true,
      _meta: {
        'callboard/ai': { finishReason: 'content-filter', usage: { input: 11 }, error: { kind: 'content_filter' } },
      },
    })
  })
})

test('OpenAI is asked to store nothing', async () => {
  const { server, plugin } = await startScene('openai')
  await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
  expect(server.requests[0]?.body).toMatchObject({ store: false })
})

test('a provider without a key is asked without one', async () => {
  const { server } = await startScene('openai-compatible')
  const { apiKey: _, ...keyless } = providerAt(server, 'openai-compatible')
  const { plugin, host } = bridgeTo([keyless])
  await startPlugin(plugin, undefined, host)
  await callPlugin(plugin, 'ai_prompt', { prompt: 'x' })
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
  await plugin.stop()
})

test('the models are those of the config, the default first', async () => {
  const { plugin, server } = await startScene('anthropic', { maxTokens: 500 })
  const result = await callPlugin(plugin, 'ai_list_models')
  expect(result.structuredContent).toEqual({
    provider: 'anthropic',
    models: [
      { name: 'model-1', isDefault: true },
      { name: 'model-2', isDefault: false },
    ],
    images: true,
    maxTokens: 500,
  })
  expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
  expect(server.requests).toEqual([])
})

test.each([
  [{}, 'expected either `prompt` or `messages`'],
  [{ prompt: 'a', messages: [{ role: 'user', content: 'b' }] }, 'expected either `prompt` or `messages`'],
  [
    { messages: [{ role: 'user', content: 'b' }], images: [{ data: PIXEL, mimeType: 'image/png' }] },
    '`images` go with `prompt`',
  ],
  [
    { messages: [{ role: 'assistant', content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }] },
    'an image stands in a message of the user',
  ],
  [
    { prompt: 'a', images: [{ data: 'https://example.com/a.png', mimeType: 'image/png' }] },
    'expected an image in base64',
  ],
  [{ prompt: 'a', images: [{ data: PIXEL, mimeType: 'text/html' }] }, 'expected a type such as image/png'],
  [{ prompt: 'a', schema: { type: 'array' } }, '`schema` has to be of `type: object`'],
  [{ prompt: 'a', model: 'model-9' }, 'model: '],
  [{ prompt: 'a', max_tokens: 101 }, 'max_tokens: '],
])('the arguments %j are refused before anything is sent', async (args, message) => {
  const { plugin, server } = await startScene('openai', { maxTokens: 100 })
  await expect(callPlugin(plugin, 'ai_prompt', args)).rejects.toMatchObject({
    code: 'invalid_arguments',
    message: expect.stringContaining(message),
  })
  expect(server.requests).toEqual([])
})

test('a provider that takes no images is not described as if it did', async () => {
  const { plugin } = await startScene('openai-compatible', { images: false })
  expect(JSON.stringify(plugin.tools)).not.toContain('mimeType')
  await expect(
    callPlugin(plugin, 'ai_prompt', { prompt: 'a', images: [{ data: PIXEL, mimeType: 'image/png' }] }),
  ).rejects.toMatchObject({ code: 'invalid_arguments' })
})

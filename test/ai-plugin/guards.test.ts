/** What a provider can't do to a bridge: fill its memory, or send its prompts elsewhere. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../fixtures/model-server.ts'
import { callPlugin, textOf } from '../fixtures/plugin-calls.ts'
import { APIS, startScene } from './ai-under-test.ts'

describe.each(APIS)('through the API %s', (api) => {
  const provider = api === 'openai-compatible' ? 'ollama' : api

  test.each([
    ['ai_prompt', 'unreadable'],
    ['ai_prompt_stream', 'interrupted'],
  ])('an answer to %s without an end is cut at 16 MiB, and the provider is named', async (tool, kind) => {
    const scene = await startScene(api)
    scene.server.plan({ kind: 'endless', piece: 'x'.repeat(2 ** 18) })
    const result = await callPlugin(scene.plugin, tool, { prompt: 'x' })
    expect(result).toMatchObject({ isError: true, _meta: { 'callboard/ai': { error: { kind } } } })
    expect(textOf(result)).toContain(`${provider} (${kind}): `)
    expect(textOf(result)).toContain('it sent more than the 16 MiB that are read of an answer')
    await (await scene.server.request(0)).brokenOff
    expect(scene.server.requests).toHaveLength(1)
  })

  test('a large error is cut at 16 MiB', async () => {
    const scene = await startScene(api)
    scene.server.plan({ kind: 'status', status: 400, message: 'x'.repeat(17 * 2 ** 20) })
    const result = await callPlugin(scene.plugin, 'ai_prompt', { prompt: 'x' })
    expect(result).toMatchObject({ isError: true, _meta: { 'callboard/ai': { error: { kind: 'unreadable' } } } })
    expect(textOf(result)).toContain('16 MiB')
  })

  test.each(['ai_prompt', 'ai_prompt_stream'])('a redirect of %s is told, and no prompt goes there', async (tool) => {
    const scene = await startScene(api)
    const elsewhere = await startModelServer()
    onTestFinished(() => elsewhere[Symbol.asyncDispose]())
    const location = `${elsewhere.url}/chat/completions`
    scene.server.plan({ kind: 'status', status: 307, headers: { location: `${location}?key=abc` } })
    const result = await callPlugin(scene.plugin, tool, { prompt: 'private' })
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'callboard/ai': { error: { kind: 'unreadable', status: 307 } } },
    })
    scene.server.plan({ kind: 'status', status: 302, headers: { location: 'javascript:alert(1)' } })
    expect(textOf(await callPlugin(scene.plugin, tool, { prompt: 'x' }))).toContain('it redirects to another address,')
    scene.server.plan({ kind: 'status', status: 302 })
    expect(textOf(await callPlugin(scene.plugin, tool, { prompt: 'x' }))).toContain('it redirects to another address,')
    expect(textOf(result)).toBe(
      `${provider} (unreadable): status 307: it redirects to ${location}, which is not followed; ` +
        `set \`baseUrl\` of the plugin "bridge.test" to where ${provider} is to be asked`,
    )
    expect([scene.server.requests.length, elsewhere.requests.length]).toEqual([3, 0])
  })
})

test.each(['ai_prompt', 'ai_prompt_stream'])('Google can not have %s ask for more without an end', async (tool) => {
  const { server, plugin } = await startScene('google')
  const parts = [{ text: 'more ' }]
  const more = { candidates: [{ content: { parts }, finishReason: 'CONTINUATION', continuationToken: 'again' }] }
  const body = tool === 'ai_prompt' ? JSON.stringify(more) : `data: ${JSON.stringify(more)}\n\n`
  server.usually({ kind: 'raw', body, type: tool === 'ai_prompt' ? 'application/json' : 'text/event-stream' })
  const result = await callPlugin(plugin, tool, { prompt: 'x' })
  expect(textOf(result)).toContain('it wants to be asked more than 16 times for one answer')
  expect(server.requests).toHaveLength(16)
})

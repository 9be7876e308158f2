/** Bridges as a client of MCP has them, over stdio and HTTP and in both eras. */
import { describe, expect, test } from 'vitest'
import { GOOD_KEY } from '../fixtures/model-server.ts'
import { textOf } from '../gateway/callboard.ts'
import { bridgesTo, clientOf, siteOf, startServers, WAYS } from './ai-scene.ts'

describe.each(WAYS)('over %s, %s', (...way) => {
  test('three bridges are one tool, whose caller chooses the provider', async () => {
    const servers = await startServers()
    const client = await clientOf(siteOf(bridgesTo(servers), { ai: { default: 'openai' }, expose: 'all' }), way)
    const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })

    const { tools } = await client.listTools()
    const listed = tools.filter(({ name }) => name === 'ai_prompt')
    expect(listed).toHaveLength(1)
    expect(listed[0]?.inputSchema.properties).toMatchObject({
      provider: { enum: ['claude', 'ollama', 'openai'] },
      model: { anyOf: [{ enum: ['gpt-5'] }, { enum: ['claude-a', 'claude-b'] }, { enum: ['llama3.2'] }] },
    })

    expect(textOf(await call('ai_prompt', { prompt: 'to the default' }))).toBe('to the default')
    expect(textOf(await call('ai_prompt', { prompt: 'to Claude', provider: 'Claude' }))).toBe('to Claude')
    const through = { tool_name: 'ai_prompt', arguments: { prompt: 'to Ollama' }, provider: 'ollama' }
    const answer = await call('call_mcp_tool', through)
    expect(textOf(answer)).toBe('to Ollama')
    expect(answer._meta).toMatchObject({
      'callboard/ai': { provider: 'ollama', model: 'llama3.2', finishReason: 'stop', usage: { input: 11, output: 7 } },
    })
    expect(textOf(await call('plugin:bridge.claude:ai_prompt', { prompt: 'by name' }))).toBe('by name')
    expect([servers.openai, servers.claude, servers.ollama].map(({ requests }) => requests.length)).toEqual([1, 2, 1])

    const unknown = await call('ai_prompt', { prompt: 'x', provider: 'gemini' })
    expect(unknown.isError).toBe(true)
    expect(textOf(unknown)).toBe('"ai_prompt" has no provider "gemini"; choose one of claude, ollama, openai')
    const fixed = await call('call_mcp_tool', {
      tool_name: 'plugin:bridge.claude:ai_prompt',
      arguments: { prompt: 'x' },
      provider: 'openai',
    })
    expect(textOf(fixed)).toBe('"ai_prompt" has no provider "openai"; choose one of claude')
    const wrong = await call('ai_prompt', { prompt: 'x', provider: 'ollama', model: 'gpt-5' })
    expect(textOf(wrong)).toContain('invalid arguments for "ai_prompt": model: expected "llama3.2", got "gpt-5"')
  })

  test('the catalogue shows one entry, for each of its bridges, and the schema of each provider', async () => {
    const servers = await startServers()
    const client = await clientOf(siteOf(bridgesTo(servers), { ai: { default: 'claude' } }), way)
    const structured = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool({ name, arguments: args })
      return structuredContent
    }
    for (const plugin of ['bridge.openai', 'bridge.claude', 'bridge.ollama'])
      expect(await structured('list_mcp_tools', { plugin })).toMatchObject({
        total: 3,
        tools: [
          { name: 'ai_list_models', category: 'ai' },
          { name: 'ai_prompt', category: 'ai', pluginId: 'bridge.claude', providers: ['claude', 'ollama', 'openai'] },
          { name: 'ai_prompt_stream', category: 'stream', providers: ['claude', 'ollama', 'openai'] },
        ],
      })
    expect(await structured('search_mcp_tools', { query: 'translate with a language model' })).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'ai_prompt' })]),
    })
    const shown = await client.callTool({ name: 'get_mcp_tool', arguments: { tool_name: 'ai_prompt' } })
    expect(shown.structuredContent).toMatchObject({
      pluginId: 'bridge.claude',
      schema: { properties: { model: { enum: ['claude-a', 'claude-b'] }, images: {} } },
      offers: [
        { provider: 'claude', pluginId: 'bridge.claude' },
        {
          provider: 'ollama',
          namespacedName: 'plugin:bridge.ollama:ai_prompt',
          schema: { properties: { model: { enum: ['llama3.2'] } } },
        },
        { provider: 'openai', schema: { properties: { model: { enum: ['gpt-5'] } } } },
      ],
    })
    expect(textOf(shown)).toContain('Arguments with the provider ollama, which is `plugin:bridge.ollama:ai_prompt`:')
    expect(JSON.stringify(shown)).not.toContain(GOOD_KEY)
  })

  test('a stream is told piece by piece while it is written', async () => {
    const servers = await startServers()
    const client = await clientOf(siteOf(bridgesTo(servers)), way)
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    servers.claude.plan({ kind: 'answer', pieces: ['To be', ' or not', ' to be'], hold })
    const pieces: unknown[] = []
    const result = await client.callTool(
      { name: 'ai_prompt_stream', arguments: { prompt: 'x', provider: 'claude' } },
      {
        onprogress: ({ progress, message }) => {
          pieces.push([progress, message])
          release()
        },
      },
    )
    expect(pieces).toEqual([
      [5, 'To be'],
      [12, ' or not'],
      [18, ' to be'],
    ])
    expect(textOf(result)).toBe('To be or not to be')
  })

  test('a cancelled call ends its request at the provider', async () => {
    const servers = await startServers()
    const client = await clientOf(siteOf(bridgesTo(servers)), way)
    servers.openai.plan({ kind: 'hang', pieces: [] })
    const caller = new AbortController()
    const waiting = client.callTool(
      { name: 'ai_prompt', arguments: { prompt: 'x', provider: 'openai' } },
      { signal: caller.signal },
    )
    const { brokenOff } = await servers.openai.request(0)
    caller.abort()
    await expect(waiting).rejects.toThrow()
    await brokenOff
  })

  test('an object is the structured content, and what a provider refuses is an error of the tool', async () => {
    const servers = await startServers()
    const client = await clientOf(siteOf(bridgesTo(servers), { ai: { default: 'openai' } }), way)
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] }
    servers.openai.plan(
      { kind: 'answer', pieces: ['{"year":1599}'] },
      { kind: 'status', status: 400, message: 'prompt is too long', code: 'context_length_exceeded' },
    )
    const found = await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'When?', schema } })
    expect(found.structuredContent).toEqual({ year: 1599 })
    const refused = await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'x'.repeat(1_000) } })
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'callboard/ai': { provider: 'openai', error: { kind: 'context_too_long', status: 400 } } },
    })
    expect(textOf(refused)).toBe(
      'openai (the context is too long): status 400: prompt is too long; shorten the messages, or try a model that takes more',
    )
  })

  test('a call that its provider does not answer ends with its time', async () => {
    const servers = await startServers()
    const { 'bridge.ollama': ollama } = bridgesTo(servers)
    const client = await clientOf(siteOf({ 'bridge.ollama': { ...ollama, timeout: '2s' } }), way)
    servers.ollama.plan({ kind: 'hang', pieces: [] })
    const result = await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'x' } })
    expect(textOf(result)).toBe('"ai_prompt" gave no answer and no progress for 2 s')
    await (await servers.ollama.request(0)).brokenOff
  })
})

test('one bridge that is served alone has its own tools, under their own names', async () => {
  const servers = await startServers()
  const site = siteOf(bridgesTo(servers), { ai: { default: 'openai' } })
  const client = await clientOf({ ...site, stdio: [...site.stdio, '--only', 'bridge.ollama'] }, ['stdio', 'modern'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['ai_list_models', 'ai_prompt', 'ai_prompt_stream'])
  expect(tools[1]?.inputSchema.properties).toMatchObject({
    model: { enum: ['llama3.2'] },
    provider: { enum: ['ollama'] },
  })
  expect(textOf(await client.callTool({ name: 'ai_prompt', arguments: { prompt: 'only' } }))).toBe('only')
  expect(servers.ollama.requests).toHaveLength(1)
})

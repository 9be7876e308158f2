/** What a client sees of `createMcpServer` in both eras, down to the wire. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { CallboardError, UpstreamError } from '../../packages/callboard/src/errors.ts'
import { createMcpServer } from '../../packages/callboard/src/surfaces/mcp/mcp-server.ts'
import type { McpServerOptions } from '../../packages/callboard/src/surfaces/mcp/mcp-server-options.ts'
import { type HostDouble, hostDouble, ScriptedPlugin, type ScriptedTool } from './host-double.ts'
import { type Answer, legacyClient, modernRequest, type RawClient } from './raw-client.ts'

const FOUR = ['call_mcp_tool', 'get_mcp_tool', 'list_mcp_tools', 'search_mcp_tools']

type Options = Partial<McpServerOptions>

async function legacy(double: HostDouble, options: Options = {}): Promise<RawClient & { initialized: Answer }> {
  const server = createMcpServer(double.host, { user: 'owner', era: 'legacy', expose: 'catalog', ...options })
  const client = await legacyClient(server)
  onTestFinished(() => client.close())
  return client
}

function modern(double: HostDouble, method: string, params = {}, options: Options = {}) {
  const make = () => createMcpServer(double.host, { user: 'owner', era: 'modern', expose: 'catalog', ...options })
  return modernRequest(make, method, params)
}

async function withTools(...tools: readonly ScriptedTool[]): Promise<HostDouble> {
  return hostDouble([new ScriptedPlugin('lab', tools)])
}

/** Both eras answer this request so. */
async function inBothEras(
  double: HostDouble,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: Options = {},
): Promise<readonly [legacy: Answer, modern: Answer]> {
  const client = await legacy(double, options)
  return [await client.request(method, params), await modern(double, method, params, options)]
}

function names(answer: Answer): unknown {
  const tools = answer.result?.tools
  return Array.isArray(tools) ? tools.map((tool) => tool.name) : tools
}

describe('tools/list', () => {
  it('shows the four with expose catalog, in both eras', async () => {
    for (const answer of await inBothEras(await withTools({ name: 'a' }), 'tools/list', {})) {
      expect(names(answer)).toEqual(FOUR)
    }
  })

  it('shows every tool of the view in order of name with expose all', async () => {
    const double = await withTools({ name: 'zeta' }, { name: 'Alpha' })
    for (const answer of await inBothEras(double, 'tools/list', {}, { expose: 'all' })) {
      expect(names(answer)).toEqual(['call_mcp_tool', 'get_mcp_tool', 'lab_Alpha', 'lab_zeta', ...FOUR.slice(2)])
    }
  })

  it('shows the four and what matches with patterns on public names', async () => {
    const double = await withTools({ name: 'read' }, { name: 'write' })
    const [answer] = await inBothEras(double, 'tools/list', {}, { expose: ['*_read'] })
    expect(names(answer)).toEqual(['call_mcp_tool', 'get_mcp_tool', 'lab_read', 'list_mcp_tools', 'search_mcp_tools'])
  })

  it('shows one plugin under its own names and nothing else with only', async () => {
    const double = await hostDouble([
      new ScriptedPlugin('lab', [{ name: 'odd name/ü' }, { name: 'a' }]),
      new ScriptedPlugin('other', [{ name: 'b' }]),
    ])
    for (const answer of await inBothEras(double, 'tools/list', {}, { only: 'lab' })) {
      expect(names(answer)).toEqual(['a', 'odd name/ü'])
    }
  })

  it('passes a tool on as its server listed it, under its public name', async () => {
    const listed = {
      name: 'draw',
      title: 'Draw',
      description: 'Draws',
      icons: [{ src: 'https://example.com/i.png' }],
      inputSchema: { type: 'object', 'x-order': ['b', 'a'], properties: { b: {}, a: {} } },
      outputSchema: { type: 'object', properties: { url: { type: 'string' } } },
      annotations: { readOnlyHint: true, 'x-cost': 3 },
      _meta: { 'com.example/group': 'art' },
      'x-later': { deep: [1, null] },
    }
    const double = await withTools({ name: 'draw', description: 'Draws', outputSchema: listed.outputSchema, listed })
    for (const { result } of await inBothEras(double, 'tools/list', {}, { expose: ['lab_*'] })) {
      const tools = result?.tools
      expect(JSON.stringify(Array.isArray(tools) ? tools[2] : tools)).toBe(
        JSON.stringify({ ...listed, name: 'lab_draw' }),
      )
    }
  })

  it('says every hint outright of a tool that no MCP server listed', async () => {
    const client = await legacy(await withTools())
    const { result } = await client.request('tools/list')
    expect(result?.tools).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'list_mcp_tools',
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        }),
        expect.objectContaining({
          name: 'call_mcp_tool',
          annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
        }),
      ]),
    )
  })

  it('announces an output schema for the three that look, and none for call_mcp_tool', async () => {
    const { result } = await modern(await withTools(), 'tools/list')
    const tools = Array.isArray(result?.tools) ? result.tools : []
    expect(tools.filter((tool) => 'outputSchema' in tool).map((tool) => tool.name)).toEqual(FOUR.slice(1))
  })

  it('gives a schema of no type the type that clients insist on', async () => {
    const double = await withTools({ name: 'a', inputSchema: { properties: { b: {} } } }, { name: 'c' })
    const { result } = await modern(double, 'tools/list', {}, { only: 'lab' })
    expect(result?.tools).toMatchObject([
      { inputSchema: { type: 'object', properties: { b: {} } } },
      { inputSchema: { type: 'object' } },
    ])
  })

  it('names the plugins behind the search, and no plugin that the view does not have', async () => {
    const client = await legacy(await withTools({ name: 'a' }))
    const { result } = await client.request('tools/list')
    expect(JSON.stringify(result)).toContain('Tools of these plugins are here: lab.')
    const bare = await legacy(await hostDouble([]))
    expect(JSON.stringify(await bare.request('tools/list'))).not.toContain('these plugins')
  })

  it('tells a modern client how long the list is good for, and that it is its own', async () => {
    const { result } = await modern(await withTools(), 'tools/list')
    expect(result).toMatchObject({ ttlMs: 5000, cacheScope: 'private', resultType: 'complete' })
  })
})

describe('a plugin that starts for the first time', () => {
  const status = { id: 'lab', kind: 'mcp', since: 0 } as const
  const lab = new ScriptedPlugin('lab', [{ name: 'echo', run: () => ({ content: [] }) }])

  async function starting(): Promise<HostDouble> {
    const double = await hostDouble([])
    double.setStatus([{ ...status, state: 'starting', tools: 0 }])
    return double
  }

  it('is waited for by a client that has it alone', async () => {
    const double = await starting()
    const client = await legacy(double, { only: 'lab' })
    const listed = client.request('tools/list')
    const called = client.request('tools/call', { name: 'echo' })
    await expect.poll(() => double.listeners()).toBe(2)
    double.setStatus([{ ...status, state: 'up', tools: 1 }])
    double.setPlugins([lab])
    expect(names(await listed)).toEqual(['echo'])
    expect((await called).result).toEqual({ content: [] })
  })

  it('holds up nobody else', async () => {
    const client = await legacy(await starting(), { expose: 'all' })
    expect(names(await client.request('tools/list'))).toEqual(FOUR)
  })

  it('is waited for no longer when the request is cancelled', async () => {
    const double = await starting()
    const client = await legacy(double, { only: 'lab' })
    const requestId = await client.post('tools/list')
    await expect.poll(() => double.listeners()).toBe(1)
    await client.notify('notifications/cancelled', { requestId })
    await client.request('ping')
    await client.close()
    expect(double.listeners()).toBe(0)
  })
})

describe('pages of tools/list', () => {
  const many = Array.from({ length: 600 }, (_, index) => ({ name: `t${String(index).padStart(3, '0')}` }))

  async function pages(client: RawClient, between?: (page: number) => void): Promise<string[]> {
    const seen: string[] = []
    let cursor: unknown
    for (let page = 1; page < 10; page += 1) {
      const answer = await client.request('tools/list', cursor === undefined ? {} : { cursor })
      const tools = answer.result?.tools
      if (Array.isArray(tools)) seen.push(...tools.map((tool) => String(tool.name)))
      cursor = answer.result?.nextCursor
      if (cursor === undefined) return seen
      between?.(page)
    }
    throw new Error('the list does not end')
  }

  it('are followed by opaque cursors to every tool, each once', async () => {
    const client = await legacy(await withTools(...many), { only: 'lab' })
    expect(await pages(client)).toEqual(many.map(({ name }) => name))
  })

  it('neither skip nor repeat what stays when the list changes between two of them', async () => {
    const double = await withTools(...many)
    const client = await legacy(double, { only: 'lab' })
    // The last tool of the first page goes and one comes before it.
    const changed = [{ name: 'a' }, ...many.filter(({ name }) => name !== 't249')]
    const seen = await pages(client, (page) => {
      if (page === 1) double.setPlugins([new ScriptedPlugin('lab', changed)])
    })
    expect(seen).toEqual(many.map(({ name }) => name))
  })

  it('refuse a cursor that this server did not give', async () => {
    for (const cursor of ['', 'x', 'bm9uc2Vuc2U', Buffer.from('{"after":1}').toString('base64url'), 7]) {
      for (const { error } of await inBothEras(await withTools(), 'tools/list', { cursor })) {
        expect(error?.code).toBe(-32602)
      }
    }
  })
})

describe('tools/call', () => {
  it('passes a result on byte for byte, whatever it holds', async () => {
    const odd = {
      content: [
        { type: 'hologram', frames: [{ 'x-y': 1 }], annotations: { audience: ['nobody'] } },
        { type: 'text', text: 'ü\u2028\u0000', extra: null },
        { type: 'image' },
      ],
      structuredContent: { b: 1, a: [null, { z: 0.1 }] },
      isError: false,
      'x-unknown': { deep: [[]] },
      _meta: { 'com.example/trace': 'abc', progressToken: 'mine' },
    }
    const double = await withTools({ name: 'odd', run: () => odd })
    const [old, now] = await inBothEras(double, 'tools/call', { name: 'lab_odd' })
    expect(JSON.stringify(old.result)).toBe(JSON.stringify(odd))
    const { resultType, _meta, ...rest } = now.result ?? {}
    expect(resultType).toBe('complete')
    expect(_meta).toMatchObject(odd._meta)
    const { _meta: _, ...expected } = odd
    expect(JSON.stringify(rest)).toBe(JSON.stringify(expected))
  })

  it('passes a result through call_mcp_tool byte for byte', async () => {
    const odd = {
      content: [{ type: 'hologram' }],
      structuredContent: { a: 1 },
      isError: true,
      'x-unknown': 1,
      _meta: { k: 'v' },
    }
    const double = await withTools({ name: 'odd', run: () => odd })
    const client = await legacy(double)
    const { result } = await client.request('tools/call', {
      name: 'call_mcp_tool',
      arguments: { tool_name: 'lab_odd' },
    })
    expect(JSON.stringify(result)).toBe(JSON.stringify(odd))
  })

  it('takes the public and the namespaced name, listed or not', async () => {
    const double = await withTools({ name: 'echo', run: ({ arguments: args }) => ({ content: [], got: args }) })
    for (const name of ['lab_echo', 'plugin:lab:echo']) {
      for (const { result } of await inBothEras(double, 'tools/call', { name, arguments: { a: 1 } })) {
        expect(result).toMatchObject({ got: { a: 1 } })
      }
    }
  })

  it('takes only the declared name with only', async () => {
    const double = await hostDouble([
      new ScriptedPlugin('lab', [{ name: 'echo', run: () => ({ content: [] }) }]),
      new ScriptedPlugin('other', [{ name: 'b' }]),
    ])
    const client = await legacy(double, { only: 'lab' })
    expect((await client.request('tools/call', { name: 'echo' })).result).toEqual({ content: [] })
    for (const name of ['lab_echo', 'plugin:lab:echo', 'b', 'other_b', 'list_mcp_tools']) {
      expect((await client.request('tools/call', { name })).error?.code).toBe(-32602)
    }
  })

  it('answers an unknown tool with -32602 in both eras', async () => {
    for (const { error } of await inBothEras(await withTools(), 'tools/call', { name: 'nope' })) {
      expect(error).toEqual({ code: -32602, message: 'no tool named "nope"' })
    }
  })

  it('answers an unknown tool inside call_mcp_tool with a result that says so', async () => {
    const params = { name: 'call_mcp_tool', arguments: { tool_name: 'nope' } }
    for (const { result } of await inBothEras(await withTools(), 'tools/call', params)) {
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'no tool named "nope"' }] })
    }
  })

  it('refuses a request without a name or with arguments that are no object', async () => {
    for (const params of [{}, { name: 7 }, { name: 'lab_a', arguments: [] }, { name: 'lab_a', arguments: 'x' }]) {
      const client = await legacy(await withTools({ name: 'a' }))
      expect((await client.request('tools/call', params)).error?.code).toBe(-32602)
    }
  })

  it('passes the JSON-RPC error of a server on with its code, message and data', async () => {
    const run = () => {
      throw new UpstreamError(-32050, 'quota spent', { retry: [1, { s: 2 }] })
    }
    const double = await withTools({ name: 'fail', run })
    for (const params of [{ name: 'lab_fail' }, { name: 'call_mcp_tool', arguments: { tool_name: 'lab_fail' } }]) {
      for (const { error } of await inBothEras(double, 'tools/call', params)) {
        expect(error).toEqual({ code: -32050, message: 'quota spent', data: { retry: [1, { s: 2 }] } })
      }
    }
  })

  it.each([
    [-32002, -32602],
    [-32042, -32603],
  ])('answers %i as it is to the era that has it, as %i to the one that has retired it', async (code, instead) => {
    const run = () => {
      throw new UpstreamError(code, 'gone', { uri: 'x:' })
    }
    const answers = await inBothEras(await withTools({ name: 'f', run }), 'tools/call', { name: 'lab_f' })
    const rest = { message: 'gone', data: { uri: 'x:' } }
    expect(answers.map(({ error }) => error)).toEqual([
      { code, ...rest },
      { code: instead, ...rest },
    ])
  })

  it('shows the model what it can act on, as a result with isError', async () => {
    for (const code of ['invalid_arguments', 'denied', 'unavailable', 'timeout', 'tool_failed', 'cancelled'] as const) {
      const run = () => {
        throw new CallboardError(code, `it was ${code}`)
      }
      const client = await legacy(await withTools({ name: 'f', run }))
      const { result } = await client.request('tools/call', { name: 'lab_f' })
      expect(result).toEqual({ content: [{ type: 'text', text: `it was ${code}` }], isError: true })
    }
  })

  it('answers a fault of the host with -32603, and says why in the log alone', async () => {
    const run = () => {
      throw new TypeError('cannot read hunter22')
    }
    const double = await withTools({ name: 'f', run })
    double.host.secrets.add('hunter22')
    const client = await legacy(double)
    const { error } = await client.request('tools/call', { name: 'lab_f' })
    expect(error).toEqual({ code: -32603, message: 'internal error; see the log of the callboard' })
  })

  it.each([
    ['as they are', { sent: 'hunter22', at: [1] }, { sent: '[secret]', at: [1] }],
    ['as a text where they are no JSON any more', { pin: 220022 }, '{"pin":[secret]}'],
  ])('keeps the secrets of the host out of the errors of a server, whose data stay %s', async (_, sent, data) => {
    const run = () => {
      throw new UpstreamError(-32050, 'key hunter22 is bad', sent)
    }
    const double = await withTools({ name: 'f', run })
    for (const secret of ['hunter22', '220022']) double.host.secrets.add(secret)
    const client = await legacy(double)
    const { error } = await client.request('tools/call', { name: 'lab_f' })
    expect(error).toEqual({ code: -32050, message: 'key [secret] is bad', data })
  })

  it('passes _meta on without what belongs to this connection', async () => {
    const double = await withTools({ name: 'm', run: () => ({ content: [] }) })
    const _meta = {
      progressToken: 't',
      traceparent: '00-1',
      'com.example/x': 1,
      'io.modelcontextprotocol/related-task': { taskId: 'x' },
    }
    await inBothEras(double, 'tools/call', { name: 'lab_m', _meta })
    expect(double.requests.map(({ meta }) => meta)).toEqual(Array(2).fill({ traceparent: '00-1', 'com.example/x': 1 }))
  })

  it('runs as the acting user', async () => {
    const double = await withTools({ name: 'm' })
    const client = await legacy(double, { user: 'ana' })
    await client.request('tools/call', { name: 'lab_m' })
    expect(double.requests[0]).toMatchObject({ user: 'ana', surface: 'mcp' })
  })
})

describe('structured content that is no object', () => {
  const outputSchema = { type: 'array', items: { type: 'number' } }
  const listed = { name: 'n', inputSchema: { type: 'object' }, outputSchema }
  const run = () => ({ content: [], structuredContent: [1, 2] })

  it('is wrapped for a legacy client as the list announces it, and left alone for a modern one', async () => {
    const double = await withTools({ name: 'n', outputSchema, listed, run })
    const options: Options = { expose: 'all' }
    const [list] = await inBothEras(double, 'tools/list', {}, options)
    expect(JSON.stringify(list.result)).toContain(`"properties":{"result":${JSON.stringify(outputSchema)}}`)
    const [old, now] = await inBothEras(double, 'tools/call', { name: 'lab_n' }, options)
    expect(old.result?.structuredContent).toEqual({ result: [1, 2] })
    expect(now.result?.structuredContent).toEqual([1, 2])
  })

  it('is wrapped through call_mcp_tool too, because a legacy client refuses anything else', async () => {
    const double = await withTools({ name: 'n', outputSchema, listed, run })
    const params = { name: 'call_mcp_tool', arguments: { tool_name: 'lab_n' } }
    const [old, now] = await inBothEras(double, 'tools/call', params)
    expect(old.result?.structuredContent).toEqual({ result: [1, 2] })
    expect(now.result?.structuredContent).toEqual([1, 2])
  })

  it('wraps an object only where its tool is listed with a schema that is wrapped', async () => {
    const anyOf = { anyOf: [{ type: 'object' }, { type: 'array' }] }
    const double = await withTools({
      name: 'o',
      outputSchema: anyOf,
      listed: { ...listed, name: 'o', outputSchema: anyOf },
      run: () => ({ content: [], structuredContent: { a: 1 } }),
    })
    const call = { name: 'lab_o' }
    const [shown] = await inBothEras(double, 'tools/call', call, { expose: 'all' })
    expect(shown.result?.structuredContent).toEqual({ result: { a: 1 } })
    const [hidden] = await inBothEras(double, 'tools/call', call, { expose: 'catalog' })
    expect(hidden.result?.structuredContent).toEqual({ a: 1 })
  })
})

describe('progress and cancellation', () => {
  const steps: ScriptedTool = {
    name: 'steps',
    run: ({ onProgress }) => {
      for (const progress of [1, 2, 3]) onProgress?.({ progress, total: 3, message: `step ${progress}` })
      return { content: [] }
    },
  }
  const expected = [1, 2, 3].map((progress) => ({
    progressToken: 'mine',
    progress,
    total: 3,
    message: `step ${progress}`,
  }))

  it('reaches the client under its own token in both eras, directly and through call_mcp_tool', async () => {
    for (const params of [{ name: 'lab_steps' }, { name: 'call_mcp_tool', arguments: { tool_name: 'lab_steps' } }]) {
      const asked = { ...params, _meta: { progressToken: 'mine' } }
      const double = await withTools(steps)
      const client = await legacy(double)
      await client.request('tools/call', asked)
      expect(client.notifications.map((notification) => notification.params)).toEqual(expected)
      const { notifications } = await modern(double, 'tools/call', asked)
      expect(notifications.map((notification) => notification.params)).toEqual(expected)
    }
  })

  it('is sent without the secrets of the host', async () => {
    const run: ScriptedTool['run'] = ({ onProgress }) => {
      onProgress?.({ progress: 1, message: 'logged in with hunter22' })
      return { content: [] }
    }
    const double = await withTools({ name: 's', run })
    double.host.secrets.add('hunter22')
    const client = await legacy(double)
    await client.request('tools/call', { name: 'lab_s', _meta: { progressToken: 1 } })
    expect(client.notifications[0]?.params).toEqual({
      progressToken: 1,
      progress: 1,
      message: 'logged in with [secret]',
    })
  })

  it('is not sent to a client that did not ask', async () => {
    const client = await legacy(await withTools(steps))
    await client.request('tools/call', { name: 'lab_steps' })
    expect(client.notifications).toEqual([])
  })

  it('aborts the signal of the call when the client cancels', async () => {
    const started = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<unknown>()
    const run: ScriptedTool['run'] = ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        started.resolve()
      })
    const client = await legacy(await withTools({ name: 'wait', run }))
    const requestId = await client.post('tools/call', { name: 'call_mcp_tool', arguments: { tool_name: 'lab_wait' } })
    await started.promise
    await client.notify('notifications/cancelled', { requestId, reason: 'enough' })
    expect(await aborted.promise).toBe('enough')
  })
})

describe('a log message of a call', () => {
  it('is sent without the secrets of the host', async () => {
    const says = (data: unknown): ScriptedTool => ({
      name: `say-${typeof data}`,
      run: ({ log }) => {
        log?.write({ level: 'warning', logger: 'lab', data })
        return { content: [] }
      },
    })
    const double = await hostDouble([
      new ScriptedPlugin('lab', [says('key hunter22'), says({ key: 'hunter22' }), says(3)]),
    ])
    double.host.secrets.add('hunter22')
    const client = await legacy(double)
    for (const kind of ['string', 'object', 'number']) await client.request('tools/call', { name: `lab_say-${kind}` })
    expect(client.notifications.map(({ params }) => params?.data)).toEqual(['key [secret]', '{"key":"[secret]"}', 3])
  })
})

describe('tools/list_changed', () => {
  const lab = (...tools: string[]) =>
    new ScriptedPlugin(
      'lab',
      tools.map((name) => ({ name })),
    )

  it('tells a client that has listed when its list is another', async () => {
    const double = await hostDouble([lab('a')])
    const client = await legacy(double, { expose: 'all' })
    await client.request('tools/list')
    double.setPlugins([lab('a', 'b')])
    await client.heard('notifications/tools/list_changed')
  })

  it('says nothing of a change that this client cannot see', async () => {
    const double = await hostDouble([lab('a')])
    const narrow = await legacy(double, { expose: 'catalog' })
    const wide = await legacy(double, { expose: 'all' })
    await narrow.request('tools/list')
    await wide.request('tools/list')
    double.setPlugins([lab('a', 'b')])
    await wide.heard('notifications/tools/list_changed')
    expect(narrow.notifications).toEqual([])
  })

  it('stops listening when the client has gone', async () => {
    const double = await hostDouble([lab('a')])
    const client = await legacy(double)
    await client.request('tools/list')
    expect(double.listeners()).toBe(1)
    await client.close()
    await modern(double, 'tools/list')
    expect(double.listeners()).toBe(0)
  })
})

describe('the handshake', () => {
  it('tells a legacy client who it is and how to use the four', async () => {
    const { initialized } = await legacy(await withTools())
    expect(initialized.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'callboard', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      instructions: expect.stringContaining('search_mcp_tools'),
    })
  })

  it('tells a modern client the same by server/discover', async () => {
    const { result } = await modern(await withTools(), 'server/discover')
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: expect.stringContaining('search_mcp_tools'),
    })
  })

  it('does not speak of the four with only', async () => {
    const { initialized } = await legacy(await withTools(), { only: 'lab' })
    expect(initialized.result).not.toHaveProperty('instructions')
  })

  it('answers a method it does not have as the protocol asks', async () => {
    const client = await legacy(await withTools())
    await client.request('tools/call', { name: 'lab_x' })
    expect((await client.request('prompts/list')).error).toEqual({ code: -32601, message: 'Method not found' })
    const answer = await modern(await withTools(), 'prompts/list')
    expect(answer).toMatchObject({ status: 404, error: { code: -32601 } })
  })
})

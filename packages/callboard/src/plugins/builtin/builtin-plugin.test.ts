import type { ToolDefinition } from '@callboard/sdk'
import { describe, expect, it } from 'vitest'
import { createCatalogView } from '../../catalog/catalog-view.ts'
import { CatalogSnapshot } from '../../catalog/snapshot.ts'
import { CallboardError, UpstreamError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { Secrets } from '../../secrets.ts'
import type { PluginHealth, PluginHost, ToolCall, ToolResult } from '../plugin.ts'
import { BUILTIN_NAMES, BuiltinPlugin } from './builtin-plugin.ts'

type Tool = Omit<ToolDefinition, 'action'> & { readonly providers?: readonly string[] }

const echo: Tool = {
  package: 'lab',
  name: 'echo',
  title: 'Echo',
  description: 'Says it again',
  readOnly: true,
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  outputSchema: { type: 'object', properties: { said: { type: 'string' } } },
}

interface Inner {
  readonly name: string
  readonly args: unknown
  readonly options: unknown
}

interface Stage {
  readonly plugin: BuiltinPlugin
  readonly inner: readonly Inner[]
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<ToolResult>
}

/** The plugin, started, in front of these tools; calls of other tools end in `answer`. */
async function stage(
  tools: readonly Tool[],
  answer: () => Promise<ToolResult> = missing,
  health?: PluginHealth,
): Promise<Stage> {
  const plugin = new BuiltinPlugin()
  const put = [...tools, ...plugin.tools].map((tool: Tool) => ({
    definition: { action: tool.name, ...tool },
    entry: {
      name: tool.name,
      description: tool.description ?? '',
      pluginId: tool.package,
      category: 'external' as const,
      providers: tool.providers ?? [],
      namespacedName: `plugin:${tool.package}:${tool.name}`,
      declaredName: tool.name,
      ...(tool.title !== undefined && { title: tool.title }),
    },
  }))
  const catalog = createCatalogView(CatalogSnapshot.empty.with({ put }))
  const inner: Inner[] = []
  const host: PluginHost = {
    log: createLog(new Secrets(), 'silent'),
    view: async () => catalog,
    healthOf: () => health,
    storage: { get: () => undefined, set: () => undefined },
    call: (_, name, args, options) => {
      inner.push({ name, args, options })
      return answer()
    },
  }
  await plugin.start(host)
  const call = (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> => {
    const definition = plugin.tools.find((tool) => tool.name === name)
    if (!definition) throw new Error(`no ${name}`)
    const { signal } = new AbortController()
    const request: ToolCall = { definition, arguments: args, user: 'owner', surface: 'mcp', signal, catalog }
    return plugin.call(request)
  }
  return { plugin, inner, call }
}

async function missing(): Promise<ToolResult> {
  throw new CallboardError('not_found', 'no tool named "ecko"; did you mean "echo"?')
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => String(block.text)).join('\n')
}

function numbered(count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => ({ package: 'many', name: `t${String(index).padStart(3, '0')}` }))
}

describe('list_mcp_tools', () => {
  it('answers a page in order of name, the total, the next offset and the plugin ids, as text and as data', async () => {
    const { call } = await stage([...numbered(60), echo])
    const result = await call('list_mcp_tools', { plugin: 'many', offset: 10 })
    expect(result.structuredContent).toMatchObject({
      total: 60,
      offset: 10,
      limit: 50,
      pluginIds: ['callboard', 'lab', 'many'],
      tools: { length: 50, 0: { name: 't010', pluginId: 'many' } },
    })
    expect(result.structuredContent).not.toHaveProperty('nextOffset')
    const next = await call('list_mcp_tools', { plugin: 'many' })
    expect(next.structuredContent).toMatchObject({ nextOffset: 50 })
    expect(textOf(next)).toContain('Tools 1 to 50 of 60. The next page begins at offset 50.')
    expect(textOf(next)).toContain('Plugins: callboard, lab, many')
  })

  it.each([
    [{ limit: 500 }, { limit: 200, offset: 0 }, 'limit 500 '],
    [{ limit: 0 }, { limit: 50, offset: 0 }, 'limit 0 '],
    [{ limit: -3 }, { limit: 50, offset: 0 }, 'limit -3 '],
    [{ offset: -7 }, { limit: 50, offset: 0 }, 'offset -7 '],
  ])('brings %o into its range and says so', async (args, expected, note) => {
    const result = await (await stage(numbered(250))).call('list_mcp_tools', args)
    expect(result.structuredContent).toMatchObject({ ...expected, notes: [expect.stringContaining(note)] })
    expect(textOf(result)).toContain(note)
    expect(result.isError).toBeUndefined()
  })

  it('keeps its input schema open to every whole number, so that a check of it does not come first', async () => {
    const { plugin } = await stage([])
    expect(JSON.stringify(plugin.tools.map((tool) => tool.inputSchema))).not.toMatch(/minimum|maximum|minLength/i)
  })

  it('is empty past the end and for a plugin that is not there', async () => {
    const { call } = await stage([echo])
    expect((await call('list_mcp_tools', { offset: 99 })).structuredContent).toMatchObject({ tools: [], total: 5 })
    const unknown = await call('list_mcp_tools', { plugin: 'nope' })
    expect(unknown.structuredContent).toMatchObject({ tools: [], total: 0 })
    expect(textOf(unknown)).toContain('Plugins: callboard, lab')
  })

  it('escapes cells, folds lines and cuts descriptions at a whole character', async () => {
    const family = '👨‍👩‍👧‍👦'
    const { call } = await stage([{ package: 'lab', name: 'x', description: `a | b \\ c\nd\t${family.repeat(300)}` }])
    const result = await call('list_mcp_tools', { plugin: 'lab' })
    const row = textOf(result)
      .split('\n')
      .find((line) => line.includes('`x`'))
    const kept = family.repeat(160 - 'a | b \\ c d …'.length)
    expect(row).toBe(`| \`x\` | lab | external |  | a \\| b \\\\ c d ${kept}… |`)
    expect(result.structuredContent).toMatchObject({ tools: [{ description: `a | b \\ c d ${kept}…` }] })
  })

  it('refuses wrong types in words that say what would be right', async () => {
    const { call } = await stage([])
    await expect(call('list_mcp_tools', { limit: 'ten' })).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: 'argument "limit" must be a whole number, not a value of type string',
    })
    await expect(call('list_mcp_tools', { limit: 1.5 })).rejects.toMatchObject({ code: 'invalid_arguments' })
    await expect(call('list_mcp_tools', { plugin: null })).rejects.toThrow(
      'argument "plugin" must be a string, not null',
    )
  })
})

describe('search_mcp_tools', () => {
  it('answers ranked hits with their required arguments, and the number of all matches', async () => {
    const { call } = await stage([
      echo,
      { package: 'lab', name: 'echo_twice', args: [{ name: 'n', type: 'integer', required: true }] },
    ])
    const result = await call('search_mcp_tools', { query: ' echo ', limit: 1, plugin: 'lab' })
    expect(result.structuredContent).toMatchObject({
      total: 2,
      nextOffset: 1,
      tools: [{ name: 'echo', required: ['message'], description: 'Says it again' }],
    })
    expect(textOf(result)).toContain('Matches for "echo", best first: 1 to 1 of 2. The next page begins at offset 1.')
    const second = await call('search_mcp_tools', { query: 'echo', offset: 1, plugin: 'lab' })
    expect(second.structuredContent).toMatchObject({ tools: [{ name: 'echo_twice', required: ['n'] }] })
  })

  it('names the first of many required arguments and counts the rest', async () => {
    const required = Array.from({ length: 20_000 }, (_, index) => `argument_${index}`)
    const { call } = await stage([
      { ...echo, inputSchema: { type: 'object', required: ['x'.repeat(1_000), ...required] } },
    ])
    const result = await call('search_mcp_tools', { query: 'echo', limit: 1 })
    expect(JSON.stringify(result).length).toBeLessThan(2_500)
    expect(result.structuredContent).toMatchObject({ tools: [{ required: { length: 20 }, moreRequired: 19_981 }] })
    expect(textOf(result)).toContain('argument_18 and 19981 more |')
  })

  it('narrows to a plugin and to a category', async () => {
    const { call } = await stage([echo, { ...echo, package: 'other', name: 'echo2' }])
    const found = await call('search_mcp_tools', { query: 'echo', plugin: 'other', category: 'external' })
    expect(found.structuredContent).toMatchObject({ total: 1, tools: [{ name: 'echo2' }] })
    const none = await call('search_mcp_tools', { query: 'echo', category: 'ai' })
    expect(none.structuredContent).toMatchObject({ total: 0, tools: [] })
    expect(textOf(none)).toContain('Nothing matches "echo"')
  })

  it('says so where nothing matches well, shows a few and names the plugins that come nearest', async () => {
    const mails = Array.from({ length: 12 }, (_, i) => ({ ...echo, package: 'mail', name: `send_mail_${i}` }))
    const { call } = await stage([echo, ...mails])
    const query = 'paint garden fences blue, guests arrive tomorrow evening hungry tired to send'
    const result = await call('search_mcp_tools', { query })
    expect(textOf(result)).toContain(`Nothing matches "${query}" well; what comes nearest: 1 to 5 of 12.`)
    expect(textOf(result)).toContain('list the tools of a plugin with list_mcp_tools: mail (12).')
    expect(result.structuredContent).toMatchObject({ total: 12, nextOffset: 5, nearestPlugins: ['mail'] })
    const none = await call('search_mcp_tools', { query: 'zebra' })
    expect(textOf(none)).toBe('Nothing matches "zebra". Try other words, or look around with list_mcp_tools.')
    expect(none.structuredContent).toMatchObject({ total: 0, nearestPlugins: [] })
    const well = await call('search_mcp_tools', { query: 'send a mail' })
    expect(well.structuredContent).not.toHaveProperty('nearestPlugins')
  })

  it('tells that more than ten thousand match, and no closer, but how many are listed', async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => ({ ...echo, name: `echo_${i}` }))
    const { call } = await stage(many)
    const result = await call('search_mcp_tools', { query: 'echo', limit: 1 })
    expect(textOf(result)).toContain('best first: 1 to 1 of more than 10000.')
    expect(result.structuredContent).toMatchObject({ total: 10_001 })
    const some = await call('search_mcp_tools', { query: 'echo', limit: 1, plugin: 'other' })
    expect(textOf(some)).toContain('Nothing matches')
    expect(textOf(await call('list_mcp_tools', { limit: 1 }))).toContain('Tools 1 to 1 of 10005.')
  })

  it('shows the providers of a tool that has some', async () => {
    const { call } = await stage([{ package: 'ai', name: 'ai_prompt', providers: ['claude', 'openai'] }])
    expect(textOf(await call('search_mcp_tools', { query: 'prompt' }))).toContain('(providers: claude, openai)')
  })

  it.each(['', '  \n', '\ud800', '\udc00 \ud800', '\0', '\u200b', undefined])(
    'refuses the empty query %j',
    async (query) => {
      const { call } = await stage([echo])
      await expect(call('search_mcp_tools', query === undefined ? {} : { query })).rejects.toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining('argument "query" is empty'),
      })
    },
  )
})

describe('get_mcp_tool', () => {
  it('shows a declared name so that it ends no line and no code', async () => {
    const name = 'a`b\n## c\u001b[31m'
    const { call } = await stage([{ ...echo, name }])
    const result = await call('get_mcp_tool', { tool_name: `plugin:lab:${name}` })
    expect(textOf(result)).toContain('- full name: `` plugin:lab:a`b\\u000a## c\\u001b[31m ``\n')
    expect(result.structuredContent).toMatchObject({ namespacedName: `plugin:lab:${name}` })
  })

  it('answers every field with the JSON Schema, by public or namespaced name', async () => {
    const { call } = await stage([echo])
    const result = await call('get_mcp_tool', { tool_name: 'echo' })
    expect(result.structuredContent).toEqual({
      name: 'echo',
      title: 'Echo',
      description: 'Says it again',
      pluginId: 'lab',
      category: 'external',
      providers: [],
      namespacedName: 'plugin:lab:echo',
      declaredName: 'echo',
      hints: { readOnly: true, destructive: false },
      schema: echo.inputSchema,
      outputSchema: echo.outputSchema,
    })
    expect(textOf(result)).toContain(`\`\`\`json\n${JSON.stringify(echo.inputSchema)}\n\`\`\``)
    expect(await call('get_mcp_tool', { tool_name: 'plugin:lab:echo' })).toEqual(result)
  })

  it('keeps the whole description, and a fence that the schema cannot close', async () => {
    const long = 'word '.repeat(500).trim()
    const { call } = await stage([
      { package: 'lab', name: 'x', description: long, inputSchema: { type: 'object', description: '````' } },
    ])
    const text = textOf(await call('get_mcp_tool', { tool_name: 'x' }))
    expect(text).toContain(long)
    expect(text).toContain('`````json\n')
  })

  it('answers close names in an error result when there is no such tool', async () => {
    const { call } = await stage([echo])
    const result = await call('get_mcp_tool', { tool_name: 'ecko' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('no tool named "ecko"; did you mean "echo"')
  })
})

describe('get_mcp_tool, of a plugin that is not well,', () => {
  it.each([
    ['down', 'it exited with code 7'],
    ['degraded', 'the disk is nearly full'],
  ] as const)('says that it is %s, and why', async (state, reason) => {
    const { call } = await stage([echo], missing, { state, since: 0, reason })
    const result = await call('get_mcp_tool', { tool_name: 'echo' })
    expect(textOf(result)).toContain(`- its plugin is ${state}: ${reason}`)
    expect(result.structuredContent).toMatchObject({ state, stateReason: reason })
  })

  it('says nothing while it is up', async () => {
    const { call } = await stage([echo], missing, { state: 'up', since: 0 })
    const result = await call('get_mcp_tool', { tool_name: 'echo' })
    expect(textOf(result)).not.toContain('its plugin is')
    expect(result.structuredContent).not.toHaveProperty('state')
  })
})

describe('call_mcp_tool', () => {
  it('relays the name, the arguments and the provider, and returns the same result object', async () => {
    const answer: ToolResult = { content: [{ type: 'odd' }], isError: true, _meta: { a: 1 }, extra: null }
    const { call, inner } = await stage([echo], async () => answer)
    const args = { tool_name: 'echo', arguments: { message: 'hi' }, provider: 'openai' }
    expect(await call('call_mcp_tool', args)).toBe(answer)
    await call('call_mcp_tool', { tool_name: 'echo' })
    expect(inner).toEqual([
      { name: 'echo', args: { message: 'hi' }, options: { provider: 'openai' } },
      { name: 'echo', args: {}, options: {} },
    ])
  })

  it('does not run the four, by any of their names', async () => {
    const { call, inner, plugin } = await stage([echo])
    for (const { name } of plugin.tools) {
      for (const alias of [name, `plugin:callboard:${name}`]) {
        const result = await call('call_mcp_tool', { tool_name: alias })
        expect(result.isError).toBe(true)
        expect(textOf(result)).toBe(`call_mcp_tool does not run ${name}; call ${name} itself`)
      }
    }
    expect(inner).toEqual([])
  })

  it('answers an unknown tool with an error result, in the words of the host', async () => {
    const result = await (await stage([echo])).call('call_mcp_tool', { tool_name: 'ecko' })
    expect(result).toEqual({
      content: [{ type: 'text', text: 'no tool named "ecko"; did you mean "echo"?' }],
      isError: true,
    })
  })

  it.each([new UpstreamError(-32050, 'x', { a: 1 }), new CallboardError('timeout', 'too slow'), new TypeError('bug')])(
    'throws what the inner call threw: %o',
    async (thrown) => {
      const { call } = await stage([echo], () => Promise.reject(thrown))
      await expect(call('call_mcp_tool', { tool_name: 'echo' })).rejects.toBe(thrown)
    },
  )

  it('refuses arguments that are text', async () => {
    const { call } = await stage([echo])
    await expect(call('call_mcp_tool', { tool_name: 'echo', arguments: '{"message":"hi"}' })).rejects.toThrow(
      'argument "arguments" must be an object such as {"path": "a.txt"}, not a value of type string',
    )
  })
})

describe('the built-in plugin', () => {
  it('answers what its output schemas promise', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    const { call, plugin } = await stage([echo, ...numbered(60)])
    const examples = {
      list_mcp_tools: { limit: 0 },
      search_mcp_tools: { query: 'echo' },
      get_mcp_tool: { tool_name: 'echo' },
    }
    for (const [name, args] of Object.entries(examples)) {
      const schema = plugin.tools.find((tool) => tool.name === name)?.outputSchema
      const ajv = new Ajv2020({ strict: false })
      const valid = ajv.validate(schema ?? false, (await call(name, args)).structuredContent)
      expect([name, valid, ajv.errors]).toEqual([name, true, null])
    }
  })

  it('reserves the names of the four', () => {
    expect([...BUILTIN_NAMES]).toEqual(
      ['list_mcp_tools', 'search_mcp_tools', 'get_mcp_tool', 'call_mcp_tool'].map((name) => [
        name,
        `plugin:callboard:${name}`,
      ]),
    )
  })

  it('is up from start to stop, and cannot be called outside', async () => {
    const { plugin, call } = await stage([])
    expect(plugin.health().state).toBe('up')
    await plugin.stop()
    expect(plugin.health().state).toBe('stopped')
    await expect(call('list_mcp_tools')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

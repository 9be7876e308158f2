import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CatalogTool, mergedTool, offersOf } from './catalog-tool.ts'
import { type CatalogView, createCatalogView } from './catalog-view.ts'
import { CatalogSnapshot } from './snapshot.ts'
import { sampleTool } from './testing/sample-tool.ts'

interface Offer {
  readonly name?: string
  readonly provider: string
  readonly pluginId?: string
}

function offer({ name = 'ai_prompt', provider, pluginId = `bridge.${provider}` }: Offer): CatalogTool {
  return sampleTool({
    name,
    pluginId,
    providers: [provider],
    category: 'ai',
    definition: { permission: `ai.${provider}`, inputSchema: { title: provider } },
  })
}

function merged(...offers: readonly Offer[]): CatalogTool {
  const [first, ...rest] = offers.map(offer)
  if (first === undefined) throw new Error('no offers')
  return mergedTool([first, ...rest])
}

const allowing =
  (...providers: readonly string[]) =>
  ({ entry }: CatalogTool): boolean =>
    entry.providers.every((provider) => providers.includes(provider))

describe('the view of a tool that several providers serve', () => {
  const tool = merged({ provider: 'openai' }, { provider: 'claude' }, { provider: 'ollama' })
  const echo = sampleTool({ name: 'echo' })
  const snapshot = CatalogSnapshot.empty.with({ put: [tool, echo] })

  test('is the tool itself for whoever may use all of them', () => {
    const view = createCatalogView(snapshot, () => true)
    expect(view.tools).toBe(snapshot.tools)
    expect(view.resolve('ai_prompt')).toBe(tool)
    expect(view.getCatalogEntry('ai_prompt')).toMatchObject({
      pluginId: 'bridge.openai',
      providers: ['claude', 'ollama', 'openai'],
      schema: '{"title":"openai"}',
    })
  })

  test('has nothing of those that the user may not use, in no answer', () => {
    const view = createCatalogView(snapshot, allowing('ollama', 'claude'))
    const seen = { pluginId: 'bridge.claude', providers: ['claude', 'ollama'] }
    expect(view.listCatalog('', 0, 0)).toMatchObject([seen, { name: 'echo' }])
    expect(view.getCatalogEntry('ai_prompt')).toMatchObject({ ...seen, schema: '{"title":"claude"}' })
    expect(view.search('ai_prompt').entries[0]).toMatchObject(seen)
    expect(view.searchCatalog('')[0]).toMatchObject(seen)
    expect(view.listPluginIds()).toEqual(['acme', 'bridge.claude', 'bridge.ollama'])
    expect(view.catalogCount('bridge.openai')).toBe(0)
    expect(view.search('ai', { plugin: 'bridge.openai' }).total).toBe(0)
    expect(view.search('ai', { plugin: 'bridge.ollama' }).total).toBe(1)
    expect(view.resolve('plugin:bridge.openai:ai_prompt')).toBeUndefined()
    expect(view.resolve('plugin:bridge.ollama:ai_prompt')?.entry.providers).toEqual(['ollama'])
  })

  test('is absent for whoever may use none', () => {
    const view = createCatalogView(snapshot, ({ entry }) => entry.providers.length === 0)
    expect([...view.tools]).toEqual([echo])
    expect(view.resolve('ai_prompt')).toBeUndefined()
    expect(view.search('ai_prompt').total).toBe(0)
    expect(view.suggest('ai_promp', 3)).toEqual([])
  })

  test('is the same object every time it is asked for', () => {
    const accept = allowing('ollama', 'claude')
    const view = createCatalogView(snapshot, accept)
    expect(view.resolve('ai_prompt')).toBe(view.tools.at(0))
    expect(createCatalogView(snapshot, accept).resolve('ai_prompt')).toBe(view.tools.at(0))
  })
})

test('a tool of one provider is its own only offer', () => {
  const tool = merged({ provider: 'openai' })
  expect(tool.offers).toBeUndefined()
  expect(offersOf(tool)).toEqual([tool])
})

test('a plugin with several providers keeps them all under its namespaced name', () => {
  const tool = merged({ provider: 'a' }, { provider: 'b', pluginId: 'two' }, { provider: 'c', pluginId: 'two' })
  const snapshot = CatalogSnapshot.empty.with({ put: [tool] })
  expect(snapshot.find('plugin:two:ai_prompt')?.entry).toMatchObject({ pluginId: 'two', providers: ['b', 'c'] })
  expect([...snapshot.ofPlugin('two')]).toEqual([tool])
  expect(snapshot.with({ removed: ['plugin:two:ai_prompt'] }).tools).toHaveLength(0)
})

const providers = fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's'), { maxLength: 4 })
const change = fc.record({
  name: fc.constantFrom('x', 'y', 'z'),
  providers,
  /** Whether a plugin has all of them, or each provider one of its own. */
  isOne: fc.boolean(),
})

test('what is selected after changes is what would be selected from nothing', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 10 }), fc.array(providers), (changes, allowed) => {
      const accepts = [...allowed, ['p', 'q', 'r', 's'], []].map((names) => allowing(...names))
      let snapshot = CatalogSnapshot.empty
      const tools = new Map<string, CatalogTool>()
      for (const { name, providers: names, isOne } of changes) {
        const old = tools.get(name)
        tools.delete(name)
        if (names.length > 0)
          tools.set(name, merged(...names.map((provider) => ({ name, provider, ...(isOne && { pluginId: 'one' }) }))))
        const put = tools.get(name)
        snapshot = snapshot.with({
          removed: old === undefined ? [] : offersOf(old).map(({ entry }) => entry.namespacedName),
          put: put === undefined ? [] : [put],
        })
        const fresh = CatalogSnapshot.empty.with({ put: tools.values() })
        expect([...snapshot.tools]).toEqual([...fresh.tools])
        for (const accept of accepts) {
          const view = createCatalogView(snapshot, accept)
          const other = createCatalogView(fresh, (tool) => accept(tool))
          expect([...view.tools]).toEqual([...other.tools])
          expect(view.listPluginIds()).toEqual(other.listPluginIds())
          for (const id of other.listPluginIds())
            expect(view.listCatalog(id, 0, 0)).toEqual(other.listCatalog(id, 0, 0))
          for (const tool of view.tools) expect(view.resolve(tool.entry.name)).toBe(tool)
        }
      }
    }),
  )
})

describe('a search for a tool that several providers serve', () => {
  function bridge(provider: string, models: readonly string[]): CatalogTool {
    const schema = { type: 'object', properties: { model: { enum: models, description: `${models[0]} when absent` } } }
    const { entry } = offer({ provider })
    const description = 'Asks a language model'
    return sampleTool({ ...entry, description, definition: { permission: `ai.${provider}`, inputSchema: schema } })
  }
  const others = ['weather', 'send_mail', 'claude_desktop'].map((name) =>
    sampleTool({ name, description: 'Some tool' }),
  )
  const offers = [
    bridge('openai', ['gpt-5', 'gpt-5-mini']),
    bridge('claude', ['sonnet', ...Array.from({ length: 60 }, (_, i) => `edition-${i}`)]),
    bridge('ollama', ['llama3.2', 'qwen']),
  ] as const
  const snapshot = CatalogSnapshot.empty.with({ put: [mergedTool(offers), ...others] })
  const names = (view: CatalogView, query: string) => view.search(query).entries.map(({ name }) => name)

  test.each(['openai', 'gpt 5 mini', 'ollama', 'qwen model', 'bridge claude', 'edition-59', 'ask sonnet about it'])(
    'finds it by the words of any of them: %s',
    (query) => {
      expect(names(createCatalogView(snapshot), query)).toContain('ai_prompt')
    },
  )

  test('finds nothing by the words of those that are not in the view', () => {
    const view = createCatalogView(snapshot, allowingOr(['ollama'], others))
    for (const query of ['openai', 'gpt-5', 'sonnet', 'edition-59', 'plugin:bridge.claude:ai_prompt'])
      expect([query, names(view, query).includes('ai_prompt')]).toEqual([query, query.includes('ai_prompt')])
    // How near the words come to the tool's own meaning (likeness) is each query's own.
    const { likeness: _, ...hidden } = view.search('plugin:bridge.openai:ai_prompt')
    expect(view.search('plugin:bridge.gemini:ai_prompt')).toMatchObject(hidden)
    expect(names(view, 'qwen')).toEqual(['ai_prompt'])
  })

  test('is that of a catalogue without the other providers, whoever searched before', () => {
    const anyQuery = fc.constantFrom(
      'openai',
      'gpt-5',
      'model',
      'claude',
      'llama3.2',
      'ai_prompt',
      'edition',
      'tool qwen',
    )
    const anyProviders = fc.subarray(['openai', 'claude', 'ollama'], { minLength: 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(anyProviders, anyQuery), { minLength: 1, maxLength: 6 }), (asked) => {
        for (const [providers, query] of asked) {
          const accept = allowingOr(providers, others)
          const [first, ...rest] = offers.filter(accept)
          const alone = CatalogSnapshot.empty.with({
            put: [...(first ? [mergedTool([first, ...rest])] : []), ...others],
          })
          expect(createCatalogView(snapshot, accept).search(query)).toEqual(createCatalogView(alone).search(query))
        }
      }),
      { numRuns: 100 },
    )
  })
})

function allowingOr(providers: readonly string[], others: readonly CatalogTool[]) {
  const accepts = allowing(...providers)
  return (tool: CatalogTool): boolean => others.includes(tool) || accepts(tool)
}

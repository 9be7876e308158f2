import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createCatalogView } from '../catalog/catalog-view.ts'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import { Router } from './router.ts'
import { ListedPlugin } from './testing/listed-plugin.ts'

function newRouter(): Router {
  return new Router({ maxNameLength: 48, log: createLog(new Secrets(), 'silent') })
}

function bridge(id: string, providers: readonly string[], tools: readonly string[] = ['ai_prompt']): ListedPlugin {
  return Object.assign(new ListedPlugin(id, tools, 'ai'), { providers })
}

function routerOf(...plugins: readonly ListedPlugin[]): Router {
  const router = newRouter()
  for (const plugin of plugins) router.registerPlugin(plugin)
  return router
}

const ids = (router: Router, plugin: string): string[] => router.listCatalog(plugin, 0, 0).map(({ name }) => name)

describe('bridges that offer the same tool', () => {
  const claude = bridge('bridge.claude', ['claude'], ['ai_prompt', 'ai_list_models'])
  const openai = bridge('bridge.openai', ['openai'])
  const ollama = bridge('bridge.ollama', ['ollama', 'vllm'])

  it('are one entry, whose providers are the union', () => {
    const router = routerOf(openai, ollama, claude)
    expect(router.listCatalog('', 0, 0).map(({ name, category, providers }) => [name, category, providers])).toEqual([
      ['ai_list_models', 'ai', ['claude']],
      ['ai_prompt', 'ai', ['claude', 'ollama', 'openai', 'vllm']],
    ])
    expect(router.catalogCount('')).toBe(2)
    expect(router.reports()).toEqual([])
  })

  it('are found by the filter of each of them, and each is among the plugins', () => {
    const router = routerOf(openai, ollama, claude)
    for (const id of ['bridge.openai', 'bridge.ollama']) {
      expect(ids(router, id)).toEqual(['ai_prompt'])
      expect(router.catalogCount(id)).toBe(1)
    }
    expect(ids(router, 'bridge.claude')).toEqual(['ai_list_models', 'ai_prompt'])
    expect(router.listPluginIds()).toEqual(['bridge.claude', 'bridge.ollama', 'bridge.openai'])
    const view = createCatalogView(router.snapshot)
    expect(view.search('prompt', { plugin: 'bridge.ollama' }).total).toBe(1)
  })

  it('are shown as the bridge of the preferred provider has it, else as the first by name', () => {
    const router = routerOf(openai, ollama, claude)
    expect(router.getCatalogEntry('ai_prompt')?.pluginId).toBe('bridge.claude')
    router.setProviders({ default: 'openai', owners: new Map() })
    expect(router.getCatalogEntry('ai_prompt')).toMatchObject({
      pluginId: 'bridge.openai',
      namespacedName: 'plugin:bridge.openai:ai_prompt',
      providers: ['claude', 'ollama', 'openai', 'vllm'],
    })
    router.setProviders({ default: 'nobody', owners: new Map() })
    expect(router.getCatalogEntry('ai_prompt')?.pluginId).toBe('bridge.claude')
  })

  it('keep their own namespaced names, under which they have their own providers alone', () => {
    const router = routerOf(openai, ollama, claude)
    expect(router.getCatalogEntry('plugin:bridge.ollama:ai_prompt')).toMatchObject({
      name: 'ai_prompt',
      pluginId: 'bridge.ollama',
      providers: ['ollama', 'vllm'],
    })
    expect(router.pluginOf('plugin:bridge.ollama:ai_prompt')).toBe(ollama)
  })

  it('lose one provider with its bridge, and nothing else', () => {
    const router = routerOf(openai, ollama, claude)
    router.unregister('bridge.claude')
    expect(router.getCatalogEntry('ai_prompt')).toMatchObject({
      pluginId: 'bridge.ollama',
      providers: ['ollama', 'openai', 'vllm'],
    })
    expect(router.getCatalogEntry('plugin:bridge.claude:ai_prompt')).toBeUndefined()
    expect(router.listPluginIds()).toEqual(['bridge.ollama', 'bridge.openai'])
    router.unregister('bridge.ollama')
    expect(router.getCatalogEntry('ai_prompt')).toMatchObject({ pluginId: 'bridge.openai', providers: ['openai'] })
    router.unregister('bridge.openai')
    expect(router.catalogCount('')).toBe(0)
  })

  it('lose one provider with its tool, when that is switched off, and have it back', () => {
    const router = routerOf(openai, ollama, claude)
    router.switchOff(new Set(['plugin:bridge.claude:ai_prompt']))
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['ollama', 'openai', 'vllm'])
    expect(router.getCatalogEntry('plugin:bridge.claude:ai_prompt')).toBeUndefined()
    expect(ids(router, 'bridge.claude')).toEqual(['ai_list_models'])
    router.switchOff(new Set())
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['claude', 'ollama', 'openai', 'vllm'])
  })

  it('have each the schema and the permission of its provider', () => {
    const own = Object.assign(bridge('bridge.both', ['x', 'y']), {
      toolFor: (tool: object, provider: string) => ({ ...tool, inputSchema: { title: provider } }),
    })
    const { snapshot } = routerOf(own, openai)
    const offers = snapshot
      .find('ai_prompt')
      ?.offers?.map(({ entry, definition }) => [entry.providers, definition.inputSchema, definition.permission])
    expect(offers).toEqual([
      [['openai'], undefined, 'ai.openai'],
      [['x'], { title: 'x' }, 'ai.x'],
      [['y'], { title: 'y' }, 'ai.y'],
    ])
  })

  it('are apart where one has a prefix of its own', () => {
    const router = routerOf(openai)
    router.registerPlugin(claude, { prefix: 'c_' })
    expect(ids(router, '')).toEqual(['ai_prompt', 'c_ai_list_models', 'c_ai_prompt'])
    router.adjust('bridge.claude', {})
    expect(ids(router, '')).toEqual(['ai_list_models', 'ai_prompt'])
  })

  it('have one hashed name together where a tool of another kind is called so, and the plain one again without it', () => {
    const router = routerOf(openai, claude, new ListedPlugin('other', ['ai_prompt'], 'local'))
    const [bridged] = ids(router, 'bridge.openai')
    expect(bridged).toMatch(/^ai_prompt-[0-9a-f]{8}$/)
    expect(router.snapshot.find('ai_prompt')).toBeUndefined()
    const onlyOpenai = createCatalogView(router.snapshot, ({ entry }) => entry.pluginId === 'bridge.openai')
    expect(onlyOpenai.suggest('ai_prompt', 3)).toContain(bridged)
    router.unregister('other')
    expect(ids(router, 'bridge.openai')).toEqual(['ai_prompt'])
  })

  it('stay the same objects when something else changes', () => {
    const other = new ListedPlugin('other', ['a'])
    const router = routerOf(openai, claude, other)
    const before = router.snapshot.find('ai_prompt')
    other.list([{ name: 'b' }])
    expect(router.snapshot.find('ai_prompt')).toBe(before)
  })

  it('are renamed together when names may be shorter', () => {
    const long = 'x'.repeat(60)
    const router = newRouter()
    router.registerPlugin(bridge('a', ['x'], [long]))
    router.registerPlugin(bridge('b', ['y'], [long]))
    router.limitNames(40)
    expect(ids(router, '')).toEqual([expect.stringMatching(/^x{31}-[0-9a-f]{8}$/)])
    expect(router.getCatalogEntry(`plugin:b:${long}`)?.name).toBe(ids(router, '')[0])
  })
})

describe('a provider that two plugins claim', () => {
  const first = bridge('bridge.a', ['openai'])
  const second = bridge('bridge.b', ['openai', 'ollama'])

  it('is served by none of them, which is reported, until the config says by whom', () => {
    const router = routerOf(first, second)
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['ollama'])
    expect(router.reports()).toEqual([
      'the provider "openai" is claimed by "bridge.a" and "bridge.b", so that none of them serves it; say in the config which does: ai.owners: { openai: bridge.a }',
    ])
    router.setProviders({ owners: new Map([['openai', 'bridge.b']]) })
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['ollama', 'openai'])
    expect(router.getCatalogEntry('plugin:bridge.a:ai_prompt')).toBeUndefined()
    expect(router.reports()).toEqual([])
    router.setProviders({ owners: new Map([['openai', 'bridge.c']]) })
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['ollama'])
  })

  it('is served again when one of them leaves', () => {
    const router = routerOf(first, second)
    router.unregister('bridge.b')
    expect(router.getCatalogEntry('ai_prompt')).toMatchObject({ pluginId: 'bridge.a', providers: ['openai'] })
  })
})

describe('a plugin of another kind that the config marks', () => {
  it('serves the provider, and does so no more when the mark is gone', () => {
    const router = routerOf(bridge('bridge.openai', ['openai']))
    const old = new ListedPlugin('old.claude', ['ai_prompt', 'spawn_session'])
    router.registerExternal(old, { prefix: '', provides: ['claude'] })
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['claude', 'openai'])
    expect(router.getCatalogEntry('spawn_session')).toMatchObject({ category: 'ai', providers: ['claude'] })
    router.adjust('old.claude', { prefix: 'old_' })
    expect(router.getCatalogEntry('ai_prompt')).toMatchObject({ pluginId: 'bridge.openai', providers: ['openai'] })
    expect(router.getCatalogEntry('old_ai_prompt')).toMatchObject({ category: 'external', providers: [] })
    router.adjust('old.claude', { prefix: '', provides: ['claude'] })
    expect(ids(router, '')).toEqual(['ai_prompt', 'spawn_session'])
    expect(router.getCatalogEntry('ai_prompt')?.providers).toEqual(['claude', 'openai'])
  })
})

/**
 * What may happen to bridges `a` to `d`, which each have the provider of their name and share one with their neighbour.
 */
const step = fc.oneof(
  fc.record({ kind: fc.constant('toggle' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('prefer' as const), id: fc.constantFrom('a', 'b', 'ab', 'none') }),
  fc.record({ kind: fc.constant('own' as const), id: fc.constantFrom('a', 'b', 'none') }),
  fc.record({ kind: fc.constant('list' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
)

test('whatever came before, the catalogue is that of the plugins and settings there are', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), fc.boolean(), (steps, looks) => {
      const providers: Record<string, string[]> = { a: ['a', 'ab'], b: ['b', 'ab'], c: ['c'], d: ['d'] }
      const tools = new Map<string, string[]>()
      const settings: { default: string; owners: Map<string, string> } = { default: 'none', owners: new Map() }
      const router = newRouter()
      const plugins = new Map<string, ListedPlugin>()
      for (const { kind, id } of steps) {
        if (kind === 'toggle') {
          if (plugins.has(id)) {
            router.unregister(id)
            plugins.delete(id)
          } else {
            const plugin = bridge(id, providers[id] ?? [], tools.get(id) ?? ['ai_prompt'])
            plugins.set(id, plugin)
            router.registerPlugin(plugin)
          }
        } else if (kind === 'list') {
          tools.set(id, tools.get(id)?.length === 2 ? ['ai_prompt'] : ['ai_prompt', 'x'])
          plugins.get(id)?.list((tools.get(id) ?? []).map((name) => ({ name })))
        } else {
          if (kind === 'prefer') settings.default = id
          else settings.owners = new Map([['ab', id]])
          router.setProviders({ ...settings })
        }
        if (looks) void router.snapshot.tools
      }
      const fresh = newRouter()
      fresh.setProviders(settings)
      for (const id of [...plugins.keys()].sort().reverse())
        fresh.registerPlugin(bridge(id, providers[id] ?? [], tools.get(id) ?? ['ai_prompt']))
      expect(router.snapshot.tools).toEqual(fresh.snapshot.tools)
      expect(router.listPluginIds()).toEqual(fresh.listPluginIds())
      for (const id of ['a', 'b', 'c', 'd']) {
        expect(router.listCatalog(id, 0, 0)).toEqual(fresh.listCatalog(id, 0, 0))
        for (const name of ['ai_prompt', 'x'])
          expect(router.getCatalogEntry(`plugin:${id}:${name}`)).toEqual(fresh.getCatalogEntry(`plugin:${id}:${name}`))
      }
      expect(router.reports()).toEqual(fresh.reports())
    }),
  )
})

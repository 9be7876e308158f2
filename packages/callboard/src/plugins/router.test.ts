import { describe, expect, it, test } from 'vitest'
import { createLog } from '../log.ts'
import { Secrets } from '../secrets.ts'
import { BUILTIN_NAMES } from './builtin/builtin-plugin.ts'
import type { Plugin } from './plugin.ts'
import { Router } from './router.ts'
import { ListedPlugin } from './testing/listed-plugin.ts'

function newRouter(): Router {
  return new Router({ maxNameLength: 48, reserved: BUILTIN_NAMES, log: createLog(new Secrets(), 'silent') })
}

function routerOf(...plugins: readonly Plugin[]): Router {
  const router = newRouter()
  for (const plugin of plugins) {
    if (plugin.kind === 'mcp' || plugin.kind === 'external') router.registerExternal(plugin)
    else router.registerPlugin(plugin)
  }
  return router
}

const names = (router: Router): string[] => router.listCatalog('', 0, 0).map(({ name }) => name)

describe('a registered plugin', () => {
  it('is found by each of its tools, with the category of its kind and its providers', () => {
    const openai = Object.assign(new ListedPlugin('bridge.openai', ['ai_prompt'], 'ai'), { providers: ['openai'] })
    const local = new ListedPlugin('tools.text', ['upper'], 'local')
    const github = new ListedPlugin('github', ['get_issue'])
    const router = routerOf(openai, local, github)
    expect(router.listCatalog('', 0, 0).map(({ name, category, providers }) => [name, category, providers])).toEqual([
      ['ai_prompt', 'ai', ['openai']],
      ['github_get_issue', 'external', []],
      ['upper', 'tool', []],
    ])
    expect(router.pluginOf('plugin:github:get_issue')).toBe(github)
    expect(router.pluginOf('plugin:tools.text:upper')).toBe(local)
    expect(router.pluginOf('plugin:github:upper')).toBeUndefined()
  })

  it('has streaming tools in the category stream, whatever its kind', () => {
    const plugin = new ListedPlugin('bridge.claude', [], 'ai')
    const router = routerOf(plugin)
    plugin.list([{ name: 'ai_prompt_stream', streaming: true }])
    expect(router.getCatalogEntry('ai_prompt_stream')?.category).toBe('stream')
  })

  it('is followed: what it lists later is there, what it no longer lists is gone', () => {
    const github = new ListedPlugin('github', ['a', 'b'])
    const router = routerOf(github)
    const seen: string[][] = []
    router.onChange(() => seen.push(names(router)))
    github.list([{ name: 'b' }, { name: 'c' }])
    expect(seen).toEqual([['github_b', 'github_c']])
    expect(router.pluginOf('plugin:github:a')).toBeUndefined()
    expect(router.registry.has('github', 'a')).toBe(false)
  })

  it('that lists the same once more changes nothing', () => {
    const github = new ListedPlugin('github', ['a'])
    const router = routerOf(github)
    const { snapshot } = router
    router.onChange(() => expect.unreachable('nothing changed'))
    github.list([{ name: 'a' }])
    expect(router.snapshot).toBe(snapshot)
  })

  it('is refused when there is one of its id, and that one stays', () => {
    const first = new ListedPlugin('github', ['a'])
    const router = routerOf(first)
    const second = new ListedPlugin('github', ['b'])
    expect(() => router.registerExternal(second)).toThrow('there is a plugin "github" already')
    expect(names(router)).toEqual(['github_a'])
    expect(second.listeners).toBe(0)
  })

  it('leaves with all its tools, and is listened to no more', () => {
    const github = new ListedPlugin('github', ['a'])
    const router = routerOf(github, new ListedPlugin('docs', ['find']))
    expect(router.unregister('github')).toBe(true)
    expect(names(router)).toEqual(['docs_find'])
    expect(router.listPluginIds()).toEqual(['docs'])
    expect(router.pluginOf('plugin:github:a')).toBeUndefined()
    expect(github.listeners).toBe(0)
    expect(router.unregister('github')).toBe(false)
  })

  it('keeps, drops and overrides tools as the config says, and reports a setting without effect', () => {
    const router = newRouter()
    router.registerExternal(new ListedPlugin('github', ['get_issue', 'get_user', 'delete_repo']), {
      prefix: 'gh_',
      settings: {
        keep: ['get_*'],
        drop: ['get_user', 'nothing_*'],
        overrides: new Map([['get_issue', { title: 'An issue' }]]),
      },
    })
    expect(router.listCatalog('', 0, 0).map(({ name, title }) => [name, title])).toEqual([['gh_get_issue', 'An issue']])
    expect(router.reports()).toEqual(['plugin "github": tools.drop "nothing_*" matches no tool'])
  })
})

describe('a plugin in the place of another', () => {
  it('serves the tools of the one before until it lists its own, and is the one that is followed', () => {
    const old = new ListedPlugin('github', ['a', 'b'])
    const router = routerOf(old)
    const seen: string[][] = []
    router.onChange(() => seen.push(names(router)))
    const next = new ListedPlugin('github', [])
    router.replace(next)
    expect(names(router)).toEqual(['github_a', 'github_b'])
    expect(router.pluginOf('plugin:github:a')).toBe(next)
    expect([old.listeners, next.listeners]).toEqual([0, 1])
    next.list([{ name: 'b' }])
    expect(seen).toEqual([['github_b']])
    next.list([])
    expect(names(router)).toEqual([])
  })

  it('shows at once what is known of it, with other settings, in one change', () => {
    const router = routerOf(new ListedPlugin('github', ['a', 'b']))
    const seen: string[][] = []
    router.onChange(() => seen.push(names(router)))
    router.replace(new ListedPlugin('github', ['b', 'c']), { prefix: 'gh_' })
    expect(seen).toEqual([['gh_b', 'gh_c']])
  })

  it('is refused where there is none', () => {
    expect(() => newRouter().replace(new ListedPlugin('github', []))).toThrow('no plugin "github" to change')
  })
})

describe('a permission that a plugin declares', () => {
  const declared = (permission: string, kind: Plugin['kind'] = 'local') => {
    const plugin = new ListedPlugin('acme/hello', [], kind)
    const router = routerOf(plugin)
    plugin.list([{ name: 'free' }, { name: 'echo', permission }])
    return { router, listed: router.listCatalog('', 0, 0).map(({ declaredName }) => declaredName) }
  }

  it('may be any of its vendor', () => {
    expect(declared('acme.other.view')).toMatchObject({ listed: ['echo', 'free'] })
    expect(declared('acme.other.view').router.reports()).toEqual([])
  })

  it.each(['github.get_issue', 'cli.access', 'acme', 'ai.openai'])(
    'can not be "%s": the tool is left out',
    (foreign) => {
      const { router, listed } = declared(foreign)
      expect(listed).toEqual(['free'])
      expect(router.reports()).toEqual([
        `plugin "acme/hello": the tool "echo" is left out: the permission "${foreign}" is not the plugin's own; it has to begin with "acme."; tools.overrides of the config may give it another`,
      ])
    },
  )

  it('is that of a provider for a bridge', () => {
    expect(declared('ai.openai', 'ai').listed).toEqual(['echo', 'free'])
  })

  it('gives way to that of the config, which may be any', () => {
    const { router } = declared('github.get_issue')
    const overrides = new Map([['echo', { permission: 'shared.echo' }]])
    router.adjust('acme/hello', { settings: { keep: [], drop: [], overrides } })
    expect(router.registry.get('acme/hello', 'echo').permission).toBe('shared.echo')
    expect(router.reports()).toEqual([])
  })
})

describe('other settings of a plugin', () => {
  it('rename, drop and bring back its tools, in one change each, and take their reports along', () => {
    const router = routerOf(new ListedPlugin('github', ['a', 'b']), new ListedPlugin('docs', ['a']))
    const seen: string[][] = []
    router.onChange(() => seen.push(names(router)))
    router.adjust('github', { prefix: 'gh_', settings: { keep: [], drop: ['b', 'c'], overrides: new Map() } })
    expect(router.reports()).toEqual(['plugin "github": tools.drop "c" matches no tool'])
    router.adjust('github', {})
    expect(seen).toEqual([
      ['docs_a', 'gh_a'],
      ['docs_a', 'github_a', 'github_b'],
    ])
    expect(router.reports()).toEqual([])
  })

  it('that come to the same change nothing', () => {
    const router = routerOf(new ListedPlugin('github', ['a']))
    router.onChange(() => expect.unreachable('nothing changed'))
    router.adjust('github', { prefix: 'github_', settings: { keep: ['a'], drop: [], overrides: new Map() } })
  })
})

test('another longest name renames every tool in one change, clashes too, and back', () => {
  const long = 'x'.repeat(40)
  const router = routerOf(new ListedPlugin('a', [long, 'b_x']), new ListedPlugin('a_b', ['x']))
  const before = names(router)
  let changes = 0
  router.onChange(() => changes++)
  router.limitNames(32)
  expect(changes).toBe(1)
  expect(names(router).map((name) => name.length)).toEqual([14, 14, 32])
  expect(router.pluginOf(`plugin:a:${long}`)?.id).toBe('a')
  expect(router.snapshot.lostNames.get('a_b_x')).toEqual(['plugin:a:b_x', 'plugin:a_b:x'])
  router.limitNames(48)
  expect(names(router)).toEqual(before)
})

describe('tools of equal public names', () => {
  it('are renamed, both, while both are there', () => {
    const one = new ListedPlugin('a', ['b_x'])
    const two = new ListedPlugin('a_b', ['x'])
    const router = routerOf(one)
    expect(names(router)).toEqual(['a_b_x'])
    router.registerExternal(two)
    expect(names(router)).toHaveLength(2)
    for (const name of names(router)) expect(name).toMatch(/^a_b_x-[0-9a-f]{8}$/)
    expect(router.getCatalogEntry('a_b_x')).toBeUndefined()
    expect(router.getCatalogEntry('plugin:a:b_x')?.name).toMatch(/^a_b_x-/)
    expect(router.snapshot.lostNames.get('a_b_x')).toEqual(['plugin:a:b_x', 'plugin:a_b:x'])
    expect(router.reports()[0]).toMatch(/^the name "a_b_x" would belong to several tools: plugin:a:b_x is now "a_b_x-/)
    router.unregister('a_b')
    expect(names(router)).toEqual(['a_b_x'])
    expect(router.reports()).toEqual([])
    expect(router.snapshot.lostNames.size).toBe(0)
  })

  it('are known as lost to every later catalogue, by the same map while nothing changes in it', () => {
    const three = new ListedPlugin('c', ['x'])
    const router = routerOf(new ListedPlugin('a', ['b_x']), new ListedPlugin('a_b', ['x']), three)
    const { lostNames } = router.snapshot
    expect([...lostNames]).toEqual([['a_b_x', ['plugin:a:b_x', 'plugin:a_b:x']]])
    three.list([{ name: 'x' }, { name: 'y' }])
    expect(router.snapshot.lostNames).toBe(lostNames)
    router.registerExternal(new ListedPlugin('a.b', ['x']), { prefix: 'a_b_' })
    expect(router.snapshot.lostNames.get('a_b_x')).toHaveLength(3)
  })

  it('are reported with what ends the clash: another prefix, or of one plugin fewer tools', () => {
    const other = new ListedPlugin('b', ['x-y'])
    const router = routerOf(new ListedPlugin('a', ['x.y', 'x y']))
    expect(router.reports()).toEqual([
      expect.stringMatching(
        /^the name "a_x-y" .*; dropping all but one of them by `tools.drop` of plugin "a" ends this$/,
      ),
    ])
    router.registerExternal(other, { prefix: 'a_' })
    expect(router.reports()).toEqual([
      expect.stringMatching(/^the name "a_x-y" .*; a `prefix` of its own for one of the plugins ends this$/),
    ])
  })

  it('leave the four theirs', () => {
    const router = newRouter()
    router.registerExternal(new ListedPlugin('evil', ['call_mcp_tool']), { prefix: '' })
    expect(names(router)[0]).toMatch(/^call_mcp_tool-[0-9a-f]{8}$/)
  })
})

describe('a tool that is switched off', () => {
  it('is nowhere, whoever lists it and however often, until it is not off any more', () => {
    const github = new ListedPlugin('github', ['a', 'b'])
    const router = routerOf(github)
    router.switchOff(new Set(['plugin:github:a', 'plugin:docs:a', 'plugin:nobody:x']))
    expect(names(router)).toEqual(['github_b'])
    expect([router.pluginOf('plugin:github:a'), router.registry.has('github', 'a')]).toEqual([undefined, false])
    expect(router.snapshot.find('plugin:github:a')).toBeUndefined()
    github.list([{ name: 'c' }, { name: 'a' }])
    router.registerExternal(new ListedPlugin('docs', ['a']))
    router.replace(new ListedPlugin('github', ['a', 'd']))
    expect(names(router)).toEqual(['github_d'])
    router.switchOff(new Set(['plugin:docs:a']))
    expect(names(router)).toEqual(['github_a', 'github_d'])
    router.switchOff(new Set())
    expect(names(router)).toEqual(['docs_a', 'github_a', 'github_d'])
  })

  it('gives its public name free, and clashes again when it is back', () => {
    const router = routerOf(new ListedPlugin('a', ['x'], 'local'), new ListedPlugin('b', ['x'], 'local'))
    expect(router.getCatalogEntry('x')).toBeUndefined()
    router.switchOff(new Set(['plugin:a:x']))
    expect(router.getCatalogEntry('x')?.pluginId).toBe('b')
    router.switchOff(new Set())
    expect(router.getCatalogEntry('x')).toBeUndefined()
  })

  it('changes nothing for the tools of other plugins', () => {
    const router = routerOf(new ListedPlugin('github', ['a']), new ListedPlugin('docs', ['a']))
    const before = router.snapshot.find('docs_a')
    let changes = 0
    router.onChange(() => changes++)
    router.switchOff(new Set(['plugin:github:a']))
    router.switchOff(new Set(['plugin:github:a', 'plugin:github:later']))
    expect([router.snapshot.find('docs_a'), changes]).toEqual([before, 1])
  })
})

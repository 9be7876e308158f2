import type { ToolDefinition } from '@callboard/sdk'
import { describe, expect, it } from 'vitest'
import type { ActingUser } from '../gate/acting-user.ts'
import type { Gate } from '../gate/gate.ts'
import { createRoleGate } from '../gate/role-gate.ts'
import { createLog } from '../log.ts'
import { BuiltinPlugin } from '../plugins/builtin/builtin-plugin.ts'
import { Router } from '../plugins/router.ts'
import { ListedPlugin } from '../plugins/testing/listed-plugin.ts'
import { Secrets } from '../secrets.ts'
import { Views } from './views.ts'

const FOUR = ['call_mcp_tool', 'get_mcp_tool', 'list_mcp_tools', 'search_mcp_tools']

function stage(tools: readonly (Partial<ToolDefinition> & { readonly name: string })[], gate: Gate) {
  const router = new Router({ maxNameLength: 48, log: createLog(new Secrets(), 'silent') })
  const plugin = new ListedPlugin('github', [])
  router.registerPlugin(new BuiltinPlugin(), { prefix: '' })
  router.registerExternal(plugin)
  plugin.list(tools)
  return {
    plugin,
    router,
    views: new Views(
      () => router.snapshot,
      gate,
      () => 50,
    ),
  }
}

const gates = (allowed: readonly string[]): readonly [string, Gate][] => [
  [
    'the roles of the config',
    createRoleGate({ roles: new Map([['r', allowed]]), users: new Map([['ana', { roles: ['r'], disabled: false }]]) }),
  ],
  ['an application’s own gate', { allows: async (user, permission) => user === 'ana' && allowed.includes(permission) }],
]

describe.each(gates(['github.get_issue']))('with %s', (_name, gate) => {
  const { views } = stage([{ name: 'get_issue' }, { name: 'get_secret', description: 'issue' }], gate)

  it('what is not permitted is in no list, count, search, suggestion or look-up', async () => {
    const view = await views.of('ana', 'mcp')
    expect(view.listCatalog('', 0, 0).map(({ name }) => name)).toEqual([
      ...FOUR.slice(0, 2),
      'github_get_issue',
      ...FOUR.slice(2),
    ])
    expect(view.catalogCount('github')).toBe(1)
    expect(view.search('issue').entries.map(({ name }) => name)).toContain('github_get_issue')
    expect(view.search('github_get_secret').entries.map(({ name }) => name)).not.toContain('github_get_secret')
    expect(view.suggest('github_get_secre', 5)).not.toContain('github_get_secret')
    expect(view.resolve('github_get_secret')).toBeUndefined()
    expect(view.resolve('plugin:github:get_secret')).toBeUndefined()
  })

  it('a user whom nothing is granted has the four and nothing else', async () => {
    expect((await views.of('eve', 'mcp')).listPluginIds()).toEqual(['callboard'])
  })

  it('the command line shows nothing to whom it is not open', async () => {
    expect((await views.of('ana', 'cli')).catalogCount('')).toBe(0)
  })
})

it('the owner sees everything that is offered on the surface', async () => {
  const { views } = stage(
    [{ name: 'a', surfaces: ['mcp'] }, { name: 'b', surfaces: ['cli'] }, { name: 'c' }],
    createRoleGate({ roles: new Map(), users: new Map() }),
  )
  const on = async (surface: 'mcp' | 'cli') =>
    (await views.of('owner', surface)).listCatalog('github', 0, 0).map(({ name }) => name)
  expect(await on('mcp')).toEqual(['github_a', 'github_c'])
  expect(await on('cli')).toEqual(['github_b', 'github_c'])
})

it('an application’s gate is asked once about each distinct permission of a request', async () => {
  const asked: string[] = []
  const gate: Gate = {
    allows(_user, permission) {
      asked.push(permission)
      return true
    },
  }
  const { views } = stage(
    [{ name: 'a', permission: 'github.read' }, { name: 'b', permission: 'github.read' }, { name: 'c' }],
    gate,
  )
  const view = await views.of('ana', 'mcp')
  view.listCatalog('', 0, 0)
  view.searchCatalog('a')
  view.resolve('github_a')
  expect(asked.sort()).toEqual(['github.c', 'github.read'])
})

describe('a narrowed user', () => {
  const listed = [{ name: 'get_issue' }, { name: 'get_secret' }, { name: 'merge' }]
  const narrowed = (within: readonly string[], name = 'ana') => ({ name, within })

  it.each(gates(['github.get_issue', 'github.get_secret']))(
    'sees what is granted and within, with %s',
    async (_name, gate) => {
      const { views } = stage(listed, gate)
      const seen = async (user: ActingUser) =>
        (await views.of(user, 'mcp')).listCatalog('github', 0, 0).map(({ declaredName }) => declaredName)
      expect(await seen('ana')).toEqual(['get_issue', 'get_secret'])
      expect(await seen(narrowed(['github.get_issue']))).toEqual(['get_issue'])
      expect(await seen(narrowed(['github.m*', 'github.*_secret']))).toEqual(['get_secret'])
      expect(await seen(narrowed(['*']))).toEqual(['get_issue', 'get_secret'])
      expect(await seen(narrowed([]))).toEqual([])
      expect(await seen(narrowed(['*'], 'eve'))).toEqual([])
      expect((await views.of(narrowed([]), 'mcp')).listCatalog('callboard', 0, 0).map(({ name }) => name)).toEqual(FOUR)
    },
  )

  it('who owns all sees no more than the narrowing leaves', async () => {
    const { views } = stage(listed, createRoleGate({ roles: new Map(), users: new Map() }))
    const owner = narrowed(['github.merge'], 'owner')
    expect((await views.of(owner, 'mcp')).listCatalog('github', 0, 0).map(({ name }) => name)).toEqual(['github_merge'])
    expect((await views.of(owner, 'cli')).catalogCount('')).toBe(0)
    expect((await views.of(narrowed(['github.merge', 'cli.access'], 'owner'), 'cli')).catalogCount('')).toBe(1)
  })

  it('shares a view with those of the same rights and narrowing, and with nobody else', async () => {
    const users = ['ana', 'ben'].map((name) => [name, { roles: ['r'], disabled: false }] as const)
    const { views } = stage(listed, createRoleGate({ roles: new Map([['r', ['github.*']]]), users: new Map(users) }))
    const view = await views.of(narrowed(['github.get_*', 'x']), 'mcp')
    expect(await views.of(narrowed(['x', 'github.get_*'], 'ben'), 'mcp')).toBe(view)
    expect(await views.of('ana', 'mcp')).not.toBe(view)
    expect(await views.of(narrowed(['x']), 'mcp')).not.toBe(view)
  })

  it('is not asked about at the gate where the narrowing says no already', async () => {
    const asked: string[] = []
    const gate: Gate = { allows: (_user, permission) => asked.push(permission) > 0 }
    const { views } = stage(listed, gate)
    await views.of(narrowed(['github.get_*']), 'mcp')
    expect(asked.sort()).toEqual(['github.get_issue', 'github.get_secret'])
  })
})

it('for a request that goes on, a gate is asked about nothing but what is new', async () => {
  const asked: string[] = []
  const gate: Gate = {
    allows: (_user, permission) => {
      asked.push(permission)
      return asked.length === 1
    },
  }
  const { plugin, views } = stage([{ name: 'a' }, { name: 'b' }], gate)
  const before = await views.of('ana', 'mcp')
  plugin.list([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const after = await views.of('ana', 'mcp', { before })
  expect(asked.sort()).toEqual(['github.a', 'github.b', 'github.c'])
  expect(after.listCatalog('github', 0, 0).map(({ name }) => name)).toEqual(['github_a'])
})

it.each(['no', 1, {}, null])('an application’s gate that answers %j allows nothing', async (answer) => {
  const { views } = stage([{ name: 'a' }], Object.assign({ allows: () => false }, { allows: () => answer }))
  expect((await views.of('ana', 'mcp')).catalogCount('github')).toBe(0)
})

it('a view stays as it was when the catalogue changes', async () => {
  const { plugin, views } = stage([{ name: 'a' }], createRoleGate({ roles: new Map(), users: new Map() }))
  const before = await views.of('owner', 'mcp')
  plugin.list([{ name: 'b' }])
  expect(before.listCatalog('github', 0, 0).map(({ name }) => name)).toEqual(['github_a'])
  expect((await views.of('owner', 'mcp')).listCatalog('github', 0, 0).map(({ name }) => name)).toEqual(['github_b'])
})

it('users of the same rights share one view, and the owner’s is the whole catalogue itself', async () => {
  const users = ['ana', 'ben'].map((name) => [name, { roles: ['r'], disabled: false }] as const)
  const gate = createRoleGate({ roles: new Map([['r', ['github.a']]]), users: new Map(users) })
  const { router, views } = stage([{ name: 'a' }, { name: 'b' }], gate)
  expect(await views.of('ana', 'mcp')).toBe(await views.of('ben', 'mcp'))
  expect(await views.of('ana', 'mcp')).not.toBe(await views.of('ana', 'cli'))
  expect((await views.of('owner', 'mcp')).tools).toBe(router.snapshot.tools)
  expect((await views.of('nobody', 'mcp')).catalogCount('github')).toBe(0)
})

it('after a change the roles are asked about nothing but what is new', async () => {
  const roles = createRoleGate({
    roles: new Map([['r', ['*.a*']]]),
    users: new Map([['ana', { roles: ['r'], disabled: false }]]),
  })
  const asked: string[] = []
  const gate: typeof roles = {
    ...roles,
    allows: (user, permission) => {
      asked.push(permission)
      return roles.allows(user, permission)
    },
  }
  const listed = Array.from({ length: 20 }, (_, i) => ({ name: `a${i}` }))
  const { plugin, views } = stage(listed, gate)
  expect((await views.of('ana', 'mcp')).catalogCount('github')).toBe(20)
  asked.length = 0
  plugin.list([...listed.slice(1), { name: 'also' }, { name: 'b' }])
  const view = await views.of('ana', 'mcp')
  expect(view.catalogCount('github')).toBe(20)
  expect(view.search('also').entries[0]?.name).toBe('github_also')
  expect(asked.sort()).toEqual(['github.also', 'github.b'])
})

it('another gate decides on every view from then on, kept ones too', async () => {
  const gateOf = (pattern: string) =>
    createRoleGate({ roles: new Map([['r', [pattern]]]), users: new Map([['ana', { roles: ['r'], disabled: false }]]) })
  const { views } = stage([{ name: 'get_issue' }], gateOf('github.*'))
  expect((await views.of('ana', 'mcp')).resolve('github_get_issue')).toBeDefined()
  views.gate = gateOf('docs.*')
  expect((await views.of('ana', 'mcp')).resolve('github_get_issue')).toBeUndefined()
})

it('an application’s gate that does not answer is waited for as long as a call may take, or until that is cancelled', async () => {
  const { views } = stage([{ name: 'a' }], { allows: () => new Promise(() => {}) })
  const message = 'the gate did not answer for 0.05 s; see to it that its allows() settles, or raise limits.timeout'
  await expect(views.of('ana', 'mcp')).rejects.toMatchObject({ code: 'timeout', message })
  await expect(views.allows('ana', 'github.a')).rejects.toMatchObject({ code: 'timeout', message })
  const controller = new AbortController()
  const view = views.of('ana', 'mcp', { signal: controller.signal })
  controller.abort()
  await expect(view).rejects.toMatchObject({ code: 'cancelled' })
  await expect(views.of('ana', 'mcp', { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
})

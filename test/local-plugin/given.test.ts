/** Plugins that a program gives its host as values. */
import { definePlugin, tool } from '@callboard/sdk'
import { createHost, loadConfig, type Progress } from 'callboard'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createStage } from '../cli/run-command.ts'
import { textOf } from '../fixtures/plugin-calls.ts'
import { openHost } from './open-host.ts'

const echo = tool({
  name: 'echo',
  args: [{ name: 'text', type: 'string' }],
  run: ({ text }, { user }) => `${user}: ${text}`,
})
const acme = definePlugin({
  id: 'acme',
  tools: [
    echo,
    tool({ name: 'follow', streaming: true, run: () => 'followed' }),
    tool({ name: 'shell', surfaces: ['cli'], run: () => 'on the command line' }),
    tool({ name: 'agent', surfaces: ['mcp'], run: () => 'over MCP' }),
    tool({
      name: 'all',
      run: async (_args, { call, catalog, progress, log, user }) => {
        progress({ progress: 1, total: 2, message: 'calling' })
        log.info('calling', { user })
        log.debug('not serious')
        const { content } = await call('plugin:acme:echo', { text: 'hi' })
        return { answer: content[0]?.text, visible: catalog.listCatalog('acme', 0, 0).map(({ name }) => name) }
      },
    }),
  ],
})

describe('a given plugin', () => {
  test('has its tools in the catalogue before it is started, each in its category', async () => {
    const { host } = await openHost([acme])
    const view = await host.view('owner', 'mcp')
    const tools = view.listCatalog('acme', 0, 0).map(({ name, category, providers }) => [name, category, providers])
    expect(tools).toEqual([
      ['agent', 'tool', []],
      ['all', 'tool', []],
      ['echo', 'tool', []],
      ['follow', 'stream', []],
    ])
  })

  test('needs no config', async () => {
    const stage = await createStage({})
    vi.stubEnv('XDG_DATA_HOME', stage.folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const host = await createHost({ plugins: [acme] })
    onTestFinished(async () => {
      await host[Symbol.asyncDispose]()
      await stage[Symbol.asyncDispose]()
    })
    expect((await host.view('owner', 'mcp')).getCatalogEntry('echo')).toMatchObject({ pluginId: 'acme' })
    await host.start()
    const result = await host.invoker.run({ name: 'echo', arguments: { text: 'hi' }, user: 'owner' })
    expect(textOf(result)).toBe('owner: hi')
  })

  test('has each tool on the surfaces that it names, and nowhere else', async () => {
    const { host } = await openHost([acme])
    const names = async (surface: 'mcp' | 'cli') =>
      (await host.view('owner', surface)).listCatalog('acme', 0, 0).map(({ name }) => name)
    expect(await names('mcp')).toEqual(['agent', 'all', 'echo', 'follow'])
    expect(await names('cli')).toEqual(['all', 'echo', 'follow', 'shell'])
    const call = (name: string, surface: 'mcp' | 'cli') =>
      host.invoker.run({ name, arguments: {}, user: 'owner', surface })
    expect(textOf(await call('shell', 'cli'))).toBe('on the command line')
    await expect(call('plugin:acme:shell', 'mcp')).rejects.toMatchObject({ code: 'not_found' })
    await expect(call('plugin:acme:agent', 'cli')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('calls tools as the acting user, who sees what that user may see', async () => {
    const { call } = await openHost([acme], {
      users: { ana: { roles: ['some'] }, ben: { roles: ['one'] } },
      roles: { some: ['acme.all', 'acme.echo'], one: ['acme.all'] },
    })
    expect(await call('all', {}, 'ana')).toMatchObject({
      structuredContent: { answer: 'ana: hi', visible: ['all', 'echo'] },
    })
    await expect(call('all', {}, 'ben')).rejects.toThrow(/no tool named "plugin:acme:echo"/)
  })

  test('tells progress and its log to the caller, and to the host’s log what the caller did not ask for', async () => {
    const { host, lines } = await openHost([acme])
    const steps: Progress[] = []
    const messages: unknown[] = []
    await host.invoker.run({
      name: 'all',
      arguments: {},
      user: 'owner',
      onProgress: (step) => void steps.push(step),
      log: { level: 'info', write: (message) => void messages.push(message) },
    })
    expect(steps).toEqual([{ progress: 1, total: 2, message: 'calling' }])
    expect(messages).toEqual([{ level: 'info', logger: 'acme', data: { message: 'calling', user: 'owner' } }])
    expect(lines).toContainEqual(expect.objectContaining({ plugin: 'acme', tool: 'all', msg: 'not serious' }))
  })

  test('of many users at a time never mixes them', async () => {
    const { call } = await openHost([acme], {
      users: Object.fromEntries(['ana', 'ben', 'cleo'].map((name) => [name, { roles: ['all'] }])),
      roles: { all: ['acme.*'] },
    })
    const users = Array.from({ length: 90 }, (_, at) => ['ana', 'ben', 'cleo'][at % 3] ?? '')
    const answers = await Promise.all(users.map((user) => call('echo', { text: `by ${user}` }, user)))
    expect(answers.map(textOf)).toEqual(users.map((user) => `${user}: by ${user}`))
  })

  test('stays whatever config follows, which may bring others and their settings', async () => {
    const { host, call } = await openHost([acme])
    const { dataDir } = host.config
    host.reconfigure(loadConfig({ data: { dataDir, limits: { timeout: '5s' }, plugins: { other: './nowhere' } } }))
    await host.start()
    expect(host.plugins().map(({ id, state }) => [id, state])).toEqual([
      ['acme', 'up'],
      ['other', 'failed'],
    ])
    expect(textOf(await call('echo', { text: 'still' }))).toBe('owner: still')
  })
})

describe('is refused by createHost, and by reconfigure without a change:', () => {
  const data = (plugins: object) => loadConfig({ data: { dataDir: '/nowhere', plugins } })

  test.each([
    [
      'an id that the config has',
      acme,
      { acme: './a' },
      'plugin "acme": the same id as plugins.acme (acme); rename one',
    ],
    ['permissions that would mix', acme, { 'acme.more': './a' }, 'plugin "acme.more": its permissions (acme.more.…)'],
    ['a reserved id', definePlugin({ id: 'callboard', tools: [] }), {}, 'plugin "callboard": "callboard" is reserved'],
  ])('%s', async (_what, plugin, plugins, fault) => {
    const stage = await createStage({})
    onTestFinished(() => stage[Symbol.asyncDispose]())
    const config = { ...data(plugins), dataDir: stage.folder }
    await expect(createHost({ config, plugins: [plugin] })).rejects.toMatchObject({ code: 'config' })
    await expect(createHost({ config, plugins: [plugin] })).rejects.toThrow(fault)
  })

  test('one that is given twice', async () => {
    await expect(openHost([acme, acme])).rejects.toThrow('plugin "acme": the same id as createHost.plugins.acme')
  })

  test('what is no plugin', async () => {
    const broken = { id: 'acme', tools: [{ definition: echo.definition }] }
    await expect(Reflect.apply(openHost, undefined, [[broken]])).rejects.toThrow(
      'plugin "acme" has to be what definePlugin() gives',
    )
  })

  test('another config that has its id', async () => {
    const { host } = await openHost([acme])
    const config = loadConfig({ data: { dataDir: host.config.dataDir, user: 'owner', plugins: { acme: './a' } } })
    expect(() => host.reconfigure(config)).toThrow('plugin "acme": the same id as plugins.acme')
    expect(host.config.plugins).toEqual([])
    expect(host.plugins().map(({ id, state }) => [id, state])).toEqual([['acme', 'up']])
  })
})

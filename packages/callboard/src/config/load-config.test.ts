import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Secrets } from '../secrets.ts'
import type { PluginConfig } from './config.ts'
import { loadConfig } from './load-config.ts'
import { testFolder } from './testing/test-folder.ts'

const DESIGN = `
expose: catalog                     # catalog | all | [patterns]
user: owner
http: { listen: '127.0.0.1:2255', auth: none, hosts: [], origins: [] }
envFile: .env
names: { maxLength: 48 }
limits: { timeout: 60s, concurrency: 32 }
audit: { keep: 30d, arguments: false }
plugins:
  acme/hello: ./plugins/hello       # a folder with plugin.yaml, or a module
  github:
    mcp: { command: github-mcp-server, args: [stdio], env: { GITHUB_TOKEN: '\${GITHUB_TOKEN}' } }
  docs:
    mcp: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer \${DOCS_TOKEN}' } }
  notes:
    external: { command: ./notes-plugin }
  bridge.openai:
    ai: { provider: openai, model: gpt-5, apiKey: '\${OPENAI_API_KEY}' }
mcpServers: {}
roles:
  support: [acme.hello.*, 'github.get_*']
users:
  ana: { roles: [support] }
`

function pluginOf(plugins: readonly PluginConfig[], id: string): PluginConfig {
  const plugin = plugins.find((each) => each.id === id)
  if (plugin === undefined) throw new Error(`no plugin ${id}`)
  return plugin
}

describe('a config that is right', () => {
  test('the design’s own example loads', () => {
    const folder = testFolder()
    folder.write('.env', 'GITHUB_TOKEN=gh-0001\nDOCS_TOKEN=docs-0001\n')
    const config = folder.load(DESIGN, { OPENAI_API_KEY: 'sk-0001' })
    expect(config.plugins.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'acme/hello local',
      'github mcp',
      'docs mcp',
      'notes external',
      'bridge.openai ai',
    ])
    expect(pluginOf(config.plugins, 'github')).toEqual({
      id: 'github',
      enabled: true,
      timeoutMs: 60_000,
      tools: { keep: [], drop: [], overrides: new Map() },
      kind: 'mcp',
      mcp: {
        transport: 'stdio',
        command: 'github-mcp-server',
        args: ['stdio'],
        env: { GITHUB_TOKEN: 'gh-0001' },
        cwd: folder.path,
        startTimeoutMs: 30_000,
      },
    })
    expect(pluginOf(config.plugins, 'docs')).toMatchObject({
      mcp: { transport: 'http', url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer docs-0001' } },
    })
    expect(pluginOf(config.plugins, 'acme/hello')).toMatchObject({
      local: { path: join(folder.path, 'plugins/hello') },
    })
    expect(config.http).toEqual({ host: '127.0.0.1', port: 2255, auth: 'none', hosts: [], origins: [] })
    expect(config.roles).toEqual(new Map([['support', ['acme.hello.*', 'github.get_*']]]))
    expect(config.users).toEqual(new Map([['ana', { roles: ['support'], disabled: false }]]))
    expect(pluginOf(config.plugins, 'notes')).toMatchObject({
      external: {
        kind: 'process',
        command: join(folder.path, 'notes-plugin'),
        cwd: folder.path,
        startTimeoutMs: 30_000,
      },
    })
    expect(config.notes).toEqual([])
    expect(folder.secrets.redact('gh-0001 docs-0001 sk-0001')).toBe('[secret] [secret] [secret]')
  })

  test('a plugin of the existing protocol is told what it may ask, and its secrets are known', () => {
    const folder = testFolder()
    const grants = '[storage, events, acme.hello.*]'
    const config = folder.load(`
plugins:
  notes: { external: { command: notes, protocol: orchestra, grants: ${grants}, boot: { API_KEY: k-12345 }, maxStorage: 1GB } }
  plain: { external: { command: notes, protocol: orchestra } }
  other: { external: { command: notes, protocol: callboard } }
`)
    expect(pluginOf(config.plugins, 'notes')).toMatchObject({
      external: {
        orchestra: {
          grants: { storage: true, tools: false, events: true, permissions: ['acme.hello.*'] },
          boot: { API_KEY: 'k-12345' },
        },
        maxStorageBytes: 1024 ** 3,
      },
    })
    const none = { storage: false, tools: false, events: false, permissions: [] }
    expect(pluginOf(config.plugins, 'plain')).toMatchObject({ external: { orchestra: { grants: none, boot: {} } } })
    expect(pluginOf(config.plugins, 'other')).not.toHaveProperty('external.orchestra')
    expect(folder.secrets.redact('k-12345')).toBe('[secret]')
  })

  test.each(['', '# nothing yet\n', '---\n', 'plugins:\nmcpServers:\n'])(
    'an empty config has every default: %j',
    (text) => {
      const folder = testFolder()
      const config = folder.load(text)
      expect(config).toMatchObject({
        file: join(folder.path, 'callboard.yaml'),
        expose: undefined,
        user: 'owner',
        names: { maxLength: 48 },
        limits: { timeoutMs: 60_000, maxTimeoutMs: 600_000, concurrency: 32, queue: 1_000 },
        audit: { keepMs: 30 * 86_400_000, maxBytes: 1024 ** 3, arguments: false, required: true },
        plugins: [],
        notes: [],
      })
    },
  )

  test('what a plugin sets for itself and for its tools arrives in milliseconds and by declared name', () => {
    const folder = testFolder()
    const config = folder.load(`
limits: { timeout: 20m }
plugins:
  a:
    mcp: { command: ./bin/server, cwd: data }
    prefix: ''
    enabled: false
    timeout: 1.5m
    startTimeout: 500
    tools:
      keep: [get_*]
      drop: [get_secret]
      overrides:
        get_it: { title: Get it, readOnly: true, surfaces: [cli], timeout: 2h }
  b: { mcp: { command: x } }
`)
    expect(config.limits.maxTimeoutMs).toBe(20 * 60_000)
    expect(config.plugins).toEqual([
      {
        id: 'a',
        enabled: false,
        prefix: '',
        timeoutMs: 90_000,
        tools: {
          keep: ['get_*'],
          drop: ['get_secret'],
          overrides: new Map([
            ['get_it', { title: 'Get it', readOnly: true, surfaces: ['cli'], timeoutMs: 7_200_000 }],
          ]),
        },
        kind: 'mcp',
        mcp: {
          transport: 'stdio',
          command: join(folder.path, 'bin/server'),
          args: [],
          env: {},
          cwd: join(folder.path, 'data'),
          startTimeoutMs: 500,
        },
      },
      expect.objectContaining({ id: 'b', timeoutMs: 20 * 60_000 }),
    ])
  })

  test('what is said of the audit arrives in milliseconds and bytes, and to keep nothing is possible', () => {
    const folder = testFolder()
    expect(folder.load('audit: { keep: 36h, maxSize: 1.5GB, arguments: true, required: false }').audit).toEqual({
      keepMs: 36 * 3_600_000,
      maxBytes: 1.5 * 1024 ** 3,
      arguments: true,
      required: false,
    })
    expect(folder.load('audit: { keep: 0 }').audit.keepMs).toBe(0)
  })

  test('credentials in a URL travel as a header, because fetch refuses them in the address', () => {
    const folder = testFolder()
    const config = folder.load(`plugins: { a: { mcp: { url: 'https://ana:pa%3Ass@example.com/mcp' } } }`)
    const authorization = `Basic ${Buffer.from('ana:pa:ss').toString('base64')}`
    expect(config.plugins[0]).toMatchObject({
      mcp: { url: 'https://example.com/mcp', headers: { Authorization: authorization } },
    })
    expect(folder.secrets.redact('pa%3Ass and pa:ss')).toBe('[secret] and [secret]')
  })

  test('a config may be given as data, with the same checks', () => {
    const options = { cwd: join('/', 'srv'), env: {}, home: join('/', 'home'), secrets: new Secrets() }
    const config = loadConfig({ ...options, data: { plugins: { a: { mcp: { command: 'x' } } }, expose: undefined } })
    expect(config).toMatchObject({ file: undefined, plugins: [{ id: 'a', mcp: { cwd: join('/', 'srv') } }] })
    expect(() => loadConfig({ ...options, data: { plugins: { a: { mcp: { comand: 'x' } } } } })).toThrow(
      'config: plugins.a.mcp.comand: unknown key; did you mean `command`?',
    )
    expect(() => loadConfig({ ...options, data: { plugins: { a: () => 1 } } })).toThrow('a function cannot be part')
  })
})

describe('the data folder', () => {
  test('is the config’s own under XDG_DATA_HOME, else under ~/.local/share', () => {
    const folder = testFolder()
    const share = join(folder.path, 'share')
    const first = folder.load('', { XDG_DATA_HOME: share }, 'a.yaml').dataDir
    const second = folder.load('', { XDG_DATA_HOME: share }, 'b.yaml').dataDir
    expect(first).toMatch(new RegExp(`^${join(share, 'callboard')}/[0-9a-f]{16}$`))
    expect(second).not.toBe(first)
    expect(folder.load('', { XDG_DATA_HOME: 'relative' }).dataDir).toContain(join(folder.path, 'home/.local/share'))
  })

  test('may be set, relative to the file or to the home folder, and named by what is in the file', () => {
    const folder = testFolder()
    expect(folder.load('dataDir: data').dataDir).toBe(join(folder.path, 'data'))
    expect(folder.load('dataDir: ~/cb').dataDir).toBe(join(folder.path, 'home/cb'))
    expect(folder.load('dataDir: ${WHERE}/cb', { WHERE: '/srv' }).dataDir).toBe(join('/srv', 'cb'))
    const config = folder.load(`
dataDir: data
plugins: { m: { mcp: { command: x, env: { FILE: '\${callboard:dataDir}/m', HERE: '\${callboard:configDir}' } } } }
`)
    expect(config.plugins[0]).toMatchObject({
      mcp: { env: { FILE: join(folder.path, 'data/m'), HERE: folder.path } },
    })
    expect(folder.faults('dataDir: ${callboard:dataDir}/x')).toEqual([
      '1:10: dataDir: ${callboard:dataDir} is not known here; there is ${callboard:configDir}',
    ])
  })
})

import { describe, expect, it, test } from 'vitest'
import type { Config } from './config.ts'
import { type ConfigChange, configChange, isUnchanged, runningConfig } from './config-change.ts'
import { testFolder } from './testing/test-folder.ts'

const BASE = {
  expose: 'catalog',
  plugins: {
    files: { mcp: { command: 'files', args: ['a'], env: { A: '1', B: '2' } } },
    docs: { mcp: { url: 'https://docs.example.com/mcp', headers: { X: '1' } }, timeout: '5s' },
    off: { mcp: { command: 'off' }, enabled: false },
    local: './a.js',
  },
}

type Plugins = Readonly<Record<string, unknown>>

const NOTHING: ConfigChange = { added: [], removed: [], restarted: [], adjusted: [], settings: [], kept: [] }

/** What differs from BASE, besides nothing. */
function changeTo(config: object): Partial<ConfigChange> {
  const folder = testFolder()
  const load = (data: object): Config => folder.load(JSON.stringify({ dataDir: 'data', ...data }))
  const change = configChange(load(BASE), load(config))
  return Object.fromEntries(Object.entries(change).filter(([, part]) => part.length > 0))
}

function withPlugins(plugins: Plugins): object {
  return { ...BASE, plugins: { ...BASE.plugins, ...plugins } }
}

const AI = { provider: 'ollama', model: 'a', baseUrl: 'http://127.0.0.1:11434/v1' }

const { files, docs, off, local } = BASE.plugins

describe('between two configs', () => {
  it.each<[what: string, config: object, change: Partial<ConfigChange>]>([
    ['nothing', BASE, {}],
    ['another order', { plugins: { off, local, docs, files }, expose: 'catalog' }, {}],
    ['another order of variables', withPlugins({ files: { mcp: { ...files.mcp, env: { B: '2', A: '1' } } } }), {}],
    ['a new plugin', withPlugins({ more: { mcp: { command: 'more' } } }), { added: ['more'] }],
    ['a new plugin that is switched off', withPlugins({ more: { mcp: { command: 'more' }, enabled: false } }), {}],
    ['a plugin that is gone', { ...BASE, plugins: { files, off, local } }, { removed: ['docs'] }],
    ['a gone plugin that was switched off', { ...BASE, plugins: { files, docs, local } }, {}],
    ['a plugin switched on', withPlugins({ off: { mcp: off.mcp } }), { added: ['off'] }],
    ['a plugin switched off', withPlugins({ files: { ...files, enabled: false } }), { removed: ['files'] }],
    ['another command while off', withPlugins({ off: { ...off, mcp: { command: 'on' } } }), {}],
    ['other arguments', withPlugins({ files: { mcp: { ...files.mcp, args: ['b'] } } }), { restarted: ['files'] }],
    ['another variable', withPlugins({ files: { mcp: { ...files.mcp, env: { A: '1' } } } }), { restarted: ['files'] }],
    ['another folder', withPlugins({ files: { mcp: { ...files.mcp, cwd: '/' } } }), { restarted: ['files'] }],
    ['another header', withPlugins({ docs: { ...docs, mcp: { url: docs.mcp.url } } }), { restarted: ['docs'] }],
    ['another transport', withPlugins({ docs: { mcp: { command: 'docs' } } }), { restarted: ['docs'] }],
    ['another kind', withPlugins({ docs: './docs' }), { restarted: ['docs'] }],
    ['a module in another place', withPlugins({ local: './b.js' }), { restarted: ['local'] }],
    ['another prefix of a module', withPlugins({ local: { local: './a.js', prefix: 'a_' } }), { adjusted: ['local'] }],
    ['another prefix', withPlugins({ files: { ...files, prefix: 'f_' } }), { adjusted: ['files'] }],
    ['another timeout', withPlugins({ docs: { ...docs, timeout: '6s' } }), { adjusted: ['docs'] }],
    ['another startTimeout', withPlugins({ docs: { ...docs, startTimeout: '6s' } }), { adjusted: ['docs'] }],
    ['another concurrency', withPlugins({ docs: { ...docs, concurrency: 2 } }), { adjusted: ['docs'] }],
    ['dropped tools', withPlugins({ files: { ...files, tools: { drop: ['rm_*'] } } }), { adjusted: ['files'] }],
    [
      'an override',
      withPlugins({ files: { ...files, tools: { overrides: { a: { title: 'A' } } } } }),
      { adjusted: ['files'] },
    ],
    ['what is recorded', { ...BASE, audit: { keep: '1d' } }, { settings: ['audit'] }],
    ['another model', withPlugins({ local: { ai: { ...AI, model: 'b' } } }), { restarted: ['local'] }],
    [
      'who is marked to serve a provider, and the default',
      { ...withPlugins({ files: { ...files, provides: ['lab'] } }), ai: { default: 'lab' } },
      { adjusted: ['files'], settings: ['ai'] },
    ],
    ['limits that plugins inherit', { ...BASE, limits: { timeout: '9s' } }, { settings: ['limits'] }],
    ['another exposure', { ...BASE, expose: ['files_*'] }, { settings: ['expose'] }],
    ['another user', { ...BASE, user: 'ana', users: { ana: {} } }, { settings: ['user', 'users'] }],
    ['roles', { ...BASE, roles: { a: ['files.*'] } }, { settings: ['roles'] }],
    [
      'what guards HTTP',
      { ...BASE, http: { auth: 'tokens', hosts: ['a'], origins: ['https://a.example'] } },
      { settings: ['http.auth', 'http.hosts', 'http.origins'] },
    ],
    ['the length of names', { ...BASE, names: { maxLength: 64 } }, { settings: ['names.maxLength'] }],
    [
      'where HTTP listens',
      { ...BASE, http: { listen: '[::1]:80' } },
      { kept: ['http.listen stays 127.0.0.1:2255 until a restart; the config says [::1]:80 now'] },
    ],
  ])('%s', (_what, config, change) => {
    expect(changeTo(config)).toEqual(change)
  })
})

test('another data folder is named and waits for a restart', () => {
  const folder = testFolder()
  const before = folder.load('dataDir: /a')
  const after = folder.load('{ dataDir: /b, http: { listen: "127.0.0.1:1", origins: ["https://a.example"] } }')
  expect(configChange(before, after).kept).toContain('dataDir stays /a until a restart; the config says /b now')
  expect(runningConfig(before, after)).toMatchObject({
    dataDir: '/a',
    http: { host: '127.0.0.1', port: 2255, origins: ['https://a.example'] },
  })
})

test('auth: none is refused while HTTP is served beyond this machine', () => {
  const folder = testFolder()
  const before = folder.load('http: { listen: "0.0.0.0:2255", auth: tokens }')
  const after = folder.load('http: { listen: "127.0.0.1:2255", auth: none }')
  expect(() => runningConfig(before, after)).toThrow('HTTP is served at 0.0.0.0:2255, beyond this machine')
})

test('only what has nothing in it is unchanged', () => {
  expect(isUnchanged(NOTHING)).toBe(true)
  for (const part of Object.keys(NOTHING)) expect(isUnchanged({ ...NOTHING, [part]: ['x'] })).toBe(false)
})

test('an external plugin that is reached in another way is restarted; how long its start may take applies to the running one', () => {
  const folder = testFolder()
  const load = (entry: object): Config => folder.load(JSON.stringify({ dataDir: 'data', plugins: { notes: entry } }))
  const before = load({ external: { command: 'notes' } })
  const change = (entry: object): ConfigChange => configChange(before, load(entry))
  expect(change({ external: { command: 'notes', transport: 'tls' } }).restarted).toEqual(['notes'])
  expect(change({ external: { address: 'notes.example:4433' } }).restarted).toEqual(['notes'])
  expect(change({ external: { command: 'notes', protocol: 'orchestra' } }).restarted).toEqual(['notes'])
  expect(change({ external: { command: 'notes' }, startTimeout: '5s' }).adjusted).toEqual(['notes'])
  expect(isUnchanged(change({ external: { command: 'notes' } }))).toBe(true)
})

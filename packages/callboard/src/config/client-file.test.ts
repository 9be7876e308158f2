import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from './testing/test-folder.ts'

describe('an mcp.json', () => {
  test('of Claude, with comments and trailing commas, is a config as it is', () => {
    const folder = testFolder()
    const config = folder.load(
      `{
        // what the team uses
        "mcpServers": {
          "files": { "command": "npx", "args": ["-y", "server-files", "\${ROOT:-/srv}"], "env": { "TOKEN": "\${TOKEN}" } },
          "docs": { "type": "http", "url": "https://docs.example.com/mcp", "headers": { "X-Api-Key": "\${env:KEY}" }, },
        },
        "theme": "dark",
      }`,
      { TOKEN: 'tok-0001', KEY: 'key-0001' },
      '.mcp.json',
    )
    expect(config.plugins).toMatchObject([
      {
        id: 'files',
        kind: 'mcp',
        enabled: true,
        timeoutMs: 60_000,
        mcp: { command: 'npx', args: ['-y', 'server-files', '/srv'], env: { TOKEN: 'tok-0001' }, cwd: folder.path },
      },
      { id: 'docs', mcp: { transport: 'http', headers: { 'X-Api-Key': 'key-0001' } } },
    ])
    expect(config.notes).toEqual([
      `only the servers of ${join(folder.path, '.mcp.json')} are read, not \`theme\`; use callboard.yaml for more`,
    ])
  })

  test('of VS Code has `servers` and means the workspace by relative paths', () => {
    const folder = testFolder()
    folder.write('secrets.env', 'FROM_FILE=file-0001\nBOTH=file\n')
    const config = folder.load(
      `{ "inputs": [], "servers": { "a": {
        "type": "stdio", "command": "./run.js", "args": ["\${workspaceFolder}", "\${userHome}", 3],
        "envFile": "\${workspaceFolder}/secrets.env", "env": { "BOTH": "entry", "PORT": 80, "OFF": false, "NONE": null } } } }`,
      {},
      '.vscode/mcp.json',
    )
    expect(config.plugins).toMatchObject([
      {
        mcp: {
          command: join(folder.path, 'run.js'),
          args: [folder.path, join(folder.path, 'home'), '3'],
          env: { FROM_FILE: 'file-0001', BOTH: 'entry', PORT: '80', OFF: 'false' },
          cwd: folder.path,
        },
      },
    ])
    expect(folder.secrets.redact('file-0001')).toBe('[secret]')
  })

  test('may use any client’s word for the address and the type', () => {
    const folder = testFolder()
    const urls = ['url', 'serverUrl', 'httpUrl', 'uri', 'baseUrl'].map((key) => ({ [key]: 'http://127.0.0.1:1/mcp' }))
    const types = ['http', 'streamable-http', 'streamable_http', 'streamableHttp', 'remote', 'sse'].map((type) => ({
      type,
      url: 'http://127.0.0.1:1/mcp',
    }))
    const servers = Object.fromEntries([...urls, ...types].map((entry, index) => [`s${index}`, entry]))
    const config = folder.load(JSON.stringify({ mcpServers: servers }), {}, 'mcp.json')
    expect(config.plugins).toHaveLength(11)
    for (const plugin of config.plugins) expect(plugin).toMatchObject({ mcp: { url: 'http://127.0.0.1:1/mcp' } })
    const spoken = config.plugins.map((plugin) =>
      'mcp' in plugin && 'type' in plugin.mcp ? plugin.mcp.type : 'either',
    )
    const unsaid = urls.map(() => 'either')
    expect(spoken).toEqual([...unsaid, 'http', 'http', 'http', 'http', 'either', 'sse'])
    expect(config.notes).toEqual([])
  })

  test('may have keys of its client in an entry, which are noted; a disabled entry is not enabled', () => {
    const folder = testFolder()
    const config = folder.load(
      `{ "mcpServers": {
        "a": { "command": "x", "autoApprove": [], "alwaysAllow": ["y"], "timeout": 60, "oauth": {}, "icon": "z" },
        "b": { "command": "x", "disabled": true, "env": { "T": "\${GONE}" } },
        "c": { "url": "\${GONE}", "enabled": false },
        "d": { "command": "x", "env": { "T": "$HOME" } } } }`,
      {},
      'mcp.json',
    )
    expect(config.plugins.map(({ id, enabled }) => `${id} ${enabled}`)).toEqual([
      'a true',
      'b false',
      'c false',
      'd true',
    ])
    expect(config.notes).toEqual([
      "mcpServers.a: `autoApprove`, `alwaysAllow`, `timeout`, `oauth`, `icon` have no effect here; settings of Callboard's own go into `plugins`",
      'mcpServers.d: the `$NAME` of T is not expanded here; write `${NAME}`',
    ])
  })

  test('gives its servers ids: what an id cannot hold becomes a hyphen', () => {
    const folder = testFolder()
    const keys = ['My Server', 'io.github.ana/notes', 'a/b/c', '/x', 'ü', 'a:b']
    const servers = Object.fromEntries(keys.map((key) => [key, { command: 'x' }]))
    const config = folder.load(JSON.stringify({ mcpServers: servers }), {}, 'mcp.json')
    expect(config.plugins.map(({ id }) => id)).toEqual(['My-Server', 'io.github.ana/notes', 'a-b-c', '-x', '-', 'a-b'])
  })

  test('is read inside callboard.yaml too, beside `plugins`', () => {
    const folder = testFolder()
    const config = folder.load(
      'expose: all\nplugins: { a: { mcp: { command: x } } }\nmcpServers: { b: { command: y } }',
    )
    expect(config.plugins.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(config.expose).toBe('all')
  })

  test('with `plugins` in it is a callboard config written as JSON', () => {
    const folder = testFolder()
    const text =
      '{ "$schema": "x", "expose": "all", "plugins": { "a": { "mcp": { "command": "x" } } }, "mcpServers": {} }'
    expect(folder.load(text, {}, 'callboard.json').expose).toBe('all')
  })
})

test.each([
  [
    '{ "mcpServers": { "a": { "comand": "x" } } }',
    '1:24: mcpServers.a: expected `command` (a process to start) or `url` (a server that runs)',
  ],
  [
    '{ "mcpServers": { "a": { "command": "x", "url": "y" } } }',
    '1:24: mcpServers.a: expected `command` or `url`, not both',
  ],
  [
    '{ "mcpServers": { "a": { "type": "ws", "url": "y" } } }',
    '1:34: mcpServers.a.type: expected stdio, local, http, streamable-http, streamable_http, streamableHttp, remote or sse',
  ],
  [
    '{ "mcpServers": { "a": { "type": "http", "command": "y" } } }',
    '1:24: mcpServers.a: expected `command` (a process to start) or `url` (a server that runs)',
  ],
  [
    '{ "servers": { "a": { "command": "x", "env": { "K": "${input:key}" } } } }',
    '1:54: mcpServers.a.env.K: ${input:key} asks a person, and nobody can be asked here; write ${VARIABLE} and set it in the environment',
  ],
  [
    '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }',
    '1:44: mcpServers.a: this key stands twice (first on line 1); remove one',
  ],
  ['{ "mcpServers": { "a": { "command": "x", "envFile": "gone" } } }', '1:53: mcpServers.a.envFile: '],
  ['{ "mcpServers": [] }', '1:17: mcpServers: expected a mapping, found a list'],
  ['{ "expose": "al" }', '1:13: expose: expected catalog, all, or a list of patterns such as [github_*]'],
  ["{ 'mcpServers': {} }", '1:3: unexpected text; text and keys stand in double quotes'],
  ['{ "mcpServers": {', '1:18: a "}" is missing'],
  ['{ "mcpServers": { "a": { "command": "C:\\x" } } }', '1:37: unknown escape; write \\\\ for one backslash'],
  ['[]', '1:1: expected a mapping of keys such as `plugins:` at the top'],
])('a fault in a client’s file is named as well: %s', (text, fault) => {
  const folder = testFolder()
  const [first = ''] = folder.faults(text, {}, 'mcp.json')
  expect(first.slice(0, fault.endsWith(': ') ? fault.length : undefined)).toBe(fault)
})

import { describe, expect, test } from 'vitest'
import { Secrets } from '../secrets.ts'
import { loadConfig } from './load-config.ts'
import { testFolder } from './testing/test-folder.ts'

/** What is wrong with a text, the first line of the message. */
const CASES: readonly (readonly [text: string, fault: string])[] = [
  // keys
  ['usr: ana', '1:1: usr: unknown key; did you mean `user`?'],
  ['listen: x', '1:1: listen: unknown key; it belongs under `http`'],
  ['http:\n  lsten: "127.0.0.1:1"', '2:3: http.lsten: unknown key; did you mean `listen`?'],
  ['plugins:\n  a:\n    command: x', '3:5: plugins.a.command: unknown key; it belongs under `mcp`'],
  ['plugins: { a: { mcp: { comand: x } } }', '1:24: plugins.a.mcp.comand: unknown key; did you mean `command`?'],
  [
    'plugins: { a: { external: { command: x, arg: y } } }',
    '1:41: plugins.a.external.arg: unknown key; did you mean `args`?',
  ],
  ['user: owner\nuser: owner', '2:1: user: this key stands twice (first on line 1); remove one'],
  ['plugins:\n  a: x\n  "a": y', '3:3: plugins.a: this key stands twice (first on line 2); remove one'],
  ['__proto__: x', '1:1: __proto__: this cannot be a key; choose another name'],
  // values
  ['- a', '1:1: expected a mapping of keys such as `plugins:` at the top'],
  ['expose: github_*', '1:9: expose: expected catalog, all, or a list of patterns such as [github_*]'],
  ['expose: 3', '1:9: expose: expected catalog, all, or a list of patterns such as [github_*]'],
  ['user: 42', '1:7: user: expected text, found a number; put it in quotes'],
  ['http: { auth: non }', '1:15: http.auth: expected none or tokens; did you mean none?'],
  ['http: { hosts: x }', '1:16: http.hosts: expected a list, found text; put it in [ ]'],
  [
    'http: { origins: ["https://a.example/x"] }',
    '1:19: http.origins[0]: expected an origin such as https://app.example.com, without a path',
  ],
  ['http: { listen: "2255" }', '1:17: http.listen: expected HOST:PORT such as 127.0.0.1:2255 or [::1]:2255'],
  ['names: { maxLength: 31 }', '1:21: names.maxLength: expected at least 32'],
  ['names: { maxLength: 129 }', '1:21: names.maxLength: expected at most 128'],
  ['limits: { concurrency: 1.5 }', '1:24: limits.concurrency: expected a whole number, found a number'],
  [
    'limits: { concurrency: "8" }',
    '1:24: limits.concurrency: expected a number, found text; write the number without quotes',
  ],
  ['limits: { timeout: 60x }', '1:20: limits.timeout: expected a duration such as 500ms, 60s, 2m, 1h or 30d'],
  ['limits: { timeout: 0 }', '1:20: limits.timeout: expected a duration from 1ms to 24d'],
  ['limits: { timeout: 30d }', '1:20: limits.timeout: expected a duration from 1ms to 24d'],
  ['limits: { timeout: -5 }', '1:20: limits.timeout: expected at least 0'],
  ['audit: { keep: 30 }', '1:16: audit.keep: expected a day or more, such as 30d, or 0 to record nothing'],
  ['audit: { maxSize: 100 }', '1:19: audit.maxSize: expected text, found a number; put it in quotes'],
  ['audit: { maxSize: 100mb }', '1:19: audit.maxSize: expected a size such as 500MB or 1.5GB'],
  ['audit: { maxSize: 1MB }', '1:19: audit.maxSize: expected 64MB or more'],
  ['limits: { timeout: 5m, maxTimeout: 1m }', '1:36: limits.maxTimeout: expected at least as much as `timeout`'],
  [
    'plugins:\n  a:\n    local: x\n    enabled: no',
    '4:14: plugins.a.enabled: expected true or false, found text; write false, without quotes',
  ],
  ['plugins:\n  a:\n', '2:5: plugins.a: expected text or a mapping, found nothing; give it a value or remove the key'],
  ['plugins: { a: [x] }', '1:15: plugins.a: expected text or a mapping, found a list'],
  ['plugins: { a: {} }', '1:15: plugins.a: expected exactly one of `mcp`, `local`, `external` and `ai`'],
  [
    'plugins: { a: { local: x, ai: { provider: y, model: z } } }',
    '1:15: plugins.a: expected exactly one of `mcp`, `local`, `external` and `ai`',
  ],
  [
    'plugins: { a: { local: x, startTimeout: 1s } }',
    '1:41: plugins.a.startTimeout: `startTimeout` goes with `mcp` and `external` only',
  ],
  [
    'plugins: { a: { external: {} } }',
    '1:27: plugins.a.external: expected `command` (a process to start) or `address` (where a plugin listens)',
  ],
  [
    'plugins: { a: { external: { command: x, address: "a:1" } } }',
    '1:27: plugins.a.external: expected `command` or `address`, not both',
  ],
  [
    'plugins: { a: { external: { command: x, certs: y } } }',
    '1:27: plugins.a.external: `certs` goes with `address`, not with `command`',
  ],
  [
    'plugins: { a: { external: { address: "a:1", args: [] } } }',
    '1:27: plugins.a.external: `args` goes with `command`, not with `address`',
  ],
  [
    'plugins: { a: { external: { address: "4433" } } }',
    '1:38: plugins.a.external.address: expected HOST:PORT such as plugins.example.com:4433 or [::1]:4433',
  ],
  [
    'plugins: { a: { external: { command: x, transport: udp } } }',
    '1:52: plugins.a.external.transport: expected quic or tls',
  ],
  [
    'plugins: { a: { external: { command: x, protocol: orchestra, transport: tls } } }',
    '1:27: plugins.a.external: `protocol: orchestra` is spoken over QUIC alone; leave `transport` out',
  ],
  [
    'plugins: { a: { external: { address: "a:1", protocol: orchestra } } }',
    '1:27: plugins.a.external: `protocol: orchestra` goes with `command`: such a plugin is always started here',
  ],
  [
    'plugins: { a: { external: { command: x, grants: [tools] } } }',
    '1:27: plugins.a.external: `grants` goes with `protocol: orchestra`; other plugins name the call for which they ask',
  ],
  [
    'plugins: { a: { external: { command: x, boot: { a: b } } } }',
    '1:27: plugins.a.external: `boot` goes with `protocol: orchestra`',
  ],
  [
    'plugins: { a: { external: { command: x, protocol: orchestra, grants: [storgae] } } }',
    '1:71: plugins.a.external.grants[0]: expected storage, tools, events, or permissions such as acme.hello.* that it has outside its calls',
  ],
  [
    'plugins: { a: { external: { command: x, maxStorage: lots } } }',
    '1:53: plugins.a.external.maxStorage: expected a size such as 500MB or 1.5GB',
  ],
  [
    'plugins: { a: { mcp: {} } }',
    '1:22: plugins.a.mcp: expected `command` (a process to start) or `url` (a server that runs)',
  ],
  ['plugins: { a: { mcp: { command: x, url: y } } }', '1:22: plugins.a.mcp: expected `command` or `url`, not both'],
  [
    'plugins: { a: { mcp: { command: x, headers: {} } } }',
    '1:22: plugins.a.mcp: `headers` go with `url`, not with `command`',
  ],
  [
    'plugins: { a: { mcp: { command: x, type: sse } } }',
    '1:22: plugins.a.mcp: `type` goes with `url`, not with `command`',
  ],
  ['plugins: { a: { mcp: { url: "http://x", type: ws } } }', '1:47: plugins.a.mcp.type: expected http or sse'],
  [
    'plugins: { a: { mcp: { url: "http://x", cwd: y } } }',
    '1:22: plugins.a.mcp: `cwd` goes with `command`, not with `url`',
  ],
  [
    'plugins: { a: { mcp: { url: "ws://x" } } }',
    '1:29: plugins.a.mcp.url: expected an address that begins with http:// or https://',
  ],
  [
    'plugins: { a: { mcp: { command: x, env: { PORT: 8080 } } } }',
    '1:49: plugins.a.mcp.env.PORT: expected text, found a number; put it in quotes',
  ],
  [
    'plugins: { a: { mcp: { command: x, env: { "A=B": c } } } }',
    '1:43: plugins.a.mcp.env.A=B: expected the name of a variable, without =',
  ],
  ['plugins: { a: { mcp: { command: "x\\0" } } }', '1:33: plugins.a.mcp.command: a zero character in a text'],
  [
    'plugins: { a: { mcp: { url: "http://x", headers: { A B: c } } } }',
    '1:52: plugins.a.mcp.headers."A B": expected the name of an HTTP header',
  ],
  [
    'plugins: { a: { mcp: { url: "http://x", headers: { A: "x\\ny" } } } }',
    '1:55: plugins.a.mcp.headers.A: a header cannot hold line breaks or characters outside Latin-1',
  ],
  [
    'plugins: { a: { local: x, tools: { overrides: { t: { surfaces: [web] } } } } }',
    '1:65: plugins.a.tools.overrides.t.surfaces[0]: expected mcp or cli',
  ],
  // ids
  [
    'plugins: { "a b": x }',
    '1:12: plugins."a b": not a plugin id; expected letters, digits, ".", "_" and "-", with at most one "/"',
  ],
  [
    'plugins: { a/b/c: x }',
    '1:12: plugins.a/b/c: not a plugin id; expected letters, digits, ".", "_" and "-", with at most one "/"',
  ],
  [
    'plugins: { callboard: x }',
    '1:12: plugins.callboard: "callboard" is reserved for Callboard itself; choose another id',
  ],
  ['plugins: { ai/x: y }', '1:12: plugins.ai/x: "ai" is reserved for Callboard itself; choose another id'],
  ['plugins: { cli.access: y }', '1:12: plugins.cli.access: "cli" is reserved for Callboard itself; choose another id'],
  [
    'plugins:\n  a.b: x\n  a: y',
    '2:3: plugins.a.b: its permissions (a.b.…) would lie among those of plugins.a (a.…); rename one of them',
  ],
  [
    'plugins:\n  a/b: x\n  a: y',
    '2:3: plugins.a/b: its permissions (a.…) would lie among those of plugins.a (a.…); rename one of them',
  ],
  [
    'plugins: { a: x }\nmcpServers: { a: { command: y } }',
    '2:15: mcpServers.a: the same id as plugins.a (a); rename one of them',
  ],
  [
    'mcpServers:\n  a b: { command: y }\n  a-b: { command: y }',
    '3:3: mcpServers.a-b: the same id as mcpServers."a b" (a-b); rename one of them',
  ],
  // what sections say of each other
  [
    'http: { listen: "0.0.0.0:80" }',
    '1:17: http.listen: 0.0.0.0 can be reached from other machines, and `auth: none` lets everybody in; set `auth: tokens`, or listen on 127.0.0.1',
  ],
  ['user: bob\nusers: { ana: {} }', '1:7: user: no user of this name in `users`; known: owner, ana'],
  [
    'roles: { support: [x] }\nusers: { ana: { roles: [suport] } }',
    '2:25: users.ana.roles[0]: unknown role; did you mean `support`?',
  ],
  ['users: { ana: { roles: [x] } }', '1:25: users.ana.roles[0]: no role of this name in `roles`; add it'],
  // variables
  [
    'user: ${WHO}',
    '1:7: user: the variable WHO is not set; set it, put it into the envFile, or give a default: ${WHO:-…}',
  ],
  [
    'user: a-${WHO}',
    '1:9: user: the variable WHO is not set; set it, put it into the envFile, or give a default: ${WHO:-…}',
  ],
  [
    'user: ${PRESEND}',
    '1:7: user: the variable PRESEND is not set (there is PRESENT); set it, put it into the envFile, or give a default: ${PRESEND:-…}',
  ],
  [
    'user: ${WHO',
    '1:7: user: a ${ that is not closed with }; write ${NAME} or ${NAME:-default}, or $${ for a plain ${',
  ],
  [
    'user: ${A-b}',
    '1:7: user: a ${ that does not hold the name of a variable; write ${NAME} or ${NAME:-default}, or $${ for a plain ${',
  ],
  [
    'user: ${A:-${B}}',
    '1:7: user: a ${ that has another ${ inside; write ${NAME} or ${NAME:-default}, or $${ for a plain ${',
  ],
  ['envFile: gone.env', '1:10: envFile: '],
  // YAML
  [
    'user: "ana',
    '1:11: something is not closed or a sign is missing; look for a quote, a bracket, or a space after ":"',
  ],
  ['user: a: b', '1:7: a second ": " in one line; put the value in quotes or on its own line'],
  ['http:\n\tauth: none', '2:1: a tab in the indentation; use spaces'],
  [
    'plugins:\n   a: x\n  b: y',
    '3:1: the indentation does not fit, or a } or ] is missing; the keys of one mapping begin in the same column',
  ],
  ['user: @ana', '1:7: this character cannot begin plain text; put the value in quotes'],
  ['user: "a\\w"', '1:9: unknown escape in double quotes; use single quotes, or \\\\ for one backslash'],
  ['a: 1\n---\nb: 2', '2:1: a second document begins here; one file is one document, without "---" inside'],
  [
    'roles: { all: [*] }',
    '1:16: anchors and aliases (& and *) are not read here; text that begins with * or & must stand in quotes',
  ],
  [
    'roles: { all: [*.view] }',
    '1:16: anchors and aliases (& and *) are not read here; text that begins with * or & must stand in quotes',
  ],
  [
    'user: &who ana',
    '1:12: anchors and aliases (& and *) are not read here; text that begins with * or & must stand in quotes',
  ],
  ['user: !!str ana', '1:13: tags (!…) are not read here; put text that begins with ! in quotes'],
  ['expose: [!!int "5"]', '1:16: tags (!…) are not read here; put text that begins with ! in quotes'],
  ['user: ! ana', '1:9: tags (!…) are not read here; put text that begins with ! in quotes'],
  ['limits: !!map { concurrency: 1 }', '1:15: tags (!…) are not read here; put text that begins with ! in quotes'],
  ['user: !secret ana', '1:7: tags (!…) are not read here; put text that begins with ! in quotes'],
  ['? [a]\n: b', '1:3: a key must be plain text; put it in quotes'],
]

describe('a fault is named by line and column, with what was expected and the mend', () => {
  test.each(CASES)('%j', (text, fault) => {
    const folder = testFolder()
    const [first = ''] = folder.faults(text, { PRESENT: 'x' })
    expect(first.slice(0, fault.endsWith(': ') ? fault.length : undefined)).toBe(fault)
  })
})

test('all faults are named at once, in the order of the file', () => {
  const folder = testFolder()
  const faults = folder.faults(`usr: x
http: { listen: '0.0.0.0:1', auth: none }
limits: { timeout: soon }
plugins:
  github: { mcp: { command: x, args: ['\${GONE}'], env: { A: 1 } } }
  github: x
users: { ana: { roles: [nobody] } }
`)
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    '1:1:',
    '2:17:',
    '3:20:',
    '5:40:',
    '5:61:',
    '6:3:',
    '7:25:',
  ])
})

test('lines end where the file says, and columns count from 1 after a byte order mark', () => {
  const folder = testFolder()
  expect(folder.faults('\uFEFFusr: x\r\nlimits:\r\n  timout: 1\r\n').map((fault) => fault.slice(0, 5))).toEqual([
    '1:1: ',
    '3:3: ',
  ])
})

test('no fault shows what a variable held or what may be a secret', () => {
  const folder = testFolder()
  folder.write('.env', 'KEY=from-file-0001\n')
  const text = `
envFile: .env
plugins:
  a: { mcp: { url: '\${KEY}', headers: { Authorization: literal-0002 } } }
  b: { mcp: { command: x, env: { TOKEN: 12345678 } } }
  c: { mcp: { url: 'ftp://ana:literal-0003@x' } }
`
  const message = folder.faults(text).join('\n')
  expect(message).toContain('plugins.a.mcp.url')
  expect(message).toContain('plugins.b.mcp.env.TOKEN')
  expect(message).toContain('plugins.c.mcp.url')
  expect(message).not.toMatch(/from-file-0001|literal-000|12345678/)
})

test('a file that is no text, no file, or far too large is refused in words', () => {
  const folder = testFolder()
  const load = (name?: string) => () =>
    loadConfig({ file: name, cwd: folder.path, env: {}, home: folder.path, secrets: new Secrets() })
  folder.write('utf16.yaml', Buffer.from('\uFEFFuser: x', 'utf16le'))
  folder.write('large.yaml', ' '.repeat(200_000))
  folder.write('callboard.yaml/x', '')
  expect(load('utf16.yaml')).toThrow('utf16.yaml: this is not UTF-8 text; save it as UTF-8')
  expect(load('large.yaml')).toThrow('large.yaml: larger than 128 KB; this cannot be a config')
  expect(load()).toThrow('cannot be read')
  expect(load('gone.yaml')).toThrow('which `file` names; correct the path')
})

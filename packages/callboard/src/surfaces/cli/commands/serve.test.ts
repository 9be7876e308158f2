import { expect, test } from 'vitest'
import { CallboardError } from '../../../errors.ts'
import { type DoublePlugin, HostDouble } from '../testing/host-double.ts'
import { type RunOptions, runDouble } from '../testing/run-double.ts'
import type { ServeSurfaces } from './serve.ts'

const PLUGINS: readonly DoublePlugin[] = [
  { id: 'files', tools: [{ name: 'read' }] },
  { id: 'github', tools: [], broken: 'command "nope" was not found' },
]

const RECORD = {
  time: 0,
  user: 'ana',
  surface: 'mcp',
  tool: 'plugin:files:read',
  plugin: 'files',
  via: undefined,
  provider: undefined,
  argumentsSize: 2,
  resultSize: 14,
} as const

/** Surfaces that note what is opened and closed, and end the command once everything was started. */
function createSurfaces(stop: AbortController): ServeSurfaces & { readonly events: string[] } {
  const events: string[] = []
  return {
    events,
    http: async (host, { only }) => {
      events.push(`http ${host.config.http.port} ${only ?? 'all'}`)
      setImmediate(() => stop.abort(new CallboardError('cancelled', 'interrupted')))
      return {
        url: 'http://127.0.0.1:2255/mcp',
        close: async () => {
          events.push('closed')
        },
      }
    },
    stdio: async (_host, { only }) => {
      events.push(`stdio ${only ?? 'all'}`)
    },
  }
}

async function serve(line: string, options: RunOptions = {}) {
  const stop = new AbortController()
  const surfaces = createSurfaces(stop)
  const result = await runDouble(line.split(' '), { plugins: PLUGINS, surfaces, signal: stop.signal, ...options })
  return { ...result, events: surfaces.events }
}

test('tells each plugin as it starts and as it is, the address, and how clients connect', async () => {
  const { code, stdout, stderr } = await serve('serve')
  expect(stdout).toBe(
    [
      'files   starting, 1 tool known',
      'github  starting',
      '',
      'Serving MCP at http://127.0.0.1:2255/mcp',
      '',
      '  Claude Code  claude mcp add --transport http callboard http://127.0.0.1:2255/mcp',
      '  Cursor       ~/.cursor/mcp.json: {"mcpServers":{"callboard":{"url":"http://127.0.0.1:2255/mcp"}}}',
      '  VS Code      code --add-mcp \'{"name":"callboard","type":"http","url":"http://127.0.0.1:2255/mcp"}\'',
      '  Codex        codex mcp add callboard --url http://127.0.0.1:2255/mcp',
      '',
      'files   up, 1 tool',
      'github  failed: command "nope" was not found',
      'stopping',
      '',
    ].join('\n'),
  )
  expect([code, stderr]).toEqual([0, ''])
})

test('the surface is closed before the host when it is told to stop', async () => {
  const { events, host } = await serve('serve')
  expect(events).toEqual(['http 2255 all', 'closed'])
  expect(host.disposed).toBe(true)
})

test('with --stdio standard output stays untouched, and it ends when the client goes', async () => {
  const { code, stdout, stderr, events } = await serve('serve --stdio')
  expect([code, stdout, events]).toEqual([0, '', ['stdio all']])
  expect(stderr).toContain('files   up, 1 tool\n')
  expect(stderr).not.toContain('claude mcp add')
})

test('--stdio and --http serve both', async () => {
  expect((await serve('serve --stdio --http')).events).toEqual(['http 2255 all', 'stdio all', 'closed'])
})

test('--only starts and offers one plugin', async () => {
  const { events, host, stdout } = await serve('serve --only files')
  expect(events).toEqual(['http 2255 files', 'closed'])
  expect(host.started).toEqual(['files'])
  expect(stdout).not.toContain('github')
})

test('--only of a plugin that is not there is a usage error', async () => {
  const { code, stderr } = await serve('serve --only filse')
  expect(stderr).toContain('callboard: no plugin "filse"; did you mean "files"?')
  expect(code).toBe(64)
})

test.each([
  ['8080', { host: '127.0.0.1', port: 8080 }],
  [':8080', { host: '127.0.0.1', port: 8080 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['[::1]:2255', { host: '::1', port: 2255 }],
])('--http %s is an address', async (text, listen) => {
  const asked: unknown[] = []
  const openHost: RunOptions['openHost'] = async (options) => {
    asked.push(options.listen)
    return new HostDouble({ plugins: PLUGINS })
  }
  await serve(`serve --http ${text}`, { openHost })
  expect(asked).toEqual([listen])
})

test('each call is one line: user, surface, tool, outcome and time', async () => {
  const host = new HostDouble({ plugins: PLUGINS })
  const stop = new AbortController()
  const surfaces = createSurfaces(stop)
  const http: ServeSurfaces['http'] = async (...args) => {
    const surface = await surfaces.http(...args)
    const call = { ...RECORD, durationMs: 12.3 }
    host.record({ ...call, outcome: 'ok' })
    host.record({ ...call, outcome: 'timeout' })
    return surface
  }
  const run = (line: string) =>
    serve(line, { openHost: async () => host, surfaces: { ...surfaces, http }, signal: stop.signal })
  const lines = (await run('serve')).stdout.split('\n')
  expect(lines.find((line) => line.endsWith('ok  12 ms'))).toMatch(
    /^\d\d:\d\d:\d\d {2}ana {2}mcp {2}plugin:files:read {2}ok/,
  )
  expect(lines.some((line) => line.endsWith('plugin:files:read  timeout  12 ms'))).toBe(true)
})

test('as JSON every line is one object', async () => {
  const { stdout } = await serve('serve --json')
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ event, id, state, url }) => [event, id ?? url, state])).toEqual([
    ['plugin', 'files', 'starting'],
    ['plugin', 'github', 'starting'],
    ['listening', 'http://127.0.0.1:2255/mcp', undefined],
    ['plugin', 'files', 'up'],
    ['plugin', 'github', 'failed'],
    ['stopping', undefined, undefined],
  ])
})

test('what the host has to report is told once', async () => {
  const { stdout } = await serve('serve', { reports: ['two tools are named x'] })
  expect(stdout.match(/note: two tools are named x/g)).toHaveLength(1)
})

test('an address that can not be listened on ends the command with its reason', async () => {
  const surfaces: ServeSurfaces = {
    http: () => Promise.reject(new CallboardError('config', 'cannot listen on 127.0.0.1:2255')),
    stdio: async () => undefined,
  }
  const { code, stderr, host } = await serve('serve', { surfaces })
  expect(stderr).toContain('callboard: cannot listen on 127.0.0.1:2255')
  expect([code, host.disposed, host.started]).toEqual([78, true, []])
})

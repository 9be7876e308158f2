/** Whatever stands in a name, an argument, a query or a manifest: a host answers, soon, and goes on. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, tool } from '@callboard/sdk'
import { CallboardError, createHost, createMcpEndpoint, type Host, loadConfig } from 'callboard'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call, modernCall, openSession, type RawRequest, raw } from '../http/surface.ts'

vi.setConfig({ testTimeout: 60_000 })

const PLUGIN = definePlugin({
  id: 'acme/hello',
  tools: [
    tool({ name: 'acme.hello.echo', args: [{ name: 'message', type: 'string' }], run: ({ message }) => `${message}` }),
  ],
})
const NAME = 'plugin:acme/hello:acme.hello.echo'
const PUBLIC = 'plugin-acme-hello-acme-hello-echo'
const NAMES = [NAME, PUBLIC, 'one_echo', 'ai_prompt']

/** Half surrogate pairs, controls, what means something somewhere, and far more of it than anybody writes. */
const anyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', '\0', '\r\n', '\u001b[2J', '\u202e', ...NAMES),
  fc.tuple(fc.constantFrom(...NAMES), fc.string({ unit: 'binary', maxLength: 5 })).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('x', '\ud800', '_', '.', ':', '名', '\0'), fc.nat(20_000))
    .map(([unit, times]) => unit.repeat(times)),
)
const anyArguments = fc.oneof(
  fc.record({ message: anyString }),
  fc.dictionary(anyString, fc.oneof(anyString, fc.array(anyString, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })), {
    maxKeys: 4,
  }),
)

async function openHost(plugins: Readonly<Record<string, unknown>> = {}): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-strings-'))
  const host = await createHost({
    config: loadConfig({ data: { dataDir, plugins } }),
    plugins: [PLUGIN],
    log: createLog(new Secrets(), 'silent'),
  })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  return host
}

async function urlOf(host: Host): Promise<string> {
  const endpoint = createMcpEndpoint(host, { authenticate: () => 'owner' })
  const server = createServer(endpoint.handler).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    await endpoint.close()
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function expectAlive(host: Host): Promise<void> {
  const answer = await host.invoker.run({ name: NAME, arguments: { message: 'still here' }, user: 'owner' })
  expect(answer).toMatchObject({ content: [{ text: 'still here' }] })
}

describe('no name and no argument crashes', () => {
  test('a host', async () => {
    const host = await openHost({ one: { mcp: fixtureCommand('echo-server') } })
    await fc.assert(
      fc.asyncProperty(anyString, anyArguments, anyString, async (name, args, user) => {
        for (const request of [
          { name, arguments: args, user: 'owner' },
          { name: NAME, arguments: args, user: 'owner' },
          { name: 'one_echo', arguments: args, user: 'owner' },
          { name: NAME, arguments: args, user },
          { name, arguments: args, user: 'owner', provider: name },
          { name: 'call_mcp_tool', arguments: { tool_name: name, arguments: args }, user: 'owner' },
          { name: 'search_mcp_tools', arguments: { query: name }, user: 'owner' },
          { name: 'list_mcp_tools', arguments: { plugin: name }, user: 'owner' },
        ]) {
          const thrown = await host.invoker.run(request).then(
            () => undefined,
            (error: unknown) => error,
          )
          if (thrown !== undefined) expect(thrown).toBeInstanceOf(CallboardError)
        }
        const view = await host.view('owner', 'mcp')
        view.suggest(name, 3)
        view.searchCatalog(name)
        view.listCatalog(name, 3, 0)
      }),
    )
    await expectAlive(host)
  })

  test('an endpoint over HTTP', async () => {
    const host = await openHost({ one: { mcp: fixtureCommand('echo-server') } })
    const url = await urlOf(host)
    const headers = await openSession(url)
    await fc.assert(
      fc.asyncProperty(anyString, anyArguments, async (name, args) => {
        for (const request of [
          { headers, body: call(1, name, args) },
          { headers, body: call(name, NAME, args) },
          modernCall(NAME, args),
          modernCall('call_mcp_tool', { tool_name: name, arguments: args }),
          modernCall('get_mcp_tool', { tool_name: name }),
          modernCall('search_mcp_tools', { query: name }),
        ]) {
          const { status, text } = await raw(url, request)
          expect([status, text]).toEqual([200, expect.stringMatching(/"jsonrpc":"2\.0"/)])
        }
      }),
      { numRuns: 50 },
    )
    await expectAlive(host)
  })
})

const MANIFEST = `package: acme/odd
name: Odd
version: 1.0.0
permissions: [acme.odd.view]
tools:
  - name: acme.odd.echo
    action: ./echo.ts
    permission: acme.odd.view
    surfaces: [mcp, cli]
    args:
      - { name: message, type: string }
`

/** Any text, and a manifest with some places of it replaced by any text. */
const anyManifest = fc.oneof(
  anyString,
  fc
    .array(fc.tuple(fc.nat(MANIFEST.length), fc.nat(12), anyString), { maxLength: 3 })
    .map((edits) => edits.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), MANIFEST)),
)

test('no manifest of a plugin crashes a host, or keeps it from its other plugins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-manifests-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let count = 0
  await fc.assert(
    fc.asyncProperty(anyManifest, async (manifest) => {
      const plugin = join(folder, String(count++))
      mkdirSync(plugin)
      writeFileSync(join(plugin, 'echo.ts'), 'export default () => "odd"\n')
      writeFileSync(join(plugin, 'plugin.yaml'), manifest)
      const config = loadConfig({ data: { dataDir: join(plugin, 'data'), plugins: { 'acme/odd': plugin } } })
      const host = await createHost({ config, plugins: [PLUGIN], log: createLog(new Secrets(), 'silent') })
      try {
        await host.start()
        const odd = host.plugins().find(({ id }) => id === 'acme/odd')
        expect(odd?.state).toMatch(/^(up|down|failed)$/)
        await expectAlive(host)
      } finally {
        await host[Symbol.asyncDispose]()
      }
    }),
    { numRuns: 60 },
  )
})

const MEGABYTE = 1_000_000

/** Processor time of the whole process, in seconds, which includes what the client of the test takes. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

describe('a megabyte', () => {
  const megabytes: Readonly<Record<string, string>> = {
    'one letter': 'x'.repeat(MEGABYTE),
    'many words': 'echo word '.repeat(MEGABYTE / 10),
    'different words': Array.from({ length: MEGABYTE / 8 }, (_, index) => `w${index + 100_000}`).join(' '),
    'almost a name': `${NAME.slice(0, -1)}${'_'.repeat(MEGABYTE)}`,
    dots: '.'.repeat(MEGABYTE),
    'half pairs': '\ud800'.repeat(MEGABYTE / 3),
    controls: '\u0001'.repeat(MEGABYTE / 6),
    'other scripts': '名'.repeat(MEGABYTE / 3),
  }

  test.each(Object.entries(megabytes))('of %s is answered within a second of processor time', async (_, text) => {
    const host = await openHost({ one: { mcp: fixtureCommand('echo-server') } })
    const url = await urlOf(host)
    const headers = await openSession(url)
    const post = async (request: RawRequest): Promise<void> => {
      expect((await raw(url, request)).status).toBe(200)
    }
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'as a name': () => post({ headers, body: call(1, text) }),
      'as an argument': () => post(modernCall(PUBLIC, { message: text })),
      'as the name of an argument': () => post(modernCall(PUBLIC, { [text]: 1 })),
      'as the argument of a server': () => post(modernCall('one_echo', { message: text })),
      'as a query': () => post(modernCall('search_mcp_tools', { query: text })),
      'as a name within': () => post(modernCall('call_mcp_tool', { tool_name: text })),
      'as a name that is looked up': () => post(modernCall('get_mcp_tool', { tool_name: text })),
      'as a plugin': () => post(modernCall('list_mcp_tools', { plugin: text })),
      'as a name in the library': () =>
        host.invoker.run({ name: text, arguments: {}, user: 'owner' }).catch((error: unknown) => error),
      'as a query in the library': async () => (await host.view('owner', 'mcp')).searchCatalog(text),
      'as a suggestion in the library': async () => (await host.view('owner', 'mcp')).suggest(text, 3),
    }
    for (const [way, ask] of Object.entries(ways)) {
      const seconds = await secondsOf(ask)
      expect([way, seconds < 1 || seconds]).toEqual([way, true])
    }
    await expectAlive(host)
  })

  test('of a manifest is refused within a second of processor time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-manifest-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const tools = '  - { name: acme.odd.echo, action: ./echo.ts }\n'
    writeFileSync(join(folder, 'plugin.yaml'), `${MANIFEST}${tools.repeat(MEGABYTE / tools.length)}`)
    expect(await secondsOf(() => openHost({ 'acme/odd': folder }))).toBeLessThan(1)
    const host = await openHost({ 'acme/odd': folder })
    expect(host.plugins().find(({ id }) => id === 'acme/odd')).toMatchObject({
      state: expect.stringMatching(/down|failed/),
      reason: expect.stringContaining('larger than'),
    })
    await expectAlive(host)
  })
})

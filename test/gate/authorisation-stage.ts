/** Every way on which a tool can be seen or run, asked about one tool, for the table of who may. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Surface } from '@callboard/sdk'
import { type ActingUser, createHost, createMcpEndpoint, type Host, loadConfig } from 'callboard'
import { messageOf } from '../../packages/callboard/src/errors.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { runCommandLine } from '../../packages/callboard/src/surfaces/cli/command-line.ts'
import { createTerminal } from '../../packages/callboard/src/surfaces/cli/output/terminal.ts'
import { offerOverHttp } from '../../packages/callboard/src/surfaces/mcp/offer-over-http.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call as legacyCall, modernCall, openSession, raw } from '../http/surface.ts'

/** How things stand; each field is a column of the table. */
export interface Situation {
  readonly kind: 'mcp' | 'local'
  /** All but `on` have to look alike; `off` is the config's word, the other two are the owner's. */
  readonly plugin: 'on' | 'off' | 'switched off' | 'on, but the tool switched off' | 'gone'
  readonly surfaces: readonly Surface[]
  /** Whether the role of the member grants the permission of the tool. */
  readonly granted: boolean
}

/** What somebody does, and what was answered. */
export interface Path {
  readonly name: string
  readonly surface: Surface
  /** Stands in the answer when the tool is there, and only then. */
  readonly seen: string
  readonly isCommand?: boolean
  /** Whether it is gone with a token, which nobody can make for a user who is not known. */
  readonly isByToken?: boolean
  /** Whether it speaks of plugins, all of which the owner knows of. */
  readonly isOfPlugins?: boolean
  ask(user: ActingUser): Promise<string>
}

export interface AuthorisationStage extends AsyncDisposable {
  readonly host: Host
  readonly paths: readonly Path[]
  become(situation: Situation): Promise<void>
}

const LOCAL = join(import.meta.dirname, '../local-plugin/plugins/vault.ts')

export const USERS = { owner: 'owner', member: 'ana', unknown: 'nobody', disabled: 'cem' } as const

/** The tool is `plugin:vault:echo`; another plugin is always there, so that there is something to be suggested. */
export async function authorisationStage(): Promise<AuthorisationStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-authorisation-'))
  const configOf = ({ kind, plugin, surfaces, granted }: Situation): Host['config'] => {
    const vault = {
      ...(kind === 'mcp' ? { mcp: fixtureCommand('echo-server') } : { local: LOCAL, prefix: 'vault_' }),
      enabled: plugin !== 'off',
      tools: {
        keep: ['echo'],
        overrides: { echo: { permission: 'safe.open', surfaces, description: 'Opens sesame.' } },
      },
    }
    return loadConfig({
      data: {
        dataDir,
        plugins: {
          ...(plugin !== 'gone' && { vault }),
          other: { mcp: fixtureCommand('echo-server'), tools: { keep: ['echo', 'pid'] } },
        },
        http: { listen: '127.0.0.1:0', auth: 'tokens' },
        roles: { member: ['other.*', 'cli.access', ...(granted ? ['safe.open'] : [])], all: ['*'] },
        users: { ana: { roles: ['member'] }, cem: { roles: ['all'], disabled: true } },
      },
    })
  }
  const opening: Situation = { kind: 'mcp', plugin: 'on', surfaces: ['mcp', 'cli'], granted: true }
  const host = await createHost({ config: configOf(opening), log: createLog(new Secrets(), 'silent') })
  await host.start()
  const mounted = await mount(host)
  const offered = await offerOverHttp(host, {})
  const overMcp = mcpPaths(mounted.url, asUser)
  // The first request of a client is answered by the SDK, whose JSON is in another order.
  for (const path of overMcp.slice(0, 1)) await path.ask('owner')
  return {
    host,
    paths: [
      ...overMcp,
      ...sessionPaths(mounted.url),
      ...tokenPaths(host, offered.url),
      ...commandPaths(host),
      ...libraryPaths(host),
    ],
    become: async (situation) => {
      await switchOn(host)
      host.reconfigure(configOf(situation))
      await host.start()
      if (situation.plugin === 'switched off') host.switches.setPlugin('vault', false)
      if (situation.plugin === 'on, but the tool switched off') await host.switches.setTool(NAMES.namespaced, false)
    },
    [Symbol.asyncDispose]: async () => {
      await mounted.close()
      await offered.close()
      await host[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Takes back whatever is switched off. */
async function switchOn({ switches }: Host): Promise<void> {
  for (const { kind, name } of switches.all()) {
    if (kind === 'plugin') switches.setPlugin(name, true)
    else await switches.setTool(name, true)
  }
}

async function mount(host: Host): Promise<{ readonly url: string; close(): Promise<void> }> {
  const endpoint = createMcpEndpoint(host, { authenticate: ({ headers }) => JSON.parse(String(headers['x-user'])) })
  const server = createServer(endpoint.handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const close = async (): Promise<void> => {
    await endpoint.close()
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, close }
}

const NAMES = { public: 'vault_echo', namespaced: 'plugin:vault:echo' }
const CALLS = Object.entries(NAMES)
const SAID = { word: 'sesame' }

type HeadersOf = (user: ActingUser) => Record<string, string>

/** To the endpoint that an application mounts, which says itself who acts. */
const asUser: HeadersOf = (user) => {
  const given = typeof user === 'string' ? user : { user: user.name, permissions: user.within }
  return { 'x-user': JSON.stringify(given) }
}

/** Some of the ways of a client of 2025-11-25, in one session of each user that lasts while things change around it. */
function sessionPaths(url: string): readonly Path[] {
  const sessions = new Map<string, Promise<Record<string, string>>>()
  const sessionOf = async (user: ActingUser): Promise<Record<string, string>> => {
    const headers = asUser(user)
    const key = JSON.stringify(headers)
    const session = sessions.get(key) ?? openSession(url, headers)
    sessions.set(key, session)
    return { ...headers, ...(await session) }
  }
  const ask =
    (body: unknown): Path['ask'] =>
    async (user) => {
      const { status, text } = await raw(url, { headers: await sessionOf(user), body })
      // Each event of a stream has a number of its own.
      return `${status} ${text.replace(/^id: .*$/gm, '')}`
    }
  const path = (name: string, seen: string, body: unknown): Path => ({
    name: `${name} in a session`,
    surface: 'mcp',
    seen,
    ask: ask(body),
  })
  return [
    path('tools/list', NAMES.public, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    path('search_mcp_tools', NAMES.public, legacyCall(1, 'search_mcp_tools', { query: 'open sesame' })),
    path('get_mcp_tool', 'Opens sesame', legacyCall(1, 'get_mcp_tool', { tool_name: NAMES.public })),
    path('a suggestion', `\\"${NAMES.public}\\"`, legacyCall(1, 'get_mcp_tool', { tool_name: 'vault_ech' })),
    ...CALLS.flatMap(([kind, name]) => [
      path(`tools/call by ${kind} name`, 'sesame', legacyCall(1, name, SAID)),
      path(
        `call_mcp_tool by ${kind} name`,
        'sesame',
        legacyCall(1, 'call_mcp_tool', { tool_name: name, arguments: SAID }),
      ),
    ]),
  ]
}

/** What else there is over MCP goes through the same endpoint, where the token has become a user by then. */
const BY_TOKEN = new Set(['list_mcp_tools', 'search_mcp_tools by words', 'tools/call by public name'])

/** The ways of a client that comes with a token of the user, narrowed as the user is. */
function tokenPaths(host: Host, url: string): readonly Path[] {
  const tokens = new Map<string, string>()
  const withToken: HeadersOf = (acting) => {
    const { name: user, within: permissions } = typeof acting === 'string' ? { name: acting } : acting
    const key = JSON.stringify([user, permissions])
    const token =
      tokens.get(key) ??
      host.tokens.create({ name: `token-${tokens.size}`, user, ...(permissions !== undefined && { permissions }) }).text
    tokens.set(key, token)
    return { authorization: `Bearer ${token}` }
  }
  return mcpPaths(url, withToken)
    .filter(({ name }) => BY_TOKEN.has(name))
    .map((path) => ({ ...path, name: `${path.name} with a token`, isByToken: true }))
}

function mcpPaths(url: string, headersOf: HeadersOf): readonly Path[] {
  const call =
    (name: string, args: Record<string, unknown>) =>
    async (user: ActingUser): Promise<string> => {
      const { headers, ...request } = modernCall(name, args)
      const { status, text } = await raw(url, { ...request, headers: { ...headers, ...headersOf(user) } })
      return `${status} ${text}`
    }
  const list = async (user: ActingUser): Promise<string> => {
    const { headers = {}, body } = modernCall('')
    const { 'mcp-name': _, ...rest } = headers
    const { _meta } = Object(body).params
    const { text } = await raw(url, {
      headers: { ...rest, ...headersOf(user), 'mcp-method': 'tools/list' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } },
    })
    return text
  }
  const path = (name: string, seen: string, ask: Path['ask']): Path => ({ name, surface: 'mcp', seen, ask })
  return [
    path('tools/list', NAMES.public, list),
    path('list_mcp_tools', NAMES.public, call('list_mcp_tools', {})),
    path('list_mcp_tools of the plugin', `\`${NAMES.public}\``, call('list_mcp_tools', { plugin: 'vault' })),
    path('search_mcp_tools by name', 'Opens sesame', call('search_mcp_tools', { query: NAMES.public })),
    path('search_mcp_tools by words', NAMES.public, call('search_mcp_tools', { query: 'open sesame' })),
    path(
      'search_mcp_tools by words of others',
      NAMES.public,
      call('search_mcp_tools', { query: 'find a tool to echo something' }),
    ),
    path('get_mcp_tool', 'Opens sesame', call('get_mcp_tool', { tool_name: NAMES.public })),
    path('a suggestion', `\\"${NAMES.public}\\"`, call('get_mcp_tool', { tool_name: 'vault_ech' })),
    ...CALLS.flatMap(([kind, name]) => [
      path(`tools/call by ${kind} name`, 'sesame', call(name, SAID)),
      path(`call_mcp_tool by ${kind} name`, 'sesame', call('call_mcp_tool', { tool_name: name, arguments: SAID })),
      path(
        `call_mcp_tool with a provider by ${kind} name`,
        'takes no provider',
        call('call_mcp_tool', { tool_name: name, provider: 'x' }),
      ),
    ]),
  ]
}

function commandPaths(host: Host): readonly Path[] {
  const command =
    (...words: readonly string[]) =>
    async (user: ActingUser): Promise<string> => {
      const written: string[] = []
      const stream = (name: string) => ({ write: (text: string) => written.push(`${name}: ${text}`) })
      const code = await runCommandLine(words, {
        version: '0',
        terminal: createTerminal({ stdout: stream('out'), stderr: stream('err'), stdin: none() }, {}),
        surfaces: { http: () => Promise.reject(new Error('not served')), stdio: async () => undefined },
        signal: new AbortController().signal,
        place: { cwd: '/', env: {}, home: '/' },
        openHost: () => Promise.reject(new Error('a host was opened')),
        lent: { host, user: String(user), running: { pid: 1, since: 0, version: '0', address: 'stdio' } },
      })
      return [...written, `exit ${code}`].join('')
    }
  const path = (name: string, seen: string, ask: Path['ask']): Path => ({
    name,
    surface: 'cli',
    isCommand: true,
    seen,
    ask,
  })
  return [
    path('callboard list', NAMES.namespaced, command('list')),
    path('callboard list --plugins', 'vault\t1 tool', command('list', '--plugins')),
    path('callboard search', NAMES.namespaced, command('search', 'open', 'sesame')),
    { ...path('callboard list --plugin', NAMES.namespaced, command('list', '--plugin', 'vault')), isOfPlugins: true },
    { ...path('callboard plugins', 'vault\t', command('plugins')), isOfPlugins: true },
    path('a suggestion of the command line', `"${NAMES.namespaced}"`, command('show', 'vault_ech')),
    path('a suggestion for a call', `"${NAMES.namespaced}"`, command('call', 'vault_ech')),
    ...CALLS.flatMap(([kind, name]) => [
      path(`callboard show by ${kind} name`, 'Opens sesame', command('show', name)),
      path(`callboard call by ${kind} name`, 'sesame', command('call', name, '--arg', 'word=sesame')),
      path(`callboard call --help by ${kind} name`, 'Opens sesame', command('call', name, '--help')),
    ]),
  ]
}

function libraryPaths(host: Host): readonly Path[] {
  const settled = (work: Promise<unknown>): Promise<string> =>
    work.then(
      (value) => JSON.stringify(value) ?? 'undefined',
      (error: unknown) => `threw ${messageOf(error)}`,
    )
  const definition = { package: 'vault', name: 'echo', action: 'echo' }
  return (['mcp', 'cli'] as const).flatMap((surface) => {
    const path = (name: string, seen: string, ask: Path['ask']): Path => ({
      name: `${name} on ${surface}`,
      surface,
      seen,
      ask,
    })
    return [
      path('the view', NAMES.public, (user) =>
        settled(
          host
            .view(user, surface)
            .then((view) => [
              view.listCatalog('', 0, 0),
              view.catalogCount(''),
              view.catalogCount('vault'),
              view.listPluginIds(),
              view.searchCatalog('sesame'),
              view.searchCatalog(''),
              view.getCatalogEntry(NAMES.public) ?? null,
              view.getCatalogEntry(NAMES.namespaced) ?? null,
              view.suggest('vault_ech', 3),
              view.tools.length,
            ]),
        ),
      ),
      ...CALLS.map(([kind, name]) =>
        path(`invoker.run by ${kind} name`, 'sesame', (user) =>
          settled(host.invoker.run({ name, arguments: SAID, user, surface })),
        ),
      ),
      path('invoker.invoke by definition', 'sesame', (user) =>
        settled(host.invoker.invoke(definition, SAID, user, { surface })),
      ),
    ]
  })
}

async function* none(): AsyncGenerator<string> {}

/** Every example of docs/library.md is a file beside those of examples/embed, or a command; and nothing public is missing there. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { definePlugin, tool } from '@callboard/sdk'
import {
  CallboardError,
  type CatalogView,
  createHost,
  createMcpEndpoint,
  type ErrorCode,
  type Gate,
  type Host,
  type HostOptions,
  type InvokeRequest,
  loadConfig,
  type McpEndpoint,
  type McpEndpointOptions,
  PluginToolRegistry,
} from 'callboard'
import express, { type Express } from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from './cli/run-command.ts'
import { exportsOf, listedExports } from './exports-of.ts'
import { connectClient, initialize, raw } from './http/surface.ts'
import { checkTypes, readPage, writeProject } from './page-project.ts'

const project = readPage('docs/library.md')
const { text: page, blocks, files, commands } = project

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'callboard-library-page-'))
  cpSync(join(ROOT, 'examples/embed'), folder, { recursive: true })
  writeProject(project, folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the examples of docs/library.md', () => {
  test('are these', () => {
    expect(files.map(({ name }) => name)).toEqual([
      'first.ts',
      'host.ts',
      'look.ts',
      'sell.ts',
      'mount-node.ts',
      'mount-express.ts',
      'mount-fastify.ts',
      'watch.ts',
      'change.ts',
      'registry.ts',
      'log.ts',
      'end.ts',
    ])
    expect(blocks).toHaveLength(files.length + commands.length)
  })

  test.each(commands)('$command does what the page says', async ({ command, output }) => {
    const [program, file = '', ...rest] = command.replace(/^npx /, '').split(' ')
    expect([program, rest]).toEqual(['node', []])
    // The example itself runs in its own test.
    if (output === undefined) return void expect(existsSync(join(ROOT, file))).toBe(true)
    const env = { PATH: process.env.PATH, XDG_DATA_HOME: join(folder, 'home') }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env })
    expect([stdout, stderr]).toEqual([output, ''])
  })

  test('have the types that they say', async () => {
    await checkTypes(folder)
  })
})

/** What the page's file exports. */
async function mountOf<App, Mounted>(name: string): Promise<(app: App, endpoint: McpEndpoint) => Mounted> {
  const { mount } = await import(pathToFileURL(join(folder, name)).href)
  return mount
}

/** Puts the endpoint beside `/` of an application, and makes its server. */
type Mount = (endpoint: McpEndpoint) => Promise<Server>

const inNode: Mount = async (endpoint) => {
  const mount = await mountOf<RequestListener, RequestListener>('mount-node.ts')
  return createServer(mount((_request, response) => response.end('a page'), endpoint)).listen(0, '127.0.0.1')
}

const inExpress =
  (isParsed: boolean): Mount =>
  async (endpoint) => {
    const mount = await mountOf<Express, void>('mount-express.ts')
    const app = express()
    if (isParsed) app.use(express.json())
    mount(app, endpoint)
    app.get('/', (_request, response) => void response.send('a page'))
    return app.listen(0, '127.0.0.1')
  }

const inFastify: Mount = async (endpoint) => {
  const mount = await mountOf<FastifyInstance, void>('mount-fastify.ts')
  const app = fastify()
  mount(app, endpoint)
  app.get('/', async () => 'a page')
  await app.ready()
  return app.server.listen(0, '127.0.0.1')
}

describe('an endpoint that is mounted and ended as the page says', () => {
  test.each([
    ['node:http', inNode],
    ['Express', inExpress(false)],
    ['Express after its parser', inExpress(true)],
    ['Fastify', inFastify],
  ])('serves its users in %s, beside the pages', async (_, mount) => {
    const greeter = definePlugin({ id: 'greeter', tools: [tool({ name: 'greet', run: (_args, { user }) => user })] })
    const config = loadConfig({ data: { dataDir: './mounted' }, cwd: folder })
    const gate: Gate = { allows: (user) => user === 'ana' }
    const host = await createHost({ config, plugins: [greeter], gate })
    await host.start()
    const endpoint = createMcpEndpoint(host, { authenticate: ({ headers }) => headers['x-user']?.toString() })
    const server = await mount(endpoint)
    onTestFinished(() => server.closeAllConnections())
    if (!server.listening) await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

    for (const mode of ['legacy', 'modern'] as const) {
      const client = await connectClient(`${url}/mcp`, mode, { 'x-user': 'ana' })
      const { content } = await client.callTool({ name: 'greet', arguments: {} })
      expect(content).toEqual([{ type: 'text', text: 'ana' }])
      await client.close()
      const other = await connectClient(`${url}/mcp`, mode, { 'x-user': 'ben' })
      expect((await other.listTools()).tools.map(({ name }) => name)).not.toContain('greet')
      await other.close()
    }
    expect((await raw(url, { body: initialize })).status).toBe(401)
    expect(await raw(url, { path: '/', method: 'GET' })).toMatchObject({ status: 200, text: 'a page' })

    const client = await connectClient(`${url}/mcp`, 'legacy', { 'x-user': 'ana' })
    const closed = once(server, 'close')
    const { end } = await import(pathToFileURL(join(folder, 'end.ts')).href)
    await end(server, endpoint, host)
    await client.close()
    await closed
  })
})

/** All keys of a type: whichever is forgotten or too many, the compiler says so. */
function keysOf<Type>(keys: Readonly<Record<Exclude<keyof Type, symbol>, true>>): readonly string[] {
  return Object.keys(keys)
}

const HOST = keysOf<Host>({
  config: true,
  log: true,
  secrets: true,
  invoker: true,
  people: true,
  tokens: true,
  switches: true,
  view: true,
  allows: true,
  plugins: true,
  reports: true,
  audit: true,
  checkSchemas: true,
  start: true,
  restart: true,
  reconfigure: true,
  refuseConfig: true,
  onReconfigure: true,
  onCatalogChange: true,
  onPeopleChange: true,
  onPluginChange: true,
  onCall: true,
})
const OPTIONS = [
  ...keysOf<HostOptions>({ config: true, plugins: true, secrets: true, log: true, gate: true }),
  ...keysOf<McpEndpointOptions>({ authenticate: true, challenge: true }),
  ...keysOf<Gate>({ allows: true, admits: true }),
]
const REQUEST = keysOf<InvokeRequest>({
  name: true,
  arguments: true,
  user: true,
  surface: true,
  signal: true,
  onProgress: true,
  log: true,
  meta: true,
  provider: true,
  onResolve: true,
  refusal: true,
  via: true,
  depth: true,
  callers: true,
  inPlaceOf: true,
  view: true,
  takesEncoded: true,
  writtenArguments: true,
})
const METHODS = [
  ...keysOf<Pick<McpEndpoint, 'handler' | 'disconnect' | 'close'>>({ handler: true, disconnect: true, close: true }),
  ...keysOf<CatalogView>({
    listCatalog: true,
    catalogCount: true,
    searchCatalog: true,
    search: true,
    getCatalogEntry: true,
    listPluginIds: true,
    resolve: true,
    suggest: true,
    tools: true,
    prepare: true,
  }),
]
const statusOf = (code: ErrorCode): number => new CallboardError(code, '').httpStatus
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  usage: statusOf('usage'),
  invalid_arguments: statusOf('invalid_arguments'),
  not_found: statusOf('not_found'),
  tool_failed: statusOf('tool_failed'),
  unavailable: statusOf('unavailable'),
  interrupted: statusOf('interrupted'),
  timeout: statusOf('timeout'),
  cancelled: statusOf('cancelled'),
  denied: statusOf('denied'),
  config: statusOf('config'),
  internal: statusOf('internal'),
}

describe('the public surface', () => {
  const exported = exportsOf('packages/callboard/src/index.ts')

  test('is what the page lists', () => {
    expect(listedExports(page).sort()).toEqual(exported.map(({ name }) => name).sort())
  })

  test.each(exported)('has documentation of $name where it stands', ({ name, file }) => {
    const source = readFileSync(file, 'utf8')
    const reexport = new RegExp(`^export type \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`, 'm').exec(source)
    // What is passed on has its documentation where it comes from; that of the SDK is looked at there.
    const home = reexport?.[1]?.startsWith('.') ? readFileSync(join(file, '..', reexport[1]), 'utf8') : source
    if (reexport?.[1] === '@callboard/sdk') return
    expect(home).toMatch(new RegExp(`\\*/\\nexport (?:async )?(?:class|const|function|interface|type) ${name}\\b`))
  })

  test('is explained, member by member', () => {
    const missing = [...HOST, ...OPTIONS, ...METHODS, ...REQUEST].filter(
      (member) => !new RegExp(`\`(?:await )?(?:\\w+\\.)*${member}[\`( :.]`).test(page),
    )
    const methods = Object.getOwnPropertyNames(PluginToolRegistry.prototype).filter((name) => name !== 'constructor')
    missing.push(...methods.filter((name) => !page.includes(`| \`${name}(`)))
    expect(missing).toEqual([])
  })

  test('has the codes of errors that the page says, with their HTTP status', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d{3}) /gm)].map(([, code, status]) => [code, Number(status)])
    expect(Object.fromEntries(rows)).toEqual(STATUSES)
  })
})

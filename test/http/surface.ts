/** What the tests of the HTTP surface share: a running surface with a few tools, and raw requests to it. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { nameOf } from '../../packages/callboard/src/gate/acting-user.ts'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { NO_TOKEN } from '../../packages/callboard/src/surfaces/mcp/http/challenge.ts'
import {
  type HttpOptions,
  type HttpSurface,
  serveHttp,
} from '../../packages/callboard/src/surfaces/mcp/http/serve-http.ts'
import type { ServerContext } from '../../packages/callboard/src/surfaces/mcp/http/server-context.ts'
import type { ToolCalls } from '../../packages/callboard/src/surfaces/mcp/http/tool-calls.ts'
import { Readers } from '../../packages/callboard/src/surfaces/readers.ts'

/** A surface under test, and what its servers have seen. */
export interface Subject extends AsyncDisposable {
  readonly surface: HttpSurface
  readonly url: string
  /** For whom a server was made, in order. */
  readonly made: ServerContext[]
  /** The servers that were made. */
  readonly servers: Server[]
  /** Emits `hanging` and `aborted` for calls of the tool `hang`. */
  readonly calls: EventTarget
}

/** The user is what the request says in `x-user`, else ana; `x-user: nobody` is not let in. */
const authenticate: HttpOptions['authenticate'] = ({ headers }) => {
  const user = String(headers['x-user'] ?? 'ana')
  return user === 'nobody' ? NO_TOKEN : { id: user, user }
}

export async function startSurface(options: Partial<HttpOptions> = {}): Promise<Subject> {
  const made: ServerContext[] = []
  const servers: Server[] = []
  const calls = new EventTarget()
  const toolCalls = createToolCalls(calls)
  const { log = createLog(new Secrets(), 'silent') } = options
  const surface = await serveHttp({
    listen: { host: '127.0.0.1', port: 0 },
    hosts: [],
    origins: [],
    log,
    readers: new Readers(log),
    authenticate,
    createServer: (context) => {
      made.push(context)
      const server = createToolServer(context, toolCalls)
      servers.push(server)
      return server
    },
    toolCalls,
    ...options,
  })
  return { surface, url: surface.url, made, servers, calls, [Symbol.asyncDispose]: () => surface.close() }
}

const TOOLS = ['echo', 'whoami', 'steps', 'hang', 'big', 'deep', 'burst', 'refuse']

function createToolServer(context: ServerContext, toolCalls: ToolCalls): Server {
  const server = new Server({ name: 'subject', version: '0' }, { capabilities: { tools: { listChanged: true } } })
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler('tools/call', async (request, { mcpReq }) => ({
    content: [],
    ...(await toolCalls.call({ ...request, jsonrpc: '2.0', id: mcpReq.id }, context, mcpReq)),
  }))
  return server
}

function createToolCalls(calls: EventTarget): ToolCalls {
  return {
    serverInfo: { name: 'subject', version: '0' },
    call: async ({ params = {} }, { caller }, { signal, notify }) => {
      const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
      const { message, bytes }: { message?: string; bytes?: number } = Object(params.arguments)
      if (params.name === 'whoami') return text(nameOf(caller.user))
      if (params.name === 'big') return text('x'.repeat(bytes ?? 0))
      if (params.name === 'deep') return { content: [], structuredContent: deep() }
      if (params.name === 'refuse') throw new ProtocolError(-32050, 'not today', { until: 'tomorrow' })
      if (params.name === 'steps') {
        const progressToken = params._meta?.progressToken ?? 0
        for (let progress = 1; progress <= 3; progress += 1)
          await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
      }
      if (params.name === 'burst') {
        const message = 'x'.repeat(1000)
        const progressToken = params._meta?.progressToken ?? 0
        for (let progress = 1; progress <= 10_000; progress += 1)
          void notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      }
      if (params.name === 'hang') {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve())
          calls.dispatchEvent(new Event('hanging'))
        })
        calls.dispatchEvent(new Event('aborted'))
      }
      return text(message ?? 'done')
    },
  }
}

/** An object that is nested too deeply for `JSON.stringify`, though `JSON.parse` takes it. */
export function deep(): Record<string, unknown> {
  return JSON.parse(`${'{"0":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
}

/** Resolves at the next event of that name. */
export function next(target: EventTarget, name: string): Promise<void> {
  return new Promise((resolve) => target.addEventListener(name, () => resolve(), { once: true }))
}

/** Resolves when `holds` does; rejects after five seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not come true in time: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export async function connectClient(
  url: string,
  mode: 'legacy' | 'modern',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: mode === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}

/** A subscription to changes of the list of tools. */
export const LISTEN: RawRequest = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  body: {
    jsonrpc: '2.0',
    id: 'sub',
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
}

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  /** Sent as it is when text, as JSON otherwise; without one nothing is sent. */
  readonly body?: unknown
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** One request as `node:http` sends it, with the headers of a well-behaved client unless they are overridden. */
export async function raw(url: string, options: RawRequest): Promise<RawAnswer> {
  const answer = await open(url, options)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }
}

/** The same, without reading the body of the answer. */
export function open(url: string, { method = 'POST', path, headers = {}, body }: RawRequest): Promise<IncomingMessage> {
  const target = new URL(path ?? '/mcp', url)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const usual = {
    accept: 'application/json, text/event-stream',
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(target, { method, headers: { ...usual, ...headers }, agent: false }, resolve)
    request.on('error', reject)
    request.end(text)
  })
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
}

/** Opens a session and resolves with the header that names it. */
export async function openSession(url: string, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await raw(url, { body: initialize, headers })
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']) }
}

/** A request that calls a tool, of the old era unless `_meta` says otherwise. */
export function call(id: number | string, name: string, args: Record<string, unknown> = {}): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/** The same of 2026-07-28, with the headers that go with it. */
export function modernCall(name: string, args: Record<string, unknown> = {}): RawRequest {
  return {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  }
}

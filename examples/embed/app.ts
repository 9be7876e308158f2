/** A theatre's box office: an HTTP application whose users, and their agents at /mcp, use the tools of two plugins. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CallboardError, createHost, createMcpEndpoint, loadConfig } from 'callboard'
import { seatsPlugin } from './seats.ts'
import { gate, issueKeys, userOf } from './users.ts'

const seats = new Map(['A1', 'A2', 'G1', 'G2'].map((seat) => [seat, undefined]))
const host = await createHost({
  config: loadConfig({ data: { plugins: { 'globe/playbill': './playbill' } }, cwd: import.meta.dirname }),
  plugins: [seatsPlugin(seats)],
  gate,
})
await host.start()
const endpoint = createMcpEndpoint(host, { authenticate: userOf })

/** The application's own pages: what there is for this user, and a seat sold by the tool that agents use. */
async function page(request: IncomingMessage, user: string): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (request.method === 'POST' && pathname === '/sell') {
    const sale = { name: 'seats-sell', arguments: Object.fromEntries(searchParams), user }
    const { content } = await host.invoker.run(sale)
    return content.map(({ text }) => `${text}\n`).join('')
  }
  const view = await host.view(user, 'mcp')
  const tools = view.listPluginIds().flatMap((id) => (id === 'callboard' ? [] : view.listCatalog(id, 0, 0)))
  return [`hello, ${user}`, ...tools.map(({ name, description }) => `${name}: ${description}`), ''].join('\n')
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const user = userOf(request)
  if (user === undefined) return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('not signed in\n')
  try {
    response.end(await page(request, user))
  } catch (error) {
    const isTold = error instanceof CallboardError
    if (!isTold) host.log.error({ err: error }, 'a page could not be shown')
    const text = isTold ? host.secrets.redact(error.message) : 'this is our fault'
    response.writeHead(isTold ? error.httpStatus : 500).end(`${text}\n`)
  }
}

const server = createServer((request, response) => {
  if (request.url === '/mcp') endpoint.handler(request, response)
  else void answer(request, response)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const keys = [...issueKeys()].map(([user, key]) => `key of ${user}: ${key}\n`)
  process.stdout.write(`${keys.join('')}box office at http://127.0.0.1:${port}/, MCP at http://127.0.0.1:${port}/mcp\n`)
})

async function end(): Promise<void> {
  server.close()
  await endpoint.close()
  await host[Symbol.asyncDispose]()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())

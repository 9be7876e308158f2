/** An application with users of its own, which offers tools to them over MCP at /mcp. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createHost, createMcpEndpoint, loadConfig } from 'callboard'

// Stands for the application's own: who is signed in, and who may do what.
const signedIn = new Map([
  ['session-of-ana', 'ana'],
  ['session-of-ben', 'ben'],
])
const granted: Readonly<Record<string, readonly string[]>> = {
  ana: ['everything.echo', 'everything.get-sum'],
  ben: ['everything.echo'],
}

const file = fileURLToPath(new URL('../quickstart/callboard.yaml', import.meta.url))
const host = await createHost({
  config: loadConfig({ file }),
  gate: {
    allows: (user, permission) => granted[user]?.includes(permission) ?? false,
    admits: (_user, { name }, { a }) => name !== 'get-sum' || Number(a) < 100 || 'sums begin below 100 here',
  },
})
const endpoint = createMcpEndpoint(host, {
  authenticate: ({ headers: { authorization = '' } }) => signedIn.get(authorization.replace('Bearer ', '')),
})

const server = createServer((request, response) => {
  if (request.url === '/mcp') endpoint.handler(request, response)
  else response.end('everything else of the application\n')
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`listening: ${JSON.stringify(server.address())}\n`)
})
await host.start()

async function end(): Promise<void> {
  server.close()
  await endpoint.close()
  await host[Symbol.asyncDispose]()
}
process.once('SIGTERM', () => void end())

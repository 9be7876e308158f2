/** The proxy that one writes first with the SDK: `createMcpHandler` in front, `client.request` behind, one stdio server. */
import { createServer } from 'node:http'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { announce } from './announce.ts'

const [command = '', ...args] = process.argv.slice(2)
const client = new Client({ name: 'minimal-proxy', version: '0' })
await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'minimal-proxy', version: '0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => client.request({ method: 'tools/list' }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }) =>
    client.request({ method: 'tools/call', params: { name, arguments: given ?? {} } }),
  )
  return server
})

const listener = toNodeHandler(handler)

announce(
  createServer((request, response) => {
    // The adapter's types ask for what every request that a server receives has.
    void listener(Object.assign(request, { method: request.method ?? 'GET', url: request.url ?? '/' }), response)
  }),
)

/** Callboard's HTTP surface with a server that only relays to one stdio server: what the surface itself costs. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Server } from '@modelcontextprotocol/server'
import { createLog } from '../../packages/callboard/src/log.ts'
import { Secrets } from '../../packages/callboard/src/secrets.ts'
import { serveHttp } from '../../packages/callboard/src/surfaces/mcp/http/serve-http.ts'
import { Readers } from '../../packages/callboard/src/surfaces/readers.ts'
import type { Announcement } from './announce.ts'

const [command = '', ...args] = process.argv.slice(2)
const client = new Client({ name: 'surface-alone', version: '0' })
await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))

const log = createLog(new Secrets(), 'info')
const surface = await serveHttp({
  listen: { host: '127.0.0.1', port: 0 },
  hosts: [],
  origins: [],
  log,
  readers: new Readers(log),
  authenticate: () => ({ id: 'owner', user: 'owner' }),
  createServer: () => new Server({ name: 'surface-alone', version: '0' }, { capabilities: { tools: {} } }),
  toolCalls: {
    serverInfo: { name: 'surface-alone', version: '0' },
    call: ({ params = {} }) =>
      client.request({
        method: 'tools/call',
        params: { name: String(params.name), arguments: Object(params.arguments) },
      }),
  },
})

process.send?.({ port: surface.port } satisfies Announcement)
process.on('disconnect', () => process.exit(0))

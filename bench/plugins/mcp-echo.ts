/** The echo of the plugin benchmark as an MCP server on the official SDK, over stdio. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] }

function makeServer(): Server {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema }] }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const text = String(params.arguments?.text)
    return { content: [{ type: 'text', text }], structuredContent: { text, user: 'owner' } }
  })
  return server
}

serveStdio(makeServer)

/** A stdio server with many tools: its arguments say how many, and how many bytes the JSON of each has. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { generatedTools } from '../generated-tools.ts'

const [count = '1600', bytes = '2400'] = process.argv.slice(2)

const tools = generatedTools(Number(count)).map(({ package: plugin, name, description = '', inputSchema }) => {
  const tool = { name: `${plugin}.${name}`, description, inputSchema: { ...inputSchema, type: 'object' as const } }
  const missing = Math.max(0, Number(bytes) - JSON.stringify(tool).length)
  return { ...tool, description: description + ' Results come in pages.'.repeat(missing).slice(0, missing) }
})

serveStdio(() => {
  const server = new Server({ name: 'many-tools', version: '0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools }))
  return server
})

/**
 * The SDK's `Server` for one connection, session or request: `tools/list` and `tools/call` of the host for one acting
 * user.
 */
import type { Server, Transport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Host } from '../../host.ts'
import { protocolError } from './answer-to-error.ts'
import { bareServer } from './bare-server.ts'
import { callTool } from './call-tool.ts'
import { firstStart } from './first-start.ts'
import { instructionsFor } from './instructions.ts'
import { ListWatch } from './list-watch.ts'
import { type ListedTools, listedTools } from './listed-tools.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { keepingRetiredCode } from './retired-code.ts'
import type { SessionSettings } from './session-settings.ts'
import { pageStart, toolsPage } from './tools-page.ts'

const listParams = z.looseObject({ cursor: z.string().optional() })

/**
 * A server that is not connected yet. Cheap: made for each session, and on the modern era for each request.
 *
 * Once a client has listed the tools it is told when that list becomes another, until the server is closed. This
 * reaches clients on stdio and in legacy sessions; whoever serves `subscriptions/listen` over HTTP publishes there
 * itself.
 */
export function createMcpServer(host: Host, options: McpServerOptions): Server {
  const settings: SessionSettings = options.settings ?? {}
  const server = bareServer(options.only === undefined ? instructionsFor(options.expose) : undefined)
  const listed = async (): Promise<ListedTools> => listedTools(await host.view(options.user, 'mcp'), options)
  const watch = new ListWatch(host, server, listed)
  server.onclose = () => watch.stop()
  server.setRequestHandler('tools/list', { params: listParams }, async ({ cursor }, ctx) => {
    try {
      if (options.only !== undefined) await firstStart(host, options.only, ctx.mcpReq.signal)
      const now = await listed()
      if (cursor === undefined) watch.seen(now)
      return toolsPage(now, pageStart(now, cursor), options.era)
    } catch (thrown) {
      throw protocolError(thrown, host)
    }
  })
  if (options.era === 'legacy')
    server.setRequestHandler('logging/setLevel', ({ params }) => {
      settings.logLevel = params.level
      return {}
    })
  onConnect(server, (transport) => watch.reach(transport))
  const call: UntouchedHandler = (request, ctx) => callTool({ host, options: { ...options, settings }, request, ctx })
  handleUntouched(server, 'tools/call', options.era === 'legacy' ? keepingRetiredCode(server, call) : call)
  return server
}

type UntouchedHandler = NonNullable<Server['fallbackRequestHandler']>

/**
 * Handles one method without the SDK's checks of its request and result, which refuse content of a kind that they do
 * not know and cost a parse each. The SDK offers its fallback every method that has no handler, so the fallback is
 * there only while a message of this method is taken in; all others get the SDK's own answer.
 */
function handleUntouched(server: Server, method: string, handler: UntouchedHandler): void {
  onConnect(server, (transport) => {
    const before = transport.onmessage
    // The SDK calls what it finds here before its own dispatch, which looks the handler up at once.
    transport.onmessage = (message, extra) => {
      before?.(message, extra)
      if ('method' in message && message.method === method) server.fallbackRequestHandler = handler
      else delete server.fallbackRequestHandler
    }
  })
}

/** Does something with the transport before the server takes it. */
function onConnect(server: Server, prepare: (transport: Transport) => void): void {
  const connect = server.connect.bind(server)
  server.connect = async (transport: Transport) => {
    prepare(transport)
    await connect(transport)
  }
}

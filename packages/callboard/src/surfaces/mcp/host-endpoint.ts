/** What an HTTP endpoint needs to serve the tools of a host, each request for the user who makes it. */
import type { Expose } from '../../config/config.ts'
import type { Host } from '../../host.ts'
import { readersOf } from '../readers-of.ts'
import { SERVER_INFO } from './bare-server.ts'
import { callTool } from './call-tool.ts'
import { EncodedPages } from './encoded-pages.ts'
import type { Authenticate } from './http/caller.ts'
import type { EndpointOptions } from './http/endpoint.ts'
import type { ServerContext } from './http/server-context.ts'
import { watchList } from './list-changes.ts'
import { listTools } from './list-tools.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { exposedBy, offeredNow } from './offered-now.ts'

export interface HostEndpointOptions {
  readonly authenticate: Authenticate
  /** What is listed where the config says nothing. */
  readonly usualExpose: Expose
  /** The id of the one plugin whose tools are offered. */
  readonly only?: string
}

/** With the guards as the config has them now; whoever uses it follows the host. */
export function hostEndpoint(host: Host, { authenticate, usualExpose, only }: HostEndpointOptions): EndpointOptions {
  const { hosts, origins } = host.config.http
  const pages = new EncodedPages()
  const fixed = only === undefined ? {} : { only }
  /** For a server that stays: it follows the config. */
  const offered = (context: ServerContext): McpServerOptions => offeredNow(host, { ...context, ...fixed, usualExpose })
  /** For one request: as the config is at this moment. */
  const offeredOnce = ({ caller: { user }, era, settings, exchange }: ServerContext): McpServerOptions => ({
    ...fixed,
    user,
    era,
    expose: exposedBy(host, usualExpose),
    settings,
    exchange,
  })
  return {
    hosts,
    origins,
    createServer: (context) => createMcpServer(host, offered(context)),
    toolCalls: {
      serverInfo: SERVER_INFO,
      call: (request, context, { signal, notify }) =>
        callTool({
          host,
          options: offeredOnce(context),
          request,
          ctx: { mcpReq: { _meta: request.params?._meta, signal, notify } },
        }),
      list: (request, context, { signal, session }) =>
        listTools({
          host,
          pages,
          options: offeredOnce(context),
          request,
          signal,
          ...(session && { session }),
        }),
    },
    watchList: (context) => watchList(host, offered(context)),
    authenticate,
    readers: readersOf(host),
    log: host.log,
  }
}

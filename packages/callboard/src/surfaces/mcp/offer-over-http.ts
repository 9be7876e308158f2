/** Offers a host's tools over HTTP: each session and each request is served for the user who makes it. */
import type { Host } from '../../host.ts'
import { SERVER_INFO } from './bare-server.ts'
import { callTool } from './call-tool.ts'
import { EncodedPages } from './encoded-pages.ts'
import { serveHttp } from './http/serve-http.ts'
import type { ServerContext } from './http/server-context.ts'
import { listTools } from './list-tools.ts'
import { createMcpServer } from './mcp-server.ts'
import type { McpServerOptions } from './mcp-server-options.ts'
import { exposedBy, offeredNow } from './offered-now.ts'

/** An HTTP endpoint that is open. */
export interface HttpOffer {
  /** Where clients connect. */
  readonly url: string
  /** Refuses what is new, ends what is running, and resolves when no socket is left. */
  close(): Promise<void>
}

/** Whose sessions are those of a client without a token: no name of a user, because who acts is the config's to say, each time. */
const WHOEVER = 'the user of the config'

/** Listens where the config says, and acts as its `user`. Rejects when the address can't be listened on. */
export async function offerOverHttp(host: Host, options: { readonly only?: string }): Promise<HttpOffer> {
  const { http } = host.config
  const pages = new EncodedPages()
  /** For a server that stays: it follows the config. */
  const offered = (context: ServerContext): McpServerOptions =>
    offeredNow(host, { ...context, ...options, user: context.user === WHOEVER ? undefined : context.user })
  /** For one request: as the config is at this moment. */
  const offeredOnce = (context: ServerContext): McpServerOptions => ({
    ...context,
    ...options,
    user: context.user === WHOEVER ? host.config.user : context.user,
    expose: exposedBy(host),
  })
  const surface = await serveHttp({
    listen: http,
    hosts: http.hosts,
    origins: http.origins,
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
    // Tokens can't be issued yet, so where they are asked for nobody has one.
    authenticate: () => (host.config.http.auth === 'none' ? { user: WHOEVER } : undefined),
    log: host.log,
  })
  const leave = [
    host.onCatalogChange(() => surface.notifyToolsChanged()),
    host.onReconfigure(() => surface.accept(host.config.http)),
  ]
  return {
    url: surface.url,
    close: async () => {
      for (const stop of leave) stop()
      await surface.close()
    },
  }
}

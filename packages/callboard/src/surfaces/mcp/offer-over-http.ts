/** Offers a host's tools over HTTP: each session and each request is served for the user who makes it. */
import type { Host } from '../../host.ts'
import { SERVER_INFO } from './bare-server.ts'
import { callTool } from './call-tool.ts'
import { EncodedPages } from './encoded-pages.ts'
import { serveHttp } from './http/serve-http.ts'
import { listTools } from './list-tools.ts'
import { createMcpServer } from './mcp-server.ts'

/** An HTTP endpoint that is open. */
export interface HttpOffer {
  /** Where clients connect. */
  readonly url: string
  /** Refuses what is new, ends what is running, and resolves when no socket is left. */
  close(): Promise<void>
}

/** Listens where the config says, and acts as its `user`. Rejects when the address can't be listened on. */
export async function offerOverHttp(host: Host, options: { readonly only?: string }): Promise<HttpOffer> {
  const { http, user, expose = 'catalog' } = host.config
  const pages = new EncodedPages()
  const surface = await serveHttp({
    listen: http,
    hosts: http.hosts,
    origins: http.origins,
    createServer: (context) => createMcpServer(host, { ...context, expose, ...options }),
    toolCalls: {
      serverInfo: SERVER_INFO,
      call: (request, context, { signal, notify }) =>
        callTool({
          host,
          options: { ...context, expose, ...options },
          request,
          ctx: { mcpReq: { _meta: request.params?._meta, signal, notify } },
        }),
      list: (request, context, { signal, session }) =>
        listTools({
          host,
          pages,
          options: { ...context, expose, ...options },
          request,
          signal,
          ...(session && { session }),
        }),
    },
    // Tokens can't be issued yet, so where they are asked for nobody has one.
    authenticate: () => (http.auth === 'none' ? { user } : undefined),
    log: host.log,
  })
  const stop = host.onCatalogChange(() => surface.notifyToolsChanged())
  return {
    url: surface.url,
    close: async () => {
      stop()
      await surface.close()
    },
  }
}

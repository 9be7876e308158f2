/** Serves MCP over Streamable HTTP at `/mcp`: clients of both eras on one endpoint, with the guards in front. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallboardError, messageOf } from '../../../errors.ts'
import type { Caller } from './caller.ts'
import { Endpoint, type EndpointOptions } from './endpoint.ts'
import type { GuardOptions } from './guards.ts'

export interface HttpOptions extends EndpointOptions {
  /** Port 0 takes any free one. */
  readonly listen: { readonly host: string; readonly port: number }
}

/** A running HTTP surface. */
export interface HttpSurface {
  /** Where clients connect, such as `http://127.0.0.1:2255/mcp`. */
  readonly url: string
  readonly port: number
  /**
   * Tells every `subscriptions/listen` that asked for it and is shown another list of tools now, once for a burst of
   * changes. A session is told by its own server, whose `sendToolListChanged` goes over the session's stream.
   */
  notifyToolsChanged(): void
  /** From now on requests to these hosts and from these origins are served, besides loopback, and no others. */
  accept(guard: GuardOptions): void
  /** Ends every session, stream and call of these callers. */
  shutOut(isMeant: (caller: Caller) => boolean): Promise<void>
  /** Refuses what is new, ends every session, call and stream, and resolves when no socket is left. */
  close(): Promise<void>
}

/**
 * Resolves when the address is listened on; rejects with a `CallboardError` that says what to change when it can't be.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpSurface> {
  const endpoint = new Endpoint(options)
  const server = createHttpServer(
    // Longer than clients and proxies keep an unused connection, so that it is they who end it.
    { keepAliveTimeout: 75_000, headersTimeout: 30_000, requestTimeout: 120_000 },
    endpoint.siteListener,
  )
  const close = async () => {
    await endpoint.close()
    await closeServer(server, endpoint.limits.closeMs)
  }
  try {
    const port = await listen(server, options.listen)
    // What goes wrong with a connection that is being accepted must not end the process.
    server.on('error', (error) => options.log.error({ err: error }, 'the HTTP surface could not accept a connection'))
    return {
      url: `http://${urlHost(options.listen.host)}:${port}/mcp`,
      port,
      notifyToolsChanged: () => endpoint.toolsChanged(),
      accept: (guard) => endpoint.accept(guard),
      shutOut: (isMeant) => endpoint.shutOut(isMeant),
      close,
    }
  } catch (error) {
    await close()
    throw cannotListen(options.listen, error)
  }
}

function listen(server: HttpServer, { host, port }: HttpOptions['listen']): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const address: AddressInfo | string | null = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function closeServer(server: HttpServer, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const patience = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(patience)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function cannotListen({ host, port }: HttpOptions['listen'], error: unknown): CallboardError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const why =
    code === 'EADDRINUSE'
      ? 'something else listens there already; stop it'
      : code === 'EACCES'
        ? 'this user may not listen there; take a port above 1023'
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? 'this machine has no such address; take one that it has, such as 127.0.0.1'
          : messageOf(error)
  const mend = 'or choose another address with --http HOST:PORT or http.listen'
  return new CallboardError('config', `cannot listen on ${urlHost(host)}:${port}: ${why}, ${mend}`, { cause: error })
}

/** The host as it stands in a URL; an address that stands for every interface is reached by loopback. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

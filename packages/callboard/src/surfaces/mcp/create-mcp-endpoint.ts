/** MCP for an application: a handler that it mounts in its own HTTP server, for its own users. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { CallboardError } from '../../errors.ts'
import { type ActingUser, nameOf, narrowingKey } from '../../gate/acting-user.ts'
import type { Host } from '../../host.ts'
import { hostEndpoint } from './host-endpoint.ts'
import type { Caller } from './http/caller.ts'
import { Endpoint } from './http/endpoint.ts'
import { REFUSED, refusal } from './http/reply.ts'

/** Whose request it is, as an application knows it. */
export interface EndpointUser {
  /** The acting user's name, as the gate knows it. */
  readonly user: string
  /** Narrows what the user may do to permissions that match one of these patterns; absent: to nothing less. */
  readonly permissions?: readonly string[]
}

/** What an endpoint takes from its application: who its users are. */
export interface McpEndpointOptions {
  /**
   * Tells from a request who makes it, for each request anew: a name, or a name with less than its permissions.
   * `undefined` answers 401; so there is no user but the one that is named. What it throws is answered with 500 and
   * told to the log alone.
   */
  readonly authenticate: (
    request: IncomingMessage,
  ) => EndpointUser | string | undefined | Promise<EndpointUser | string | undefined>
  /**
   * The `WWW-Authenticate` of a 401. Defaults to `Bearer`; where clients are to find an authorization server it names
   * `resource_metadata` (specification 2026-07-28, authorization).
   */
  readonly challenge?: string
}

/** An MCP endpoint of an application, for as long as it is open. Dispose of it before the host. */
export interface McpEndpoint extends AsyncDisposable {
  /**
   * Serves a request of `node:http`, or of a framework that hands those on, as Express does: whatever reaches it is
   * taken for a request to the endpoint, so it may be mounted at any path. A body that the framework has parsed already
   * is taken as it is.
   */
  readonly handler: RequestListener
  /**
   * Ends every session, stream and call of a user, whom the application has shut out say; calls in flight are
   * cancelled.
   */
  disconnect(user: string): Promise<void>
  /** Ends everything that is open; whatever comes later is answered with 503. */
  close(): Promise<void>
}

/**
 * Serves both eras of MCP. A Host or Origin header must name this machine, or be one of `http.hosts` and `http.origins`
 * of the host's config. What the config says of `expose` counts, and where it says nothing, every tool of the user's
 * view is listed.
 */
export function createMcpEndpoint(host: Host, options: McpEndpointOptions): McpEndpoint {
  const { authenticate, challenge = 'Bearer' } = options
  if (typeof authenticate !== 'function')
    throw new CallboardError('usage', 'createMcpEndpoint needs `authenticate`, which says whose each request is')
  const unknown = refusal(401, REFUSED, 'not signed in', { 'www-authenticate': challenge })
  const endpoint = new Endpoint(
    hostEndpoint(host, {
      authenticate: async (request) => {
        const given = await authenticate(request)
        return given === undefined ? unknown : callerOf(given)
      },
      usualExpose: 'all',
    }),
  )
  const leave = [
    host.onCatalogChange(() => endpoint.toolsChanged()),
    host.onReconfigure(() => endpoint.accept(host.config.http)),
  ]
  const close = async (): Promise<void> => {
    for (const stop of leave) stop()
    await endpoint.close()
  }
  return {
    handler: endpoint.listener,
    disconnect: (user) => endpoint.shutOut((caller) => nameOf(caller.user) === user),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What an application in JavaScript answers may be anything; nobody is let in by mistake. */
function callerOf(given: unknown): Caller {
  const { user: name, permissions }: { user?: unknown; permissions?: unknown } =
    typeof given === 'string' ? { user: given } : Object(given)
  if (typeof name !== 'string' || name === '')
    throw new CallboardError('usage', '`authenticate` has to answer a user, { user, permissions? } or undefined')
  if (permissions !== undefined && !isListOfTexts(permissions))
    throw new CallboardError('usage', '`permissions` of what `authenticate` answers has to be a list of patterns')
  const user: ActingUser = permissions === undefined ? name : { name, within: permissions }
  return { id: JSON.stringify([name, narrowingKey(user)]), user }
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

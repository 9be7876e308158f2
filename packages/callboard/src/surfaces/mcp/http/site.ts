/**
 * What there is at an address that serves nothing but the endpoint: that at one path, a greeting, and refusals
 * elsewhere.
 */
import type { IncomingMessage } from 'node:http'
import { MODERN_VERSION } from './plain-calls.ts'
import { REFUSED, type Refusal, refusal } from './reply.ts'

/** What the endpoint serves. */
export const ENDPOINT_METHODS: readonly string[] = ['GET', 'POST', 'DELETE']
const PATH = '/mcp'

/** Whether the request is one to the endpoint. */
export function isForEndpoint(request: IncomingMessage): boolean {
  return pathOf(request) === PATH
}

/** 405 and 404 for what is served under no name. */
export function misdirected(request: IncomingMessage): Refusal | undefined {
  const path = pathOf(request)
  if (path === PATH) return wrongMethod(request)
  if (path === '/') return wrongMethod(request, ['GET', 'HEAD'])
  return refusal(404, REFUSED, `nothing is served at ${JSON.stringify(path)}; MCP is at ${PATH}`)
}

/** 405 for a method that is not served. */
export function wrongMethod(
  request: IncomingMessage,
  methods: readonly string[] = endpointMethods(request),
): Refusal | undefined {
  if (methods.includes(request.method ?? '')) return undefined
  const allow = methods.join(', ')
  return refusal(405, REFUSED, `${request.method} is not served at ${pathOf(request)}; use ${allow}`, { allow })
}

/** Without sessions there is nothing to open a stream of, or to end. */
function endpointMethods({ headers }: IncomingMessage): readonly string[] {
  return headers['mcp-protocol-version'] === MODERN_VERSION ? ['POST'] : ENDPOINT_METHODS
}

/** For somebody who looks with a browser. */
export function greetingFor({ headers }: IncomingMessage): string {
  return `Callboard: tools for agents, over MCP. Connect a client (Streamable HTTP) to http://${headers.host}${PATH}\n`
}

function pathOf(request: IncomingMessage): string | undefined {
  const { url } = request
  const end = url?.indexOf('?') ?? -1
  return end < 0 ? url : url?.slice(0, end)
}

/** Turns what the SDK's HTTP transport throws into words a person can act on. */
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { messageOf, type UpstreamError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { Secrets } from '../../secrets.ts'
import { upstreamError } from './upstream-error.ts'

/**
 * `rpc`: the server's own JSON-RPC error, sent with an HTTP status. `session`: it does not know our session any more.
 * `unreachable`: no answer came. `refused`: it answered, but with no MCP.
 */
export type HttpFailure = (
  | { readonly kind: 'rpc'; readonly error: UpstreamError }
  | { readonly kind: 'session' }
  | {
      readonly kind: 'unreachable' | 'refused'
      readonly reason: string
      /** Whether the server may have got the request and done what it asks for. */
      readonly mayHaveRun: boolean
    }
) & {
  /** The HTTP status, where one was answered that is no success. */
  readonly status?: number
}

export interface HttpEndpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The request that failed. */
export interface FailedRequest {
  readonly endpoint: HttpEndpoint
  /** What was spoken with the server. */
  readonly transport: 'Streamable HTTP' | 'HTTP+SSE'
  /** Whether it named a session. */
  readonly hasSession: boolean
  /** Kept out of what is shown of the answer. */
  readonly secrets: Secrets
}

const SHOWN_BODY = 200

/** What went wrong. */
export function httpFailureOf(error: unknown, request: FailedRequest): HttpFailure {
  const { endpoint } = request
  const chain = causesOf(error)
  for (const cause of chain) {
    if (SdkHttpError.isInstance(cause)) return statusFailure(cause, request)
    if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.ClientHttpUnexpectedContent)
      return {
        kind: 'refused',
        reason: `${shown(endpoint)} does not speak MCP (${cause.message}); check the url`,
        mayHaveRun: true,
      }
  }
  return { kind: 'unreachable', reason: networkReason(chain, endpoint), mayHaveRun: !chain.some(isBeforeRequest) }
}

function statusFailure(error: SdkHttpError, request: FailedRequest): HttpFailure {
  const { hasSession, secrets } = request
  const { status } = error
  const body = typeof error.data.text === 'string' ? error.data.text : ''
  // Servers in the field answer 400 for a session that they forgot, where the protocol says 404.
  if (hasSession && (status === 404 || (status === 400 && /session/i.test(body)))) return { kind: 'session', status }
  const rpc = rpcErrorIn(body)
  if (rpc !== undefined && status !== 401 && status !== 403) return { kind: 'rpc', error: rpc, status }
  const words = secrets.excerpt(body.replaceAll(/\s+/g, ' ').trim(), SHOWN_BODY)
  // With a 5xx a proxy also tells that a server broke off what it ran.
  return { kind: 'refused', reason: statusReason(error, words, request), status, mayHaveRun: status >= 500 }
}

const USUAL_PATHS = { 'Streamable HTTP': '/mcp', 'HTTP+SSE': '/sse' } as const

function statusReason(
  { status, message }: SdkHttpError,
  words: string,
  { endpoint, transport }: FailedRequest,
): string {
  const where = shown(endpoint)
  const named = Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization')
  if (status === 401 && named)
    return `${where} did not accept the credentials (HTTP 401); correct "headers.Authorization" in the config`
  if (status === 401)
    return `${where} asks for credentials (HTTP 401); add "headers: { Authorization: 'Bearer …' }" in the config`
  if (status === 403)
    return `${where} denies access (HTTP 403); use credentials that may use this server, or ask its owner`
  if (status === 404)
    return `${where} has nothing there (HTTP 404); check the path of the url, which often is ${USUAL_PATHS[transport]}`
  if (status === 405) return `${where} does not take MCP over ${transport} (HTTP 405); check the url`
  if (status >= 300 && status < 400) return `${where} redirects elsewhere (HTTP ${status}): ${message}`
  return `${where} answered HTTP ${status}${words === '' ? '' : `: ${words}`}`
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection; is the server running?',
  ENOTFOUND: 'has no address; check the host name in the url',
  EAI_AGAIN: 'has no address now; check the network',
  ECONNRESET: 'broke off the connection',
  UND_ERR_SOCKET: 'broke off the connection',
  ETIMEDOUT: 'does not answer; check the address and the network',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer; check the address and the network',
  EHOSTUNREACH: 'cannot be reached; check the address and the network',
  ENETUNREACH: 'cannot be reached; check the network',
}

function networkReason(chain: readonly unknown[], endpoint: HttpEndpoint): string {
  for (const cause of chain) {
    const code = isObject(cause) || cause instanceof Error ? Reflect.get(cause, 'code') : undefined
    if (typeof code !== 'string') continue
    const known = NETWORK_REASONS[code]
    if (known !== undefined) return `${shown(endpoint)} ${known} (${code})`
    if (isCertificateFault(code))
      return `${shown(endpoint)} has a certificate that is not trusted (${code}); set NODE_EXTRA_CA_CERTS to its CA`
  }
  return `${shown(endpoint)} could not be reached: ${messageOf(chain.at(-1))}`
}

/** Whether there was no connection yet on which the request could have gone out. */
function isBeforeRequest(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const [code, syscall]: unknown[] = ['code', 'syscall'].map((name) => Reflect.get(cause, name))
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return typeof code === 'string' && isCertificateFault(code)
}

function isCertificateFault(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO/.test(code)
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && at !== null && chain.length < 10; ) {
    chain.push(at)
    at = at instanceof AggregateError ? at.errors[0] : at instanceof Error ? at.cause : undefined
  }
  return chain
}

function rpcErrorIn(body: string): UpstreamError | undefined {
  try {
    const message: unknown = JSON.parse(body)
    if (!isObject(message) || !isObject(message.error)) return undefined
    return typeof message.error.code === 'number' ? upstreamError(message.error) : undefined
  } catch {
    return undefined
  }
}

/** The endpoint without its query, which may hold a key. */
function shown({ url }: HttpEndpoint): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/**
 * Opens a connection: starts the process or session, finds the protocol's era, and says in words why it did not work.
 */
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { CallboardError, messageOf } from '../../errors.ts'
import type { EraMemory, Greeting } from './era-memory.ts'
import { type ConnectionOptions, McpConnection, NO_TIMEOUT_MS } from './mcp-connection.ts'
import type { Wire } from './wire.ts'

/** The one revision of the modern era that the SDK speaks. */
const MODERN = '2026-07-28'

export interface OpenOptions extends ConnectionOptions {
  /** Makes a new way to the server for this greeting; one that failed is not used again. */
  readonly newWire: (greeting: Greeting) => Wire
  /** Whether the server is greeted over HTTP+SSE: always, or perhaps, when it does not take Streamable HTTP. */
  readonly sse: 'always' | 'perhaps' | 'never'
  readonly eras: EraMemory
  /** How long a process may leave the question for the modern era unanswered before it is greeted the old way. */
  readonly probeMs: number
  readonly signal: AbortSignal
}

/** How long a server may take to open its stream where nothing but the failure of another transport speaks for it. */
const SSE_MS = 5_000

/** A greeting that failed, and the one that may do better. */
class GreetingFailed extends Error {
  readonly next: Greeting | undefined
  /** The HTTP status that was answered, if one was. */
  readonly status: number | undefined

  constructor(reason: string, { next, status }: Pick<GreetingFailed, 'next' | 'status'>, cause: unknown) {
    super(reason, { cause })
    this.next = next
    this.status = status
  }
}

/**
 * Greets the server with what is remembered of it, and at most once more, with another greeting on a new wire. Throws
 * `unavailable` with the reason; nothing is left running then.
 */
export async function openConnection(options: OpenOptions): Promise<McpConnection> {
  const { eras, sse, signal } = options
  try {
    return await greet(options, sse === 'always' ? 'sse' : eras.first)
  } catch (error) {
    if (!(error instanceof GreetingFailed)) throw error
    const { next } = error
    if (next === undefined || signal.aborted) throw unavailable(error)
    if (next === 'sse') return await greetOverSse(options, error)
    // Also when the second one fails: then that is where the next start begins.
    if (next !== 'auto') eras.learn(next)
    return await greet(options, next).catch((second: unknown) => {
      throw second instanceof GreetingFailed ? unavailable(second) : second
    })
  }
}

/** Of a server that does not speak HTTP+SSE either, the reason of the first greeting is told. */
async function greetOverSse(options: OpenOptions, first: GreetingFailed): Promise<McpConnection> {
  const late = AbortSignal.timeout(SSE_MS)
  try {
    return await greet({ ...options, signal: AbortSignal.any([options.signal, late]) }, 'sse')
  } catch (second) {
    if (!(second instanceof GreetingFailed)) throw second
    throw unavailable(late.aborted || isNoSuchTransport(second.status) ? first : second)
  }
}

/**
 * With these, a server that speaks only HTTP+SSE answers what is meant for Streamable HTTP (2025-11-25, Backwards
 * Compatibility).
 */
function isNoSuchTransport(status: number | undefined): boolean {
  return status === 400 || status === 404 || status === 405
}

async function greet(options: OpenOptions, greeting: Greeting): Promise<McpConnection> {
  const { signal, eras } = options
  const wire = options.newWire(greeting)
  const client = new Client(wire.clientInfo, {
    capabilities: {},
    versionNegotiation: negotiation(greeting, wire, options.probeMs),
  })
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([client.connect(wire.transport, { signal, timeout: NO_TIMEOUT_MS }), aborted])
    if (greeting === 'auto') remember(eras, wire)
    if (greeting === 'sse') eras.learn(greeting)
    return new McpConnection(wire, client, options)
  } catch (error) {
    const reason = whyNot(error, wire, signal)
    const { status } = wire.failureOf(error)
    const next = wire.overHttp ? nextOverHttp(status, greeting, options.sse) : nextOverStdio(error, greeting, wire)
    await wire.close()
    throw new GreetingFailed(reason, { next, status }, error)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function negotiation(greeting: Greeting, wire: Wire, probeMs: number): VersionNegotiationOptions {
  if (greeting === 'legacy' || greeting === 'sse') return { mode: 'legacy' }
  if (greeting === 'modern') return { mode: { pin: MODERN }, probe: { timeoutMs: NO_TIMEOUT_MS } }
  return { mode: 'auto', probe: { timeoutMs: wire.overHttp ? NO_TIMEOUT_MS : probeMs } }
}

/** After the usual greeting: a probe without an answer costs its time, which is spared from now on. */
function remember(eras: EraMemory, wire: Wire): void {
  if (wire.probeIgnored) eras.learn('legacy')
  else eras.forget()
}

/** HTTP answers each request by itself, so it is only the transport that may be another. */
function nextOverHttp(status: number | undefined, greeting: Greeting, sse: OpenOptions['sse']): Greeting | undefined {
  if (sse !== 'perhaps' || !isNoSuchTransport(status)) return undefined
  return greeting === 'sse' ? 'auto' : 'sse'
}

/** One request may spoil a process for good. */
function nextOverStdio(error: unknown, greeting: Greeting, wire: Wire): Greeting | undefined {
  const refused = error instanceof ProtocolError
  if (greeting === 'legacy') return refused ? 'modern' : undefined
  const noModern = SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed
  if (greeting === 'modern') return wire.ended !== undefined || noModern ? 'legacy' : undefined
  if (!wire.probeIgnored) return undefined
  if (refused) return 'modern'
  return wire.ended === undefined ? undefined : 'legacy'
}

function whyNot(error: unknown, wire: Wire, signal: AbortSignal): string {
  if (wire.ended !== undefined) return wire.ended
  if (signal.aborted) return `${messageOf(signal.reason)}; ${wire.silence}`
  if (error instanceof CallboardError) return error.message
  if (error instanceof ProtocolError) return `the server refused the connection: ${error.message} (${error.code})`
  const failure = wire.failureOf(error)
  if (failure.kind === 'rpc') return `the server refused the connection: ${failure.error.message}`
  return failure.kind === 'session' ? 'the server ended the session at once' : failure.reason
}

function unavailable(failed: GreetingFailed): CallboardError {
  return new CallboardError('unavailable', failed.message, { cause: failed.cause })
}

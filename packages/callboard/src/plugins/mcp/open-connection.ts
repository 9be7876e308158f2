/** Opens a connection: starts the process or session, finds the protocol's era, and says in words why it did not work. */
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
  /** Makes a new way to the server; one that failed is not used again. */
  readonly newWire: () => Wire
  readonly eras: EraMemory
  /** How long a process may leave the question for the modern era unanswered before it is greeted the old way. */
  readonly probeMs: number
  readonly signal: AbortSignal
}

/** A greeting that failed, and the one that may do better. */
class GreetingFailed extends Error {
  readonly next: 'legacy' | 'modern' | undefined

  constructor(reason: string, next: 'legacy' | 'modern' | undefined, cause: unknown) {
    super(reason, { cause })
    this.next = next
  }
}

/**
 * Greets the server with what is remembered of it, and at most once more, with another greeting on a new wire. Throws
 * `unavailable` with the reason; nothing is left running then.
 */
export async function openConnection(options: OpenOptions): Promise<McpConnection> {
  try {
    return await greet(options, options.eras.first)
  } catch (error) {
    if (!(error instanceof GreetingFailed)) throw error
    if (error.next === undefined || options.signal.aborted) throw unavailable(error)
    // Also when the second one fails: then that is where the next start begins.
    options.eras.learn(error.next)
    return await greet(options, error.next).catch((second: unknown) => {
      throw second instanceof GreetingFailed ? unavailable(second) : second
    })
  }
}

async function greet(options: OpenOptions, greeting: Greeting): Promise<McpConnection> {
  const { signal, eras } = options
  const wire = options.newWire()
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
    return new McpConnection(wire, client, options)
  } catch (error) {
    const reason = whyNot(error, wire, signal)
    const next = nextGreeting(error, greeting, wire)
    await wire.close()
    throw new GreetingFailed(reason, next, error)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function negotiation(greeting: Greeting, wire: Wire, probeMs: number): VersionNegotiationOptions {
  if (greeting === 'legacy') return { mode: 'legacy' }
  if (greeting === 'modern') return { mode: { pin: MODERN }, probe: { timeoutMs: NO_TIMEOUT_MS } }
  return { mode: 'auto', probe: { timeoutMs: wire.overHttp ? NO_TIMEOUT_MS : probeMs } }
}

/** After the usual greeting: a probe without an answer costs its time, which is spared from now on. */
function remember(eras: EraMemory, wire: Wire): void {
  if (wire.probeIgnored) eras.learn('legacy')
  else eras.forget()
}

/** Only a process may need another greeting: one request spoils it for good, where HTTP answers each by itself. */
function nextGreeting(error: unknown, greeting: Greeting, wire: Wire): 'legacy' | 'modern' | undefined {
  if (wire.overHttp) return undefined
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

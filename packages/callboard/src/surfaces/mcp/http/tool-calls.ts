/**
 * Answers `tools/call` and `tools/list` past the SDK's server. That server parses each message several times over to
 * find out what is known here already, which costs more than the rest of the way together; every other method is its
 * own.
 */
import {
  type Implementation,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type Notification,
  ProtocolErrorCode,
  type Result,
  SERVER_INFO_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server'
import type { ServerContext } from './server-context.ts'

/** What a call may know of its request and do besides answering it. */
interface CallContext {
  /** Aborted when the client cancels, or when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Sends a notification that belongs to this call. */
  notify(notification: Notification): Promise<void>
  /** The session to which the request belongs, which hears of later changes. */
  readonly session?: Transport
}

/** What the HTTP surface needs to answer `tools/call` and `tools/list`. */
export interface ToolCalls {
  /** What the results of 2026-07-28 say of the server that gave them. */
  readonly serverInfo: Implementation
  /**
   * Runs the call; its result may have fields as bytes. An error with a numeric `code`, and `data` perhaps, is answered
   * as it is; any other as -32603.
   */
  call(request: JSONRPCRequest, server: ServerContext, context: CallContext): Promise<Result>
  /**
   * The result of `tools/list`, just as the server would give it; errors as with `call`. Left out, the server gives it.
   */
  list?(request: JSONRPCRequest, server: ServerContext, context: CallContext): Promise<Result>
}

/** A call with all that is needed to run it. */
export interface ToolCall {
  readonly request: JSONRPCRequest
  readonly server: ServerContext
  readonly context: CallContext
}

/** The answer, as the SDK's server would put it. Never rejects. */
export async function answerToolCall(
  calls: ToolCalls,
  { request, server, context }: ToolCall,
): Promise<JSONRPCResponse> {
  const { id } = request
  try {
    if (calls.list !== undefined && request.method === 'tools/list')
      return { jsonrpc: '2.0', id, result: await calls.list(request, server, context) }
    const result = await calls.call(request, server, context)
    return { jsonrpc: '2.0', id, result: server.era === 'modern' ? modernResult(result, calls.serverInfo) : result }
  } catch (thrown) {
    return { jsonrpc: '2.0', id, error: errorOf(thrown, server.era) }
  }
}

/** Whether the message is one that `answerToolCall` can answer. */
export function isToolRequest(message: JSONRPCMessage, { list }: ToolCalls): message is JSONRPCRequest {
  if (!('method' in message) || !('id' in message)) return false
  if (message.method === 'tools/call') return true
  const cursor = message.params?.cursor
  return list !== undefined && message.method === 'tools/list' && (cursor === undefined || typeof cursor === 'string')
}

function modernResult(result: Result, serverInfo: Implementation): Result {
  return { resultType: 'complete', ...result, _meta: { [SERVER_INFO_META_KEY]: serverInfo, ...result._meta } }
}

function errorOf(thrown: unknown, era: ServerContext['era']): { code: number; message: string; data?: unknown } {
  const { code, message, data }: { code?: unknown; message?: unknown; data?: unknown } = Object(thrown)
  return {
    code: rpcCode(code, era),
    message: typeof message === 'string' ? message : 'internal error',
    ...(data === undefined ? {} : { data }),
  }
}

function rpcCode(code: unknown, era: ServerContext['era']): number {
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return ProtocolErrorCode.InternalError
  // The code for a missing resource of the revisions before, which this one forbids.
  return era === 'modern' && code === ProtocolErrorCode.ResourceNotFound ? ProtocolErrorCode.InvalidParams : code
}

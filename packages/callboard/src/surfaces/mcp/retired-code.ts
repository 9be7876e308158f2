/** Keeps an error code that 2026-07-28 has retired for the clients of the revisions that have it. */
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId, type Server } from '@modelcontextprotocol/server'

type Handler = NonNullable<Server['fallbackRequestHandler']>

/**
 * The handler, whose errors with the code -32002 leave the server with that: the SDK sends them as -32602 in either
 * era, though only the newer one forbids it. To be called before the server is connected, and for the older era alone.
 */
export function keepingRetiredCode(server: Server, handler: Handler): Handler {
  const meant = new Set<RequestId>()
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(restored(message, meant), options)
    return connect(transport)
  }
  return async (request, ctx) => {
    const { id, signal } = ctx.mcpReq
    try {
      return await handler(request, ctx)
    } catch (thrown) {
      const { code }: { code?: unknown } = Object(thrown)
      // A cancelled request is not answered.
      if (code === ProtocolErrorCode.ResourceNotFound && !signal.aborted) meant.add(id)
      throw thrown
    }
  }
}

function restored(message: JSONRPCMessage, meant: Set<RequestId>): JSONRPCMessage {
  if (meant.size === 0 || !('error' in message) || message.id === undefined || !meant.delete(message.id)) return message
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } }
}

/** One `tools/call` and all that it needs. */
import type { JSONRPCRequest, Notification } from '@modelcontextprotocol/server'
import type { Host } from '../../host.ts'
import type { McpServerOptions } from './mcp-server-options.ts'

export interface IncomingCall {
  readonly host: Host
  readonly options: McpServerOptions
  readonly request: JSONRPCRequest
  readonly ctx: CallContext
}

/** What a call may know of its request and do besides answering it; the SDK's own context is one. */
interface CallContext {
  readonly mcpReq: {
    readonly _meta?: Readonly<Record<string, unknown>> | undefined
    /** What the protocol keeps in `_meta`, where the SDK has taken it out of there. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined
    readonly signal: AbortSignal
    notify(notification: Notification): Promise<void>
  }
}

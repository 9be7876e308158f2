/** The port between one run of an external plugin and what it speaks. */
import type { ToolCall, ToolResult } from '../plugin.ts'
import type { ToolReading } from './read-tools.ts'

export interface PeerHealth {
  readonly isHealthy: boolean
  /** Why it is not, in the plugin's words. */
  readonly reason: string
}

/**
 * A plugin whose link is up. Every error of it is a `CallboardError` that names the plugin, or the reason of the
 * signal.
 */
export interface ExternalPeer {
  listTools(signal: AbortSignal): Promise<ToolReading>
  health(signal: AbortSignal): Promise<PeerHealth>
  /** Asks it to end; resolves when it has answered. */
  shutDown(timeoutSeconds: number, signal: AbortSignal): Promise<void>
  /** Runs a tool. `requestId` names the call in the plugin's call-backs, where they name one. */
  call(call: ToolCall, requestId: string): Promise<ToolResult>
  /** What it has of MCP besides tools, where it has any. */
  relay?(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
}

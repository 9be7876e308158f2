/** What one MCP server offers, and as whom. */
import type { Expose } from '../../config/config.ts'
import type { ActingUser } from '../../gate/acting-user.ts'
import type { ModernExchange } from './http/server-context.ts'
import type { SessionSettings } from './session-settings.ts'

/** Read anew for each request, so that they may change while a server is connected. */
export interface McpServerOptions {
  readonly user: ActingUser
  /** Which kind of client is served: `legacy` up to 2025-11-25, `modern` from 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  /** What `tools/list` shows besides the four; never what may be called. */
  readonly expose: Expose
  /** The id of the one plugin whose tools are offered, under the names it declared, and nothing else. */
  readonly only?: string
  /** What the client has set for its session; a server of its own has its own. */
  readonly settings?: SessionSettings | undefined
  /** The HTTP request that is served, where the server is made for one. */
  readonly exchange?: ModernExchange | undefined
}

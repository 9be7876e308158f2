/** The SDK's `Server` for one connection, session or request: `tools/list` and `tools/call` of the host for one acting user. */
import { Server } from '@modelcontextprotocol/server'
import type { Expose } from '../../config/config.ts'
import type { Host } from '../../host.ts'
import { version } from '../../version.ts'

/** What one server offers, and as whom. */
export interface McpServerOptions {
  /** The acting user. */
  readonly user: string
  /** Which kind of client is served: `legacy` up to 2025-11-25, `modern` from 2026-07-28. */
  readonly era: 'legacy' | 'modern'
  /** What `tools/list` shows besides the four; never what may be called. */
  readonly expose: Expose
  /** The id of the one plugin whose tools are offered, under the names it declared, and nothing else. */
  readonly only?: string
}

/** A server that is not connected yet. Cheap: made for each session, and on the modern era for each request. */
export function createMcpServer(host: Host, options: McpServerOptions): Server {
  host.log.debug({ user: options.user }, 'mcp server')
  return new Server({ name: 'callboard', version }, { capabilities: { tools: { listChanged: true } } })
}

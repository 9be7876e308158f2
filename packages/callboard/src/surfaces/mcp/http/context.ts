/** What the two eras of the HTTP surface share: who calls, how a server is made for them, and what is known to all answers. */
import type { Server } from '@modelcontextprotocol/server'
import type { Log } from '../../../log.ts'
import type { HttpLimits } from './limits.ts'
import type { ToolCalls } from './tool-calls.ts'

/** For whom and for which form of the protocol a server is made. */
export interface ServerContext {
  /** The acting user's name. */
  readonly user: string
  /** `legacy`: a session that began with `initialize` (2025-11-25 and before). `modern`: requests that stand alone (2026-07-28). */
  readonly era: 'legacy' | 'modern'
}

/** Makes a server for one session or one request. It is connected and closed here. `tools/call` reaches it only now and then. */
export type CreateServer = (context: ServerContext) => Server

export interface HttpContext {
  readonly createServer: CreateServer
  readonly toolCalls: ToolCalls
  readonly limits: HttpLimits
  readonly log: Log
}

/** What the two eras of the HTTP surface share. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '@modelcontextprotocol/server'
import type { Log } from '../../../log.ts'
import type { Readers } from '../../readers.ts'
import type { HasListChanged } from '../list-changes.ts'
import type { Caller } from './caller.ts'
import type { HttpLimits } from './limits.ts'
import type { ServerContext } from './server-context.ts'
import type { ToolCalls } from './tool-calls.ts'

/**
 * Makes a server for one session or one request. It is connected and closed here. `tools/call` reaches it only now and
 * then.
 */
type CreateServer = (context: ServerContext) => Server

/** One request past the guards, and whose it is. */
export interface IncomingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly caller: Caller
}

export interface HttpContext {
  readonly createServer: CreateServer
  readonly toolCalls: ToolCalls
  /** Begins to watch the list of tools of a client that subscribes; left out, every change of any list concerns it. */
  watchList?(context: ServerContext): Promise<HasListChanged>
  readonly limits: HttpLimits
  /** All clients of the host for whom something waits. */
  readonly readers: Readers
  readonly log: Log
}

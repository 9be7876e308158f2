/** The wire that reaches a server: by its transport, and by how it is to be greeted. */
import type { McpTarget } from '../../config/config.ts'
import type { Log } from '../../log.ts'
import type { Secrets } from '../../secrets.ts'
import type { ProcessWatcher } from '../process/process-watcher.ts'
import type { Greeting } from './era-memory.ts'
import { HttpWire } from './http-wire.ts'
import { SseWire } from './sse-wire.ts'
import { StdioWire } from './stdio-wire.ts'
import type { Wire } from './wire.ts'

export interface WireOptions {
  readonly target: McpTarget
  /** The host's version, told to the server. */
  readonly version: string
  readonly watcher: ProcessWatcher
  readonly log: Log
  readonly secrets: Secrets
}

/** A new wire, which nobody has opened yet. */
export function wireFor(greeting: Greeting, { target, version, watcher, log, secrets }: WireOptions): Wire {
  const shared = { log, secrets, clientInfo: { name: 'callboard', version } }
  if (target.transport === 'stdio') return new StdioWire({ ...shared, command: target, watcher })
  return greeting === 'sse'
    ? new SseWire({ ...shared, endpoint: target })
    : new HttpWire({ ...shared, endpoint: target })
}

/** Whether the server is to be reached by HTTP+SSE. */
export function sseOf(target: McpTarget): 'always' | 'perhaps' | 'never' {
  if (target.transport === 'stdio' || target.type === 'http') return 'never'
  return target.type === 'sse' ? 'always' : 'perhaps'
}

/** The SDK's `Server` as this host introduces itself, without any handler yet. */
import { type Implementation, Server } from '@modelcontextprotocol/server'
import { version } from '../../version.ts'

export const SERVER_INFO: Implementation = { name: 'callboard', title: 'Callboard', version }

/** For how long a modern client may keep the list without asking again; it can be told of changes besides. */
const LIST_TTL_MS = 5000

export function bareServer(instructions?: string): Server {
  return new Server(SERVER_INFO, {
    capabilities: { tools: { listChanged: true }, logging: {} },
    cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    ...(instructions !== undefined && { instructions }),
  })
}

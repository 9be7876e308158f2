/** Tells one way of reaching a server from another, without giving its secrets away. */
import { createHash } from 'node:crypto'
import type { McpTarget } from '../../config/config.ts'

/** Equal for targets that reach the same server in the same way, whatever the order of their environment or headers. */
export function fingerprintOf(target: McpTarget): string {
  const sorted = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  const parts =
    target.transport === 'stdio'
      ? [target.transport, target.command, target.args, sorted(target.env), target.cwd]
      : [target.transport, target.url, sorted(target.headers), ...(target.type === 'sse' ? [target.type] : [])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

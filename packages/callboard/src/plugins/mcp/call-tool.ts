/** Relays one call of a tool: the arguments and `_meta` as they came, the result as the server sent it. */

import { CallboardError } from '../../errors.ts'
import { argumentHeaders, headerArgumentsOf } from '../../tools/header-arguments.ts'
import type { ToolCall, ToolResult } from '../plugin.ts'
import type { McpConnection } from './mcp-connection.ts'
import type { JsonObject } from './messages.ts'

/** Throws what {@link McpConnection.request} throws. */
export function callTool(connection: McpConnection, call: ToolCall): Promise<JsonObject> {
  const { definition, meta, signal, onProgress, log, takesEncoded } = call
  const params = { name: definition.action, arguments: call.writtenArguments ?? call.arguments, _meta: meta }
  const headers = connection.mirrorsArguments ? headersOf(call) : undefined
  return connection.request({ method: 'tools/call', params, signal, onProgress, log, takesEncoded, headers })
}

/** Throws `tool_failed` when the result is none of a tool. */
export function toolResult(result: JsonObject): ToolResult {
  if (isToolResult(result)) return result
  if (result.content !== undefined)
    throw new CallboardError('tool_failed', 'the server answered with a "content" that is no list')
  // Old servers leave it out where they have none.
  return { ...result, content: [] }
}

function headersOf({ definition, arguments: args }: ToolCall): Record<string, string> | undefined {
  const wanted = headerArgumentsOf(definition.inputSchema ?? {})
  return wanted.kind === 'valid' ? argumentHeaders(wanted.arguments, args) : undefined
}

function isToolResult(result: JsonObject): result is JsonObject & ToolResult {
  return Array.isArray(result.content)
}

/** Reads a large result that came as bytes a little at a time, so that nobody else waits for the whole of it. */
import { type EncodedFields, encodedFields, plainMembers } from '../plugins/encoded-result.ts'
import { inTurns } from '../plugins/in-turns.ts'
import type { ToolResult } from '../plugins/plugin.ts'
import { readInSteps } from '../plugins/read-in-steps.ts'

/**
 * A result of `encodedResult` becomes one of values; any other is returned as it is, at once. Rejects with the reason of
 * the signal.
 */
export function decodeLarge(result: ToolResult, signal: AbortSignal | undefined): ToolResult | Promise<ToolResult> {
  const fields = encodedFields(result)
  return fields === undefined ? result : decode(result, fields, signal)
}

async function decode(result: ToolResult, fields: EncodedFields, signal: AbortSignal | undefined): Promise<ToolResult> {
  const read: [string, unknown][] = []
  for (const [field, bytes] of fields) read.push([field, await inTurns(readInSteps(bytes), signal)])
  // Numbers that are kept as they were written become doubles, as in the bytes.
  const plain: object = JSON.parse(JSON.stringify(Object.fromEntries(plainMembers(result, fields))))
  return { content: result.content, ...plain, ...Object.fromEntries(read) }
}

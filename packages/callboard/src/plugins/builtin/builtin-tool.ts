/** The shape of one of the four tools, and of what the three that only look answer. */
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import type { PluginHost, ToolCall, ToolResult } from '../plugin.ts'

/** The id of the built-in plugin. */
export const BUILTIN_ID = 'callboard'

export interface BuiltinTool {
  readonly definition: ToolDefinition
  run(call: ToolCall, host: PluginHost): ToolResult | Promise<ToolResult>
}

/** The definition of a tool that only looks at the catalogue. */
export function lookingTool(
  name: string,
  text: { readonly title: string; readonly description: string },
  schemas: { readonly inputSchema: JsonSchema; readonly outputSchema: JsonSchema },
): ToolDefinition {
  return {
    package: BUILTIN_ID,
    name,
    action: name,
    ...text,
    ...schemas,
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    surfaces: ['mcp'],
  }
}

/** The same answer twice: as text for a model, as data for a program. */
export function answer(lines: readonly string[], data: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: data }
}

/** A result that says what went wrong, in words that a model can act on. */
export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

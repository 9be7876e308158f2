/** Makes definitions of what a server listed, mends what can be mended, and reports what can't. */
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import { headerArgumentsOf } from '../../tools/header-arguments.ts'
import { isObject, type JsonObject } from './messages.ts'

export interface MappedTools {
  readonly tools: readonly ToolDefinition[]
  /** One sentence for each entry that was left out or mended. */
  readonly reports: readonly string[]
}

export interface MappingOptions {
  readonly pluginId: string
  /** Leaves out tools whose `x-mcp-header` is invalid, as the protocol demands of clients over HTTP. */
  readonly checkHeaders: boolean
}

const SHOWN_NAME = 60

/** The first of several entries with one name stays. */
export function mapTools(entries: readonly unknown[], { pluginId, checkHeaders }: MappingOptions): MappedTools {
  const tools = new Map<string, ToolDefinition>()
  const reports: string[] = []
  for (const [index, entry] of entries.entries()) {
    const report = (words: string): void => {
      reports.push(`plugin "${pluginId}": ${words}`)
    }
    if (!isObject(entry) || typeof entry.name !== 'string' || entry.name === '') {
      report(`entry ${index + 1} of its list has no name and is left out`)
      continue
    }
    const shown = JSON.stringify(entry.name.slice(0, SHOWN_NAME))
    if (tools.has(entry.name)) {
      report(`it lists the tool ${shown} more than once; the first stays`)
      continue
    }
    const { tool, mended } = mend(entry)
    if (mended.length > 0) report(`the tool ${shown} has a wrong ${mended.join(', ')}, which is mended or left out`)
    const headers = checkHeaders ? headerArgumentsOf(tool.inputSchema) : undefined
    if (headers?.kind === 'invalid') report(`the tool ${shown} is left out: ${headers.reason}`)
    else tools.set(entry.name, definitionOf(entry.name, tool, pluginId))
  }
  return { tools: [...tools.values()], reports }
}

/** The entry with every field that a client could stumble over put right, and the names of those fields. */
function mend(entry: JsonObject): {
  readonly tool: JsonObject & { readonly inputSchema: JsonSchema }
  readonly mended: string[]
} {
  const mended: string[] = []
  const tool: JsonObject = { ...entry }
  const drop = (field: string, fits: boolean): void => {
    if (fits || tool[field] === undefined) return
    delete tool[field]
    mended.push(field)
  }
  drop('title', typeof entry.title === 'string')
  drop('description', typeof entry.description === 'string')
  drop('outputSchema', isObject(entry.outputSchema))
  drop('annotations', isObject(entry.annotations))
  drop('_meta', isObject(entry._meta))
  const { inputSchema } = entry
  if (isObject(inputSchema) && inputSchema.type === 'object') return { tool: { ...tool, inputSchema }, mended }
  mended.push('inputSchema')
  const withoutType = isObject(inputSchema) && inputSchema.type === undefined ? inputSchema : {}
  return { tool: { ...tool, inputSchema: { type: 'object', ...withoutType } }, mended }
}

function definitionOf(
  name: string,
  tool: JsonObject & { readonly inputSchema: JsonSchema },
  pluginId: string,
): ToolDefinition {
  const annotations = isObject(tool.annotations) ? tool.annotations : {}
  const title = tool.title ?? annotations.title
  const readOnly = annotations.readOnlyHint === true
  const { destructiveHint, idempotentHint, openWorldHint } = annotations
  return {
    package: pluginId,
    name,
    action: name,
    ...(typeof title === 'string' && { title }),
    ...(typeof tool.description === 'string' && { description: tool.description }),
    inputSchema: tool.inputSchema,
    ...(isObject(tool.outputSchema) && { outputSchema: tool.outputSchema }),
    readOnly,
    // The protocol's own defaults: a tool that says nothing may destroy and may reach anywhere.
    destructive: typeof destructiveHint === 'boolean' ? destructiveHint && !readOnly : !readOnly,
    ...(typeof idempotentHint === 'boolean' && { idempotent: idempotentHint }),
    openWorld: typeof openWorldHint === 'boolean' ? openWorldHint : true,
    listed: tool,
  }
}

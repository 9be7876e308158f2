/** Makes definitions of what a server listed, mends what can be mended, and reports what can't. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema, ToolDefinition } from '@callboard/sdk'
import { isObject } from '../../is-object.ts'
import { headerArgumentsOf } from '../../tools/header-arguments.ts'
import { FoldedReports } from './folded-reports.ts'
import { isTooDeep } from './is-too-deep.ts'
import { type MendedTool, mendTool } from './mend-tool.ts'
import type { JsonObject } from './messages.ts'

export interface MappedTools {
  readonly tools: readonly ToolDefinition[]
  /** One sentence for each kind of thing for which entries were left out or mended. */
  readonly reports: readonly string[]
}

export interface MappingOptions {
  readonly pluginId: string
  /** Leaves out tools whose `x-mcp-header` is invalid, as the protocol demands of clients over HTTP. */
  readonly checkHeaders: boolean
  /** Definitions that were made here before, of which one whose entry is the same stays the same object. */
  readonly made?: readonly ToolDefinition[]
}

const SHOWN_NAME = 60
/** No schema that was written for a purpose comes near it. */
const MAX_LEVELS = 100

/** Works through the entries one by one. The first of several with one name stays. */
export function* mapTools(
  entries: readonly unknown[],
  { pluginId, checkHeaders, made = [] }: MappingOptions,
): Generator<undefined, MappedTools> {
  const before = new Map(made.map((tool) => [tool.name, tool]))
  const tools = new Map<string, ToolDefinition>()
  const reports = new FoldedReports()
  for (const [index, entry] of entries.entries()) {
    yield
    if (!isObject(entry) || typeof entry.name !== 'string' || entry.name === '') {
      reports.add('no name', String(index + 1), {
        one: `entry ${index + 1} of its list has no name and is left out`,
        many: (count) => `${count} entries of its list have no name and are left out`,
      })
      continue
    }
    const shown = JSON.stringify(entry.name.slice(0, SHOWN_NAME))
    if (tools.has(entry.name)) {
      reports.add('twice', shown, {
        one: `it lists the tool ${shown} more than once; the first stays`,
        many: (count) => `it lists tools more than once, ${count} times in all; the first of each stays`,
      })
      continue
    }
    const known = before.get(entry.name)
    if (known !== undefined && isMadeOf(entry, known, checkHeaders)) {
      tools.set(entry.name, known)
      continue
    }
    const tool = usable(entry, shown, { checkHeaders, reports })
    if (tool !== undefined) tools.set(entry.name, definitionOf(entry.name, tool, pluginId))
  }
  return { tools: [...tools.values()], reports: reports.sentences.map((words) => `plugin "${pluginId}": ${words}`) }
}

/** Whether the entry would become this definition again, with nothing to be said of it. */
function isMadeOf(entry: JsonObject, known: ToolDefinition, checkHeaders: boolean): boolean {
  if (!isDeepStrictEqual(entry, known.listed)) return false
  return !checkHeaders || headerArgumentsOf(known.inputSchema ?? {})?.kind !== 'invalid'
}

/** The entry mended; undefined when it is left out. */
function usable(
  entry: JsonObject,
  shown: string,
  { checkHeaders, reports }: { readonly checkHeaders: boolean; readonly reports: FoldedReports },
): MendedTool['tool'] | undefined {
  const leftOut = (reason: string): undefined => {
    reports.add(`left out ${reason}`, shown, {
      one: `the tool ${shown} is left out: ${reason}`,
      many: (count) => `${count} tools are left out: ${reason}`,
    })
  }
  if (isTooDeep(entry, MAX_LEVELS)) return leftOut('it is nested too deep to be passed on')
  const { tool, mended } = mendTool(entry)
  const fields = mended.join(', ')
  if (mended.length > 0)
    reports.add(`wrong ${fields}`, shown, {
      one: `the tool ${shown} has a wrong ${fields}, which is mended or left out`,
      many: (count) => `${count} tools have a wrong ${fields}, which is mended or left out`,
    })
  const headers = checkHeaders ? headerArgumentsOf(tool.inputSchema) : undefined
  return headers?.kind === 'invalid' ? leftOut(headers.reason) : tool
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

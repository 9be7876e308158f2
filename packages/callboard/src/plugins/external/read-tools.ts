/** Reads the list of tools that an external plugin gives. */
import type { Surface, ToolDefinition } from '@callboard/sdk'
import type { ToolMessage } from '@callboard/sdk/external'
import { messageOf } from '../../errors.ts'
import { checkDefinition } from '../../tools/check-definition.ts'
import { readObject } from './json-bytes.ts'

export interface ToolReading {
  readonly tools: readonly ToolDefinition[]
  /** What was left out and why, a sentence each. */
  readonly reports: readonly string[]
}

/** One broken tool costs no other: it is left out and reported, and so is each further one of the same name. */
export function readTools(pluginId: string, messages: readonly ToolMessage[]): ToolReading {
  const tools = new Map<string, ToolDefinition>()
  const reports: string[] = []
  for (const message of messages) {
    try {
      const definition = toDefinition(pluginId, message)
      checkDefinition(definition)
      if (tools.has(definition.name))
        reports.push(`tool ${JSON.stringify(definition.name)} is listed twice; the first stays`)
      else tools.set(definition.name, definition)
    } catch (error) {
      reports.push(`a tool was left out: ${messageOf(error)}`)
    }
  }
  return { tools: [...tools.values()], reports }
}

function toDefinition(pluginId: string, message: ToolMessage): ToolDefinition {
  const { name, title, description, permission, idempotent, openWorld, surfaces, tags } = message
  const inputSchema =
    schemaOf(message.inputSchemaJson, `the input schema of ${JSON.stringify(name)}`) ?? message.inputSchema
  const outputSchema = schemaOf(message.outputSchemaJson, `the output schema of ${JSON.stringify(name)}`)
  return {
    package: pluginId,
    name,
    action: name,
    ...(title !== '' && { title }),
    ...(description !== '' && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(permission !== '' && { permission }),
    readOnly: message.readOnly,
    destructive: message.destructive,
    ...(idempotent !== undefined && { idempotent }),
    ...(openWorld !== undefined && { openWorld }),
    streaming: message.streaming,
    ...(surfaces.length > 0 && { surfaces: surfaces.map((surface) => toSurface(surface, name)) }),
    ...(tags.length > 0 && { tags }),
  }
}

function toSurface(surface: string, name: string): Surface {
  if (surface === 'mcp' || surface === 'cli') return surface
  throw new TypeError(
    `tool ${JSON.stringify(name)} is for the surface ${JSON.stringify(surface)}; there are "mcp" and "cli"`,
  )
}

function schemaOf(bytes: Uint8Array, what: string): Record<string, unknown> | undefined {
  return bytes.length === 0 ? undefined : readObject(bytes, what)
}

/** Puts the definition of a tool into the message that tells a host of it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { inputSchemaOf } from '../../input-schema-of.ts'
import type { ToolDefinition } from '../../tool-definition.ts'
import type { ToolDefinitionSchema } from './generated/plugin_pb.ts'

/**
 * Its `action` and its `package` stay behind: what runs is the plugin's own affair, and the host knows whom it asks.
 */
export function describeTool(definition: ToolDefinition): MessageInitShape<typeof ToolDefinitionSchema> {
  const { outputSchema, idempotent, openWorld } = definition
  return {
    name: definition.name,
    title: definition.title ?? '',
    description: definition.description ?? '',
    inputSchemaJson: bytesOf(inputSchemaOf(definition)),
    ...(outputSchema !== undefined && { outputSchemaJson: bytesOf(outputSchema) }),
    readOnly: definition.readOnly ?? false,
    destructive: definition.destructive ?? false,
    ...(idempotent !== undefined && { idempotent }),
    ...(openWorld !== undefined && { openWorld }),
    permission: definition.permission ?? '',
    surfaces: [...(definition.surfaces ?? [])],
    streaming: definition.streaming ?? false,
    tags: [...(definition.tags ?? [])],
  }
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

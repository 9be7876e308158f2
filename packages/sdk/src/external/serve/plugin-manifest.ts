/** What an external plugin says of itself: over the wire, and to whoever starts it with `--manifest`. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DefinedPlugin } from '../../define-plugin.ts'
import { inputSchemaOf } from '../../input-schema-of.ts'
import type { ToolDefinition } from '../../tool-definition.ts'
import type { PluginManifestSchema } from '../protocol/generated/plugin_pb.ts'

/** What a plugin can say of itself beyond its definition. */
export interface PluginFacts {
  readonly version?: string | undefined
  /** What to show people. */
  readonly title?: string | undefined
  readonly description?: string | undefined
}

export function manifestOf(
  { id, tools }: DefinedPlugin,
  { version = '', title = '', description = '' }: PluginFacts,
): MessageInitShape<typeof PluginManifestSchema> {
  return {
    id,
    version,
    title,
    description,
    language: 'javascript',
    providesTools: tools.map(({ definition }) => definition.name),
    permissions: permissionsOf(tools.map(({ definition }) => definition)),
  }
}

/** The manifest as JSON, in the words of the protocol, with the tools in those of `plugin.yaml`. */
export function manifestText({ id, tools }: DefinedPlugin, { version, title, description }: PluginFacts): string {
  const definitions = tools.map(({ definition }) => definition)
  return JSON.stringify(
    {
      id,
      version,
      title,
      description,
      language: 'javascript',
      provides_tools: definitions.map(({ name }) => name),
      permissions: permissionsOf(definitions),
      tools: definitions.map(toolText),
    },
    undefined,
    2,
  )
}

function toolText(definition: ToolDefinition): Record<string, unknown> {
  const { name, title, description, permission, surfaces, tags, streaming, idempotent, outputSchema } = definition
  return {
    name,
    title,
    description,
    input_schema: inputSchemaOf(definition),
    output_schema: outputSchema,
    permission,
    read_only: definition.readOnly ?? false,
    destructive: definition.destructive ?? false,
    idempotent,
    open_world: definition.openWorld,
    streaming,
    surfaces,
    tags,
  }
}

function permissionsOf(definitions: readonly ToolDefinition[]): string[] {
  return [...new Set(definitions.flatMap(({ permission = '' }) => (permission === '' ? [] : [permission])))].sort()
}

/** `definePlugin()`: a plugin that is written in code, without a manifest. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Tool } from './tool.ts'
import type { ToolAction } from './tool-action.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** A plugin with all that a host needs to run it. A module whose default export is one can be named in a config. */
export interface DefinedPlugin {
  readonly id: string
  readonly tools: readonly DefinedTool[]
}

/** One tool of a plugin, with what runs it. */
export interface DefinedTool {
  readonly definition: ToolDefinition
  /** Looks at the arguments after the JSON Schema did, and may make something else of them. */
  readonly schema?: StandardSchemaV1
  readonly run: ToolAction<never>
}

const PLUGIN_ID = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)?$/

/**
 * Makes a plugin of these tools.
 * @param plugin `id` is `vendor/name` or a dotted id, of letters, digits, `.`, `_` and `-`
 * @throws TypeError for an id that is none, and for two tools of one name
 */
export function definePlugin(plugin: { readonly id: string; readonly tools: readonly Tool[] }): DefinedPlugin {
  const { id, tools } = plugin
  if (typeof id !== 'string' || !PLUGIN_ID.test(id))
    throw new TypeError(
      `plugin ${JSON.stringify(id)}: \`id\` has to be vendor/name or a dotted id, of letters, digits, ".", "_" and "-"`,
    )
  const names = new Set<string>()
  for (const { definition } of tools) {
    if (names.has(definition.name))
      throw new TypeError(`plugin "${id}": there are two tools named ${JSON.stringify(definition.name)}; rename one`)
    names.add(definition.name)
  }
  return { id, tools: tools.map((tool) => ({ ...tool, definition: { package: id, ...tool.definition } })) }
}

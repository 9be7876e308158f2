/** Which permission a thing needs. */
import type { ToolDefinition } from '@callboard/sdk'

/** What a user needs to be on a surface at all; undefined where the permissions of the tools are enough. */
export const SURFACE_PERMISSIONS: { readonly cli: 'cli.access'; readonly mcp: undefined } = {
  cli: 'cli.access',
  mcp: undefined,
}

/** The permission that a tool needs: the one it declares, else the plugin's id, a dot and its name, with `/` as `.`. */
export function permissionOf(definition: ToolDefinition): string {
  return definition.permission ?? `${definition.package}.${definition.name}`.replaceAll('/', '.')
}

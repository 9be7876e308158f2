/** Which permission a thing needs. */
import type { Surface, ToolDefinition } from '@callboard/sdk'

/** The permission that every command of the command line needs. */
export const CLI_ACCESS = 'cli.access'

/** What a user needs to be on a surface at all; undefined where the permissions of the tools are enough. */
export const SURFACE_PERMISSIONS: Readonly<Record<Surface, string | undefined>> = { cli: CLI_ACCESS, mcp: undefined }

/** The permission that a tool needs: the one it declares, else the plugin's id, a dot and its name, with `/` as `.`. */
export function permissionOf(definition: ToolDefinition): string {
  return definition.permission ?? `${definition.package}.${definition.name}`.replaceAll('/', '.')
}

/** On which surfaces a tool is there at all. */
import type { Surface, ToolDefinition } from '@callboard/sdk'

export const SURFACES: readonly Surface[] = ['mcp', 'cli']

/** Whether the tool may be listed and used on the surface; it may on every one unless its definition names some. */
export function isOffered({ definition }: { readonly definition: ToolDefinition }, surface: Surface): boolean {
  return definition.surfaces?.includes(surface) ?? true
}

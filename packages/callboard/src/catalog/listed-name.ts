/** The name by which a surface tells a tool, in its lists and where one is suggested. */
import type { CatalogEntry, Surface } from '@callboard/sdk'

/**
 * Over MCP the public name; on the command line the one that never changes, unless that would choose one of several
 * providers.
 */
export function listedName({ name, namespacedName, providers }: CatalogEntry, surface: Surface): string {
  return surface === 'mcp' || providers.length > 1 ? name : namespacedName
}

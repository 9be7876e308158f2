/** What the permissions of a plugin begin with, so that none can ask for less than those of another are worth. */

/** Roots that are no plugin's: Callboard's own, and `ai`, which all bridges to model providers share. */
export const RESERVED_ROOTS: readonly string[] = ['callboard', 'cli', 'owner', 'ai']

/** The vendor of a plugin, else its id. */
export function rootOf(pluginId: string): string {
  return pluginId.split('/', 1)[0] ?? pluginId
}

/** Why a plugin may not declare this permission, as the end of a sentence; undefined when it may. */
export function permissionFault(pluginId: string, permission: string): string | undefined {
  const root = rootOf(pluginId)
  if (permission.startsWith(`${root}.`) && permission.length > root.length + 1) return undefined
  return `the permission ${JSON.stringify(permission.slice(0, 100))} is not the plugin's own; it has to begin with "${root}."`
}

/** Who may run what in a test, by the rules of a host's roles. */
import type { Surface, ToolDefinition } from '../tool-definition.ts'

/** The user who may do everything. */
export const OWNER = 'owner'

/** Patterns of permissions by user; `*` stands for any run of characters, dots too. */
export type KitUsers = Readonly<Record<string, readonly string[]>>

/** The permission that the user lacks for the tool on this surface; undefined where nothing is in the way. */
export function lackingPermission(
  users: KitUsers,
  { user, surface }: { readonly user: string; readonly surface: Surface },
  definition: ToolDefinition,
): string | undefined {
  const patterns = user === OWNER ? ['*'] : Object.hasOwn(users, user) ? (users[user] ?? []) : []
  const needed = [...(surface === 'cli' ? ['cli.access'] : []), permissionOf(definition)]
  return needed.find((permission) => !patterns.some((pattern) => matches(pattern, permission)))
}

function permissionOf({ permission, package: id, name }: ToolDefinition): string {
  return permission ?? `${id}.${name}`.replaceAll('/', '.')
}

function matches(pattern: string, permission: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(permission)
}

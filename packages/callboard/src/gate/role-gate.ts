/** The gate of the config: users have roles, and roles grant patterns of permissions. */
import type { Config } from '../config/config.ts'
import { patternMatcher } from '../tools/pattern.ts'
import type { Gate } from './gate.ts'

/** The user who has every permission. */
export const OWNER = 'owner'

/** A gate that answers at once, and always the same. */
export interface RoleGate extends Gate {
  readonly kind: 'roles'
  allows(user: string, permission: string): boolean
}

/** Whether it is the gate of the config, and not one that an application brought. */
export function isRoleGate(gate: Gate): gate is RoleGate {
  return 'kind' in gate && gate.kind === 'roles'
}

/**
 * The owner may do all, a user what the roles grant. Who is disabled may do nothing, the owner too where the config
 * says so, and neither may a user whom the config does not name. A role that is not defined grants nothing.
 */
export function createRoleGate({ roles, users }: Pick<Config, 'roles' | 'users'>): RoleGate {
  const grants = new Map<string, (permission: string) => boolean>([[OWNER, () => true]])
  for (const [name, user] of users) {
    if (user.disabled) grants.set(name, () => false)
    else if (name !== OWNER) grants.set(name, patternMatcher(user.roles.flatMap((role) => roles.get(role) ?? [])))
  }
  return { kind: 'roles', allows: (user, permission) => grants.get(user)?.(permission) ?? false }
}

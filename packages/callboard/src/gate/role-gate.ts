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
  /**
   * A text that is the same for users who may do the same: `EVERY_RIGHT` for those who may do all, '' for those who may
   * do nothing.
   */
  rightsOf(user: string): string
}

export const EVERY_RIGHT = '*'

/** Whether it is the gate of the config, and not one that an application brought. */
export function isRoleGate(gate: Gate): gate is RoleGate {
  return 'kind' in gate && gate.kind === 'roles'
}

/**
 * The owner may do all, a user what the roles grant. Who is disabled may do nothing, the owner too where the config
 * says so, and neither may a user whom the config does not name. A role that is not defined grants nothing.
 */
export function createRoleGate({ roles, users }: Pick<Config, 'roles' | 'users'>): RoleGate {
  const granted = new Map([[OWNER, grantOf(['*'])]])
  for (const [name, user] of users) {
    if (user.disabled) granted.set(name, grantOf([]))
    else if (name !== OWNER) granted.set(name, grantOf(user.roles.flatMap((role) => roles.get(role) ?? [])))
  }
  return {
    kind: 'roles',
    allows: (user, permission) => granted.get(user)?.allows(permission) ?? false,
    rightsOf: (user) => granted.get(user)?.rights ?? '',
  }
}

interface Grant {
  readonly allows: (permission: string) => boolean
  readonly rights: string
}

function grantOf(patterns: readonly string[]): Grant {
  const allows = patternMatcher(patterns)
  if (patterns.includes('*')) return { allows, rights: EVERY_RIGHT }
  const distinct = [...new Set(patterns)].sort()
  return { allows, rights: distinct.length === 0 ? '' : JSON.stringify(distinct) }
}

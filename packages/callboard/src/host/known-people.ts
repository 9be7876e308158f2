/** Who and which roles there are, when those of the config and those of the store are put together. */
import type { Config } from '../config/config.ts'
import { OWNER } from '../gate/role-gate.ts'
import { shellWord } from '../shell-word.ts'
import type { StoredRole, StoredUser } from '../store/people-store.ts'

/**
 * Where a user or role is kept, and so where it is changed: `built in` is the owner, whom the config may only disable.
 */
type PersonSource = 'built in' | 'config' | 'store'

/** Somebody who may act, with what the roles grant; the owner has all. */
export interface User {
  readonly name: string
  readonly roles: readonly string[]
  readonly disabled: boolean
  readonly source: PersonSource
}

/** What users are granted who have it. */
export interface Role {
  readonly name: string
  /** Patterns of permissions. */
  readonly permissions: readonly string[]
  readonly source: PersonSource
}

/** What the store has of users and roles. */
export interface StoredPeople {
  readonly users: readonly StoredUser[]
  readonly roles: readonly StoredRole[]
}

export interface KnownPeople {
  /** By name, in order of names; so is the next. */
  readonly users: ReadonlyMap<string, User>
  readonly roles: ReadonlyMap<string, Role>
  /** What a person should mend, one sentence each. */
  readonly reports: readonly string[]
}

/**
 * What the config has goes before what the store has under the same name, which is reported. The owner is always there.
 */
export function knownPeople(config: Pick<Config, 'users' | 'roles'>, stored: StoredPeople): KnownPeople {
  const owner = { name: OWNER, roles: [], disabled: config.users.get(OWNER)?.disabled ?? false }
  const users = byName<User>([
    ...stored.users.map((user) => ({ ...user, source: 'store' as const })),
    ...[...config.users].map(([name, user]) => ({ name, ...user, source: 'config' as const })),
    { ...owner, source: 'built in' },
  ])
  const roles = byName<Role>([
    ...stored.roles.map((role) => ({ ...role, source: 'store' as const })),
    ...[...config.roles].map(([name, permissions]) => ({ name, permissions, source: 'config' as const })),
  ])
  const reports = [
    ...stored.users.filter(({ name }) => users.get(name)?.source !== 'store').map(({ name }) => twice('user', name)),
    ...stored.roles.filter(({ name }) => roles.get(name)?.source !== 'store').map(({ name }) => twice('role', name)),
    ...stored.users.flatMap((user) => user.roles.filter((role) => !roles.has(role)).map((role) => without(user, role))),
  ]
  return { users, roles, reports }
}

/** A later one of a name stands in the place of an earlier one. */
function byName<Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> {
  const last = new Map(all.map((one) => [one.name, one]))
  return new Map([...last].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function twice(kind: 'user' | 'role', name: string): string {
  return `the ${kind} "${name}" is in the config and in the store, and that of the config counts; remove the other one: callboard ${kind}s remove ${shellWord(name)}`
}

function without({ name, roles }: StoredUser, role: string): string {
  return `the user "${name}" has the role "${role}", which is not there; add it, or take it from the user: ${withoutRole({ name, roles }, role)}`
}

/** The command that leaves a user of the store the other roles. */
export function withoutRole({ name, roles }: Pick<User, 'name' | 'roles'>, role: string): string {
  return setUserCommand(
    name,
    roles.filter((other) => other !== role),
  )
}

/** The command that gives a user of the store these roles. */
export function setUserCommand(name: string, roles: readonly string[]): string {
  return ['callboard users set', shellWord(name), ...roles.map((role) => `--role ${shellWord(role)}`)].join(' ')
}

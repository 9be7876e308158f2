/** The users and roles of a host: those of the config and, besides, those of the store. */
import type { Config } from '../config/config.ts'
import { name as nameSchema, pattern as patternSchema } from '../config/schema-parts.ts'
import { CallboardError } from '../errors.ts'
import { createRoleGate, OWNER, type RoleGate } from '../gate/role-gate.ts'
import { nearestOrAll } from '../nearest-or-all.ts'
import { shellWord } from '../shell-word.ts'
import type { PeopleStore } from '../store/people-store.ts'
import { type KnownPeople, knownPeople, type Role, setUserCommand, type User, withoutRole } from './known-people.ts'

/**
 * Who there is, and the ways to change what the store has of it. A change is in effect when its method returns, for
 * every request that comes then; hosts in other processes see it within a second. What is asked for wrongly is a
 * `CallboardError` of code `usage`, and changes nothing.
 */
export interface People {
  /** Sorted by name; the owner too. */
  users(): readonly User[]
  /** Sorted by name. */
  roles(): readonly Role[]
  addUser(name: string, roles: readonly string[]): void
  /** Gives a user of the store these roles instead of those before. */
  setRoles(name: string, roles: readonly string[]): void
  /** Shuts a user of the store out, or lets the user in again. */
  setDisabled(name: string, disabled: boolean): void
  /** Takes a user out of the store, with the tokens of that user. */
  removeUser(name: string): void
  addRole(name: string, permissions: readonly string[]): void
  /** Has a role of the store grant these patterns instead of those before. */
  setPermissions(name: string, permissions: readonly string[]): void
  /** Takes a role that nobody has out of the store. */
  removeRole(name: string): void
}

export interface HostPeopleOptions {
  readonly store: PeopleStore
  readonly config: Pick<Config, 'users' | 'roles'>
  /** Told after anything changed. */
  readonly onChange: () => void
  /** Told of a user who is no longer there. */
  readonly onRemove: (user: string) => void
}

type Kind = 'user' | 'role'

export class HostPeople implements People {
  readonly #options: HostPeopleOptions
  #config: HostPeopleOptions['config']
  #revision: number
  #known: KnownPeople
  #gate: RoleGate

  constructor(options: HostPeopleOptions) {
    this.#options = options
    this.#config = options.config
    this.#revision = options.store.revision()
    this.#known = this.#read()
    this.#gate = gateOf(this.#known)
  }

  /** Decides by what is known of users and roles now; another one after a change. */
  get gate(): RoleGate {
    return this.#gate
  }

  /** The user, if there is one of that name. */
  find(name: string): User | undefined {
    return this.#known.users.get(name)
  }

  /** Throws `usage`, with a name that is close, where there is no such user. */
  require(name: string): void {
    this.refresh()
    if (this.find(name) === undefined) throw this.#unknown('user', name)
  }

  users(): readonly User[] {
    return [...this.#known.users.values()]
  }

  roles(): readonly Role[] {
    return [...this.#known.roles.values()]
  }

  /** What a person should mend, one sentence each. */
  reports(): readonly string[] {
    return this.#known.reports
  }

  /** Takes over what another process has changed in the store. */
  refresh(): void {
    const revision = this.#options.store.revision()
    if (revision === this.#revision) return
    this.#revision = revision
    this.#renew()
  }

  /** The config says something else of users and roles. */
  take(config: HostPeopleOptions['config']): void {
    this.#config = config
    this.#renew()
  }

  addUser(name: string, roles: readonly string[]): void {
    // Without roles, what changes a user would take those away that the user has.
    this.#checkNew('user', name, roles.length === 0 ? undefined : setUserCommand(name, roles))
    this.#checkRoles(roles)
    this.#change(this.#options.store.addUser({ name, roles: distinct(roles), disabled: false }), 'user', name)
  }

  setRoles(name: string, roles: readonly string[]): void {
    this.#checkStored('user', name)
    this.#checkRoles(roles)
    this.#change(this.#options.store.setRoles(name, distinct(roles)), 'user', name)
  }

  setDisabled(name: string, disabled: boolean): void {
    this.#checkStored('user', name)
    this.#change(this.#options.store.setDisabled(name, disabled), 'user', name)
  }

  removeUser(name: string): void {
    const { store, onRemove } = this.#options
    // One that the config has too may go, and is then the config's alone.
    if (!store.users().some((user) => user.name === name)) this.#checkStored('user', name)
    const isElsewhere = this.#config.users.has(name)
    if (!isElsewhere) onRemove(name)
    this.#change(store.removeUser(name), 'user', name)
  }

  addRole(name: string, permissions: readonly string[]): void {
    this.#checkNew('role', name, `callboard roles set ${[name, ...permissions].map(shellWord).join(' ')}`)
    checkPatterns(permissions)
    this.#change(this.#options.store.addRole({ name, permissions: distinct(permissions) }), 'role', name)
  }

  setPermissions(name: string, permissions: readonly string[]): void {
    this.#checkStored('role', name)
    checkPatterns(permissions)
    this.#change(this.#options.store.setPermissions(name, distinct(permissions)), 'role', name)
  }

  removeRole(name: string): void {
    const { store } = this.#options
    if (!store.roles().some((role) => role.name === name)) this.#checkStored('role', name)
    const holders = store.users().filter((user) => user.roles.includes(name) && !this.#config.roles.has(name))
    if (holders.length > 0) {
      const who = holders.map((user) => `"${user.name}"`).join(', ')
      throw usage(
        `the role "${name}" is one of ${who}; take it from them first: ${holders.map((user) => withoutRole(user, name)).join('; ')}`,
      )
    }
    this.#change(store.removeRole(name), 'role', name)
  }

  #read(): KnownPeople {
    const { store } = this.#options
    return knownPeople(this.#config, { users: store.users(), roles: store.roles() })
  }

  #renew(): void {
    this.#known = this.#read()
    this.#gate = gateOf(this.#known)
    this.#options.onChange()
  }

  #named(kind: Kind): ReadonlyMap<string, User | Role> {
    return kind === 'user' ? this.#known.users : this.#known.roles
  }

  /**
   * Refuses a name that is none, or that is taken; `change` is the command that gives what has it what was asked for.
   */
  #checkNew(kind: Kind, name: string, change: string | undefined): void {
    const fault = nameSchema.safeParse(name).error?.issues[0]?.message
    if (fault !== undefined) throw usage(`${JSON.stringify(name.slice(0, 128))} can't be a ${kind}: ${fault}`)
    this.refresh()
    const known = this.#named(kind).get(name)
    if (known === undefined) return
    const mend = known.source !== 'store' ? whereOf(kind, known) : change && `change it with: ${change}`
    throw usage(`there is a ${kind} "${name}" already${mend === undefined ? '' : `; ${mend}`}`)
  }

  /** Refuses what is not there, and what the store has no say in. */
  #checkStored(kind: Kind, name: string): void {
    this.refresh()
    const known = this.#named(kind).get(name)
    if (known === undefined) throw this.#unknown(kind, name)
    if (known.source !== 'store') throw usage(`the ${kind} "${name}" can't be changed here; ${whereOf(kind, known)}`)
  }

  #checkRoles(roles: readonly string[]): void {
    const unknown = roles.find((role) => !this.#known.roles.has(role))
    if (unknown !== undefined) throw this.#unknown('role', unknown)
  }

  #unknown(kind: Kind, name: string): CallboardError {
    const names = [...this.#named(kind).keys()]
    return usage(`no ${kind} "${name}"; ${nearestOrAll(name, names)}`)
  }

  /** @param isDone false where another process was there first */
  #change(isDone: boolean, kind: Kind, name: string): void {
    this.refresh()
    if (!isDone) throw usage(`another process has just changed the ${kind} "${name}"; look again and repeat`)
  }
}

function gateOf({ users, roles }: KnownPeople): RoleGate {
  return createRoleGate({ users, roles: new Map([...roles].map(([name, { permissions }]) => [name, permissions])) })
}

/** Throws `usage` for what can't be a pattern of permissions. */
export function checkPatterns(patterns: readonly string[]): void {
  for (const text of patterns) {
    const fault = patternSchema.safeParse(text).error?.issues[0]?.message
    if (fault !== undefined) throw usage(`${JSON.stringify(text)} is no pattern of permissions: ${fault}`)
  }
}

function whereOf(kind: Kind, { name, source }: User | Role): string {
  if (source === 'built in') return `the owner may do everything; the config alone can shut it out (users.${OWNER})`
  return `it is in the config, so change it there (${kind}s.${name})`
}

function usage(message: string): CallboardError {
  return new CallboardError('usage', message)
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** `callboard users`: who there is besides those of the config, and which roles they have. */
import type { User } from '../../../host/known-people.ts'
import { type CommandContext, requireOwner } from '../command-context.ts'
import { writeRemoval } from '../output/removal.ts'
import { type NamedList, showAll, showChanged } from './named-list.ts'

const USERS: NamedList<User> = {
  key: 'users',
  heads: ['USER', 'STATE', 'FROM', 'ROLES'],
  read: (people) => people.users(),
  row: ({ name, roles, disabled, source }) => [name, disabled ? 'disabled' : 'enabled', source, roles.join(' ')],
}

/** Those of the config, too. Like all of these, it is the owner's to run and returns the exit code. */
export function listUsers(context: CommandContext): number {
  return showAll(context, USERS)
}

/** @param roles names of roles that there are */
export function addUser(context: CommandContext, name: string, roles: readonly string[]): number {
  return showChanged(context, USERS, { name, change: (people) => people.addUser(name, roles) })
}

/** Gives the user these roles instead of those before. */
export function setUser(context: CommandContext, name: string, roles: readonly string[]): number {
  return showChanged(context, USERS, { name, change: (people) => people.setRoles(name, roles) })
}

/** Shuts the user out, or lets the user in again. */
export function setUserDisabled(context: CommandContext, name: string, disabled: boolean): number {
  return showChanged(context, USERS, { name, change: (people) => people.setDisabled(name, disabled) })
}

/** Removes the user, and the tokens of that user. */
export function removeUser(context: CommandContext, name: string): number {
  requireOwner(context)
  context.host.people.removeUser(name)
  return writeRemoval(context, name)
}

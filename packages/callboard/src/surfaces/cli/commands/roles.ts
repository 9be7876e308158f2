/** `callboard roles`: what there is to grant besides the roles of the config. */
import type { Role } from '../../../host/known-people.ts'
import { type CommandContext, requireOwner } from '../command-context.ts'
import { writeRemoval } from '../output/removal.ts'
import { type NamedList, showAll, showChanged } from './named-list.ts'

const ROLES: NamedList<Role> = {
  key: 'roles',
  heads: ['ROLE', 'FROM', 'PERMISSIONS'],
  read: (people) => people.roles(),
  row: ({ name, permissions, source }) => [name, source, permissions.join(' ')],
}

/** Those of the config, too. Like all of these, it is the owner's to run and returns the exit code. */
export function listRoles(context: CommandContext): number {
  return showAll(context, ROLES)
}

/** @param permissions patterns */
export function addRole(context: CommandContext, name: string, permissions: readonly string[]): number {
  return showChanged(context, ROLES, { name, change: (people) => people.addRole(name, permissions) })
}

/** Has the role grant these patterns instead of those before. */
export function setRole(context: CommandContext, name: string, permissions: readonly string[]): number {
  return showChanged(context, ROLES, { name, change: (people) => people.setPermissions(name, permissions) })
}

/** Removes a role that nobody has. */
export function removeRole(context: CommandContext, name: string): number {
  requireOwner(context)
  context.host.people.removeRole(name)
  return writeRemoval(context, name)
}

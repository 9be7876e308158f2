/** `callboard users`: who there is besides those of the config, and which roles they have. */
import type { User } from '../../../host/known-people.ts'
import { type CommandContext, requireOwner, writeJson } from '../command-context.ts'
import { writeRemoval } from '../output/removal.ts'
import { writeTable } from '../output/table.ts'

function write(context: CommandContext, users: readonly User[]): number {
  if (context.json) writeJson(context, { users })
  else
    writeTable(
      context.terminal.stdout,
      users.map(({ name, roles, disabled, source }) => [
        name,
        disabled ? 'disabled' : 'enabled',
        source,
        roles.join(' '),
      ]),
      { heads: ['USER', 'STATE', 'FROM', 'ROLES'] },
    )
  return 0
}

/** Does something to one user and shows the user as it is then. */
function change(context: CommandContext, name: string, act: () => void): number {
  requireOwner(context)
  act()
  return write(
    context,
    context.host.people.users().filter((user) => user.name === name),
  )
}

export function listUsers(context: CommandContext): number {
  requireOwner(context)
  return write(context, context.host.people.users())
}

export function addUser(context: CommandContext, name: string, roles: readonly string[]): number {
  return change(context, name, () => context.host.people.addUser(name, roles))
}

export function setUser(context: CommandContext, name: string, roles: readonly string[]): number {
  return change(context, name, () => context.host.people.setRoles(name, roles))
}

export function setUserDisabled(context: CommandContext, name: string, disabled: boolean): number {
  return change(context, name, () => context.host.people.setDisabled(name, disabled))
}

export function removeUser(context: CommandContext, name: string): number {
  requireOwner(context)
  context.host.people.removeUser(name)
  return writeRemoval(context, name)
}

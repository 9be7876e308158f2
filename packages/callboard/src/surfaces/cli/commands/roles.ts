/** `callboard roles`: what there is to grant besides the roles of the config. */
import type { Role } from '../../../host/known-people.ts'
import { type CommandContext, requireOwner, writeJson } from '../command-context.ts'
import { writeRemoval } from '../output/removal.ts'
import { writeTable } from '../output/table.ts'

function write(context: CommandContext, roles: readonly Role[]): number {
  if (context.json) writeJson(context, { roles })
  else
    writeTable(
      context.terminal.stdout,
      roles.map(({ name, permissions, source }) => [name, source, permissions.join(' ')]),
      { heads: ['ROLE', 'FROM', 'PERMISSIONS'] },
    )
  return 0
}

/** Does something to one role and shows the role as it is then. */
function change(context: CommandContext, name: string, act: () => void): number {
  requireOwner(context)
  act()
  return write(
    context,
    context.host.people.roles().filter((role) => role.name === name),
  )
}

export function listRoles(context: CommandContext): number {
  requireOwner(context)
  return write(context, context.host.people.roles())
}

export function addRole(context: CommandContext, name: string, permissions: readonly string[]): number {
  return change(context, name, () => context.host.people.addRole(name, permissions))
}

export function setRole(context: CommandContext, name: string, permissions: readonly string[]): number {
  return change(context, name, () => context.host.people.setPermissions(name, permissions))
}

export function removeRole(context: CommandContext, name: string): number {
  requireOwner(context)
  context.host.people.removeRole(name)
  return writeRemoval(context, name)
}

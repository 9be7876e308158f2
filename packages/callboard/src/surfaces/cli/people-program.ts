/** The commands about users, roles and tokens, with their options and help texts. */
import type { Command } from 'commander'
import type { TokenOptions } from './commands/tokens.ts'
import { addGlobalOptions } from './global-options.ts'
import { collect, duration } from './option-values.ts'
import type { Perform } from './perform.ts'

interface RoleWords {
  readonly role?: readonly string[]
}

export function addUsers(program: Command, { perform }: { readonly perform: Perform }): void {
  const users = addGlobalOptions(program.command('users').description('say who there is, and with which roles'))
  const sub = (name: string, description: string) => addGlobalOptions(users.command(name).description(description))
  const roles = (command: Command) =>
    command.option('--role <role>', 'a role to have; may be given several times', collect)
  const load = () => import('./commands/users.ts')
  sub('list', 'list the users').action((_options: unknown, command: Command) =>
    perform(command.optsWithGlobals(), async (context) => (await load()).listUsers(context)),
  )
  roles(sub('add', 'add a user').argument('<user>', 'the name')).action(
    (name: string, { role = [] }: RoleWords, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).addUser(context, name, role)),
  )
  roles(sub('set', 'give a user these roles instead of those before').argument('<user>', 'the name')).action(
    (name: string, { role = [] }: RoleWords, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).setUser(context, name, role)),
  )
  for (const [name, description, disabled] of [
    ['disable', 'shut a user out', true],
    ['enable', 'let a user in again', false],
  ] as const)
    sub(name, description)
      .argument('<user>', 'the name')
      .action((user: string, _options: unknown, command: Command) =>
        perform(command.optsWithGlobals(), async (context) => (await load()).setUserDisabled(context, user, disabled)),
      )
  sub('remove', 'remove a user, and the tokens of that user')
    .argument('<user>', 'the name')
    .action((name: string, _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).removeUser(context, name)),
    )
}

export function addRoles(program: Command, { perform }: { readonly perform: Perform }): void {
  const roles = addGlobalOptions(program.command('roles').description('say what the roles grant'))
  const sub = (name: string, description: string) => addGlobalOptions(roles.command(name).description(description))
  const load = () => import('./commands/roles.ts')
  sub('list', 'list the roles').action((_options: unknown, command: Command) =>
    perform(command.optsWithGlobals(), async (context) => (await load()).listRoles(context)),
  )
  sub('add', 'add a role')
    .argument('<role>', 'the name')
    .argument('<patterns...>', 'patterns of permissions')
    .action((name: string, patterns: string[], _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).addRole(context, name, patterns)),
    )
  sub('set', 'have a role grant these patterns instead of those before')
    .argument('<role>', 'the name')
    .argument('<patterns...>', 'patterns of permissions')
    .action((name: string, patterns: string[], _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).setRole(context, name, patterns)),
    )
  sub('remove', 'remove a role that nobody has')
    .argument('<role>', 'the name')
    .action((name: string, _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).removeRole(context, name)),
    )
}

export function addTokens(program: Command, { perform }: { readonly perform: Perform }): void {
  const tokens = addGlobalOptions(program.command('tokens').description('make and revoke what lets users in over HTTP'))
  const sub = (name: string, description: string) => addGlobalOptions(tokens.command(name).description(description))
  const load = () => import('./commands/tokens.ts')
  sub('list', 'list the tokens').action((_options: unknown, command: Command) =>
    perform(command.optsWithGlobals(), async (context) => (await load()).listTokens(context)),
  )
  sub('create', 'make a token, and show it once')
    .argument('<token>', 'what to call it')
    .requiredOption('--for <user>', 'on whose behalf it lets in')
    .option('--expires <duration>', 'for how long, such as 12h or 30d; for ever when absent', duration)
    .option('--permission <pattern>', 'narrow it to permissions like this; may be given several times', collect)
    .action((name: string, options: TokenOptions, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).createToken(context, name, options)),
    )
  sub('revoke', 'take a token away')
    .argument('<token>', 'its name or its id')
    .action((name: string, _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).revokeToken(context, name)),
    )
}

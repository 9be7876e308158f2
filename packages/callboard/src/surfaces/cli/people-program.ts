/** The commands about users, roles and tokens, with their options and help texts. */
import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import type { TokenOptions } from './commands/tokens.ts'
import { addGlobalOptions } from './global-options.ts'
import { collect, duration } from './option-values.ts'
import type { Perform } from './perform.ts'

interface RoleWords {
  readonly role?: readonly string[]
}

interface Performing {
  readonly perform: Perform
}

/** Adds `callboard users`. */
export function addUsers(program: Command, { perform }: Performing): void {
  const sub = groupOf(program, 'users', 'say who there is, and with which roles')
  const load = () => import('./commands/users.ts')
  addList(sub('list', 'list the users'), perform, async (context) => (await load()).listUsers(context))
  for (const [name, description, act] of [
    ['add', 'add a user', 'addUser'],
    ['set', 'give a user these roles instead of those before', 'setUser'],
  ] as const)
    sub(name, description)
      .argument('<user>', 'the name')
      .option('--role <role>', 'a role to have; may be given several times', collect)
      .action((user: string, { role = [] }: RoleWords, command: Command) =>
        perform(command.optsWithGlobals(), async (context) => (await load())[act](context, user, role)),
      )
  for (const [name, description, disabled] of [
    ['disable', 'shut a user out', true],
    ['enable', 'let a user in again', false],
  ] as const)
    addNamed(sub(name, description).argument('<user>', 'the name'), perform, async (context, user) =>
      (await load()).setUserDisabled(context, user, disabled),
    )
  const remove = sub('remove', 'remove a user, and the tokens of that user').argument('<user>', 'the name')
  addNamed(remove, perform, async (context, user) => (await load()).removeUser(context, user))
}

/** Adds `callboard roles`. */
export function addRoles(program: Command, { perform }: Performing): void {
  const sub = groupOf(program, 'roles', 'say what the roles grant')
  const load = () => import('./commands/roles.ts')
  addList(sub('list', 'list the roles'), perform, async (context) => (await load()).listRoles(context))
  for (const [name, description, act] of [
    ['add', 'add a role', 'addRole'],
    ['set', 'have a role grant these patterns instead of those before', 'setRole'],
  ] as const)
    sub(name, description)
      .argument('<role>', 'the name')
      .argument('<patterns...>', 'patterns of permissions')
      .action((role: string, patterns: string[], _options: unknown, command: Command) =>
        perform(command.optsWithGlobals(), async (context) => (await load())[act](context, role, patterns)),
      )
  const remove = sub('remove', 'remove a role that nobody has').argument('<role>', 'the name')
  addNamed(remove, perform, async (context, role) => (await load()).removeRole(context, role))
}

/** Adds `callboard tokens`. */
export function addTokens(program: Command, { perform }: Performing): void {
  const sub = groupOf(program, 'tokens', 'make and revoke what lets users in over HTTP')
  const load = () => import('./commands/tokens.ts')
  addList(sub('list', 'list the tokens'), perform, async (context) => (await load()).listTokens(context))
  sub('create', 'make a token, and show it once')
    .argument('<token>', 'what to call it')
    .requiredOption('--for <user>', 'on whose behalf it lets in')
    .option('--expires <duration>', 'for how long, such as 12h or 30d; for ever when absent', duration)
    .option('--permission <pattern>', 'narrow it to permissions like this; may be given several times', collect)
    .action((name: string, options: TokenOptions, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await load()).createToken(context, name, options)),
    )
  const revoke = sub('revoke', 'take a token away').argument('<token>', 'its name or its id')
  addNamed(revoke, perform, async (context, token) => (await load()).revokeToken(context, token))
}

/** Adds a command that has others. Returns the way to add one of these. */
function groupOf(program: Command, name: string, description: string): (name: string, description: string) => Command {
  const group = addGlobalOptions(program.command(name).description(description))
  return (sub, words) => addGlobalOptions(group.command(sub).description(words))
}

/** What a command does that takes no argument. */
function addList(command: Command, perform: Perform, run: (context: CommandContext) => Promise<number>): void {
  command.action((_options: unknown, self: Command) => perform(self.optsWithGlobals(), run))
}

/** What a command does that takes a name alone. */
function addNamed(
  command: Command,
  perform: Perform,
  run: (context: CommandContext, name: string) => Promise<number>,
): void {
  command.action((name: string, _options: unknown, self: Command) =>
    perform(self.optsWithGlobals(), (context) => run(context, name)),
  )
}

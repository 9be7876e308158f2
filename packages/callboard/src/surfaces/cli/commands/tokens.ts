/** `callboard tokens`: makes, lists and revokes what lets users in over HTTP. */
import type { Token } from '../../../host/tokens.ts'
import { type CommandContext, requireOwner, writeJson } from '../command-context.ts'
import { localTime } from '../output/local-time.ts'
import { writeRemoval } from '../output/removal.ts'
import { writeTable } from '../output/table.ts'

/** What a new token is to be, besides its name. */
export interface TokenOptions {
  /** On whose behalf it lets in. */
  readonly for: string
  /** For how long, in milliseconds; absent: for ever. */
  readonly expires?: number
  /** Patterns that narrow what the user may do; absent: to nothing less. */
  readonly permission?: readonly string[]
}

type TokenState = 'good' | 'expired' | 'shut out'

/** `shut out`: its user is disabled, or not there. */
function stateOf({ host }: CommandContext, { id, expiresAt }: Token): TokenState {
  if (host.tokens.isGood(id)) return 'good'
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'shut out'
}

function toJson(context: CommandContext, token: Token): Readonly<Record<string, unknown>> {
  const { id, name, user, createdAt, expiresAt, permissions } = token
  return {
    id,
    name,
    user,
    state: stateOf(context, token),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    permissions: permissions ?? null,
  }
}

/** Makes a token and shows it, this once. Like all of these, it is the owner's to run and returns the exit code. */
export function createToken(context: CommandContext, name: string, options: TokenOptions): number {
  requireOwner(context)
  const { for: user, expires, permission: permissions } = options
  const { text, ...token } = context.host.tokens.create({
    name,
    user,
    ...(expires !== undefined && { expiresAt: Date.now() + expires }),
    ...(permissions !== undefined && { permissions }),
  })
  context.host.log.info({ token: token.id, name, user }, 'a token was made')
  const { stdout, stderr } = context.terminal
  if (context.json) writeJson(context, { token: text, ...toJson(context, token) })
  else {
    stderr.write('This is the only time that the token is shown:\n')
    stdout.write(`${text}\n`)
  }
  return 0
}

/** What there is to say of each token, and never the token itself. */
export function listTokens(context: CommandContext): number {
  requireOwner(context)
  const tokens = context.host.tokens.all()
  if (context.json) writeJson(context, { tokens: tokens.map((token) => toJson(context, token)) })
  else
    writeTable(
      context.terminal.stdout,
      tokens.map((token) => [
        token.name,
        token.id,
        token.user,
        stateOf(context, token),
        token.expiresAt === undefined ? 'never' : localTime(token.expiresAt),
        token.permissions === undefined ? 'all of the user' : token.permissions.join(' '),
      ]),
      { heads: ['TOKEN', 'ID', 'USER', 'STATE', 'EXPIRES', 'PERMISSIONS'] },
    )
  return 0
}

/** Takes a token away: from then on it lets nobody in. */
export function revokeToken(context: CommandContext, nameOrId: string): number {
  requireOwner(context)
  const { id, name, user } = context.host.tokens.revoke(nameOrId)
  context.host.log.info({ token: id, name, user }, 'a token was revoked')
  return writeRemoval(context, name)
}

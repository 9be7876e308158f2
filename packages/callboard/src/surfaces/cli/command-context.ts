/** What every command works with: the host, the acting user, and where to write. */
import { CallboardError } from '../../errors.ts'
import { OWNER } from '../../gate/role-gate.ts'
import type { Host, PluginStatus } from '../../host.ts'
import { shellWord } from '../../shell-word.ts'
import type { ConfigReading } from './config-reading.ts'
import type { OtherHost, RunningHost } from './control/running-host.ts'
import type { Terminal } from './output/terminal.ts'
import { writeWarning } from './output/warning.ts'

export interface CommandContext {
  readonly host: Host
  readonly terminal: Terminal
  /** One JSON document on standard output instead of text. */
  readonly json: boolean
  /** The acting user. */
  readonly user: string
  /** Aborted when the command is to end, by Ctrl-C for one. */
  readonly signal: AbortSignal
  /**
   * Set when the host serves already and the command only works through it: it starts nothing that the host sees to.
   */
  readonly running?: RunningHost
  /**
   * Set when a host of another config answers the commands of the data folder: one of this config may run, and can't be
   * reached.
   */
  readonly otherHost?: OtherHost
  /** Set where the command opened its own host. */
  readonly configReading?: ConfigReading
}

/** The permission that the command line needs besides that of a tool. */
const CLI_ACCESS = 'cli.access'
/** So many users are named to somebody who is none. */
const NAMED = 10

/** Why the acting user may not use the command line; undefined for one who may. */
export async function whyNotAdmitted({ host, user }: CommandContext): Promise<CallboardError | undefined> {
  if (await host.allows(user, CLI_ACCESS)) return undefined
  return new CallboardError('denied', `user "${user}" may not use the command line: ${whyNot(host, user)}`)
}

/**
 * Names users, as only the command line may: whoever runs a command can read the config, a client over HTTP can not.
 */
function whyNot({ people }: Host, user: string): string {
  const users = people.users()
  const known = users.find(({ name }) => name === user)
  if (known?.disabled && known.source !== 'store') return 'the config has this user disabled'
  if (known?.disabled)
    return `this user is disabled; the owner may let the user in again: callboard users enable ${shellWord(user)}`
  if (known === undefined)
    return `no such user; the users are: ${users
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join(', ')}${users.length > NAMED ? ', …' : ''}`
  return `it needs the permission "${CLI_ACCESS}" from one of its roles; --user owner acts as the owner`
}

/** Refuses whoever is not the owner, whatever the roles grant. */
export function requireOwner({ user }: CommandContext): void {
  if (user === OWNER) return
  throw new CallboardError(
    'denied',
    `only the owner may do this, and user "${user}" is not; act as the owner with --user ${OWNER}`,
  )
}

/** Writes the one JSON document of a command. */
export function writeJson({ terminal }: Pick<CommandContext, 'terminal'>, document: unknown): void {
  terminal.stdout.write(`${JSON.stringify(document, undefined, terminal.stdout.isTerminal ? 2 : undefined)}\n`)
}

/** Every configured plugin as it is now, without secrets in the reasons. */
export function pluginStates({ host }: CommandContext): readonly PluginStatus[] {
  return host
    .plugins()
    .map((status) => (status.reason === undefined ? status : { ...status, reason: host.secrets.redact(status.reason) }))
}

/** A state as a script reads it, with its time in ISO 8601. */
export function statusToJson<Status extends PluginStatus>(status: Status): Omit<Status, 'since'> & { since: string } {
  return { ...status, since: new Date(status.since).toISOString() }
}

/** Writes what a person should know, but what does not stop the command, to standard error. */
export function warn({ terminal, host, json }: CommandContext, message: string): void {
  writeWarning(terminal.stderr, message, { json, redact: (text) => host.secrets.redact(text) })
}

/** The result of `work`, unless the signal is aborted first; then its reason is thrown. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Runs one command from its words to its exit code: finds or opens the host, admits the user, tells what went wrong. */
import { CommanderError } from 'commander'
import type { ConfigPlace } from '../../config/locate-config.ts'
import { CallboardError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { admitUser, type CommandContext } from './command-context.ts'
import type { ServeSurfaces } from './commands/serve.ts'
import type { RunningHost } from './control/running-host.ts'
import { writeFailure } from './output/failure.ts'
import type { Terminal } from './output/terminal.ts'
import { type CommandOptions, createProgram, type Perform } from './program.ts'

/** A host that serves, lent to a command that came to it. */
export interface LentHost {
  readonly host: Host
  /** Who acts unless the command says otherwise. */
  readonly user: string
  readonly running: RunningHost
}

/** What the command line stands on; given by the command that owns the surfaces. */
export interface CommandLineParts {
  readonly version: string
  readonly terminal: Terminal
  readonly surfaces: ServeSurfaces
  /** Aborted, with a `CallboardError` as its reason, when the command is to end. */
  readonly signal: AbortSignal
  /** Reads the config and puts a host together; starts no plugin. `options.user` and `options.listen` go before the config. */
  openHost(options: CommandOptions): Promise<Host>
  /**
   * Runs the same words in the host that serves the config already, and resolves with the exit code; with undefined where
   * there is none. Absent: nothing is looked for.
   */
  throughHost?(words: readonly string[], options: CommandOptions): Promise<number | undefined>
  /** The host that runs these words; none is opened then. */
  readonly lent?: LentHost
  /** Where `trust` looks for configs. */
  readonly place: ConfigPlace
}

type Work = (context: CommandContext) => Promise<number>

/** The message of the parser without its prefix, on one line. */
function usageError({ message }: CommanderError): CallboardError {
  return new CallboardError('usage', message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '))
}

/** Runs the command and resolves with its exit code; never rejects. */
export async function runCommandLine(words: readonly string[], parts: CommandLineParts): Promise<number> {
  const { terminal, signal } = parts
  let exitCode = 0
  let redact = (text: string) => text
  const workWith = async (host: Host, context: Omit<CommandContext, 'host'>, work: Work) => {
    redact = (text) => host.secrets.redact(text)
    await admitUser({ ...context, host })
    exitCode = await work({ ...context, host })
  }
  const perform: Perform = async (options, work) => {
    const { user, json = false, alone = false } = options
    const { lent } = parts
    if (lent !== undefined && !alone)
      return workWith(lent.host, { terminal, json, user: user ?? lent.user, signal, running: lent.running }, work)
    const code = alone ? undefined : await parts.throughHost?.(words, options)
    if (code !== undefined) {
      exitCode = code
      return
    }
    const host = await parts.openHost(options)
    try {
      await workWith(host, { terminal, json, user: host.config.user, signal }, work)
    } finally {
      await host[Symbol.asyncDispose]()
    }
  }
  try {
    await createProgram({ ...parts, perform }).parseAsync([...words], { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and the version were asked for, or help stands in for a command that was not given.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof CommanderError && error.code === 'commander.help')
      return new CallboardError('usage', '').exitCode
    return writeFailure(terminal.stderr, error instanceof CommanderError ? usageError(error) : error, {
      json: words.includes('--json'),
      redact,
      stack: words.join(' ').includes('--log-level debug'),
    })
  }
}

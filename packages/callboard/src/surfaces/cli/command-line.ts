/**
 * Runs one command from its words to its exit code: finds or opens the host, admits the user, tells what went wrong.
 */
import { CommanderError } from 'commander'
import type { ConfigPlace } from '../../config/locate-config.ts'
import { CallboardError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { type CommandContext, whyNotAdmitted } from './command-context.ts'
import type { ServeSurfaces } from './commands/serve.ts'
import type { ConfigReading } from './config-reading.ts'
import type { OtherHost, RunningHost } from './control/running-host.ts'
import { writeFailure } from './output/failure.ts'
import type { Terminal } from './output/terminal.ts'
import type { CommandOptions, Perform } from './perform.ts'
import { createProgram } from './program.ts'

/** A host that serves, lent to a command that came to it. */
interface LentHost {
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
  /**
   * Reads the config and puts a host together; starts no plugin. `options.user` and `options.listen` go before the
   * config.
   */
  openHost(options: CommandOptions): Promise<Host>
  /**
   * Runs the same words in the host that serves the config already, and resolves with the exit code; with the
   * host of another config where that has the socket, and with undefined where there is none. Absent: nothing is looked
   * for.
   */
  throughHost?(words: readonly string[], options: CommandOptions): Promise<number | OtherHost | undefined>
  /** The host that runs these words; none is opened then. */
  readonly lent?: LentHost
  /** How the config of such a host is read again. Absent: it never is. */
  configReading?(options: CommandOptions): ConfigReading
  /** Where `trust` looks for configs. */
  readonly place: ConfigPlace
}

type Work = (context: CommandContext) => Promise<number>

/** The message of the parser without its prefix, on one line, and with what would be right as part of the sentence. */
function usageError({ message }: CommanderError): CallboardError {
  const fault = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^(.* is invalid)\. (.*?)\.?$/, (_, what: string, right: string) => `${what}: ${lowerFirst(right)}`)
    .replace(/^(too many arguments.*?)\. Expected (.*)\.$/, '$1 (expected $2)')
    .replace(/\(Did (you mean .*\?\))$/, '(did $1')
  return new CallboardError('usage', `${fault}; see --help`)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A call that was cancelled because the host ends failed for that, and not because somebody wanted it so. */
function reasonOf(error: unknown, { reason }: AbortSignal): unknown {
  const isCancelled = error instanceof CallboardError && error.code === 'cancelled'
  return isCancelled && reason instanceof CallboardError && reason.code !== 'cancelled' ? reason : error
}

/** What is known of a command while it runs. */
interface Outcome {
  exitCode: number
  redact: (text: string) => string
}

/** The way to run a command's work: in the host that was lent, in one that serves elsewhere, or in one of its own. */
function performIn(parts: CommandLineParts, words: readonly string[], outcome: Outcome): Perform {
  const { terminal, signal, lent } = parts
  const workWith = async (context: CommandContext, work: Work, { onRefuse }: CommandOptions) => {
    outcome.redact = (text) => context.host.secrets.redact(text)
    const why = await whyNotAdmitted(context)
    if (why !== undefined) {
      await onRefuse?.(context, why)
      throw why
    }
    outcome.exitCode = await work(context)
  }
  return async (options, work) => {
    const { user, json = false, alone = false } = options
    const common = { terminal, json, signal }
    if (lent !== undefined && !alone) return workWith({ ...common, ...lent, user: user ?? lent.user }, work, options)
    const taken = alone ? undefined : await parts.throughHost?.(words, options)
    if (typeof taken === 'number') {
      outcome.exitCode = taken
      return
    }
    const host = await parts.openHost(options)
    try {
      const reading = parts.configReading?.(options)
      const own = {
        ...common,
        host,
        user: host.config.user,
        ...(reading !== undefined && { configReading: reading }),
        ...(taken !== undefined && { otherHost: taken }),
      }
      await workWith(own, work, options)
    } finally {
      await host[Symbol.asyncDispose]()
    }
  }
}

/** Runs the command and resolves with its exit code; never rejects. */
export async function runCommandLine(words: readonly string[], parts: CommandLineParts): Promise<number> {
  const { terminal, signal } = parts
  const outcome: Outcome = { exitCode: 0, redact: (text) => text }
  try {
    const finish = (exitCode: number) => {
      outcome.exitCode = exitCode
    }
    const program = createProgram({ ...parts, perform: performIn(parts, words, outcome), finish })
    await program.parseAsync([...words], { from: 'user' })
    return outcome.exitCode
  } catch (error) {
    // Help and the version were asked for, or help stands in for a command that was not given.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof CommanderError && error.code === 'commander.help')
      return new CallboardError('usage', '').exitCode
    const failure = error instanceof CommanderError ? usageError(error) : reasonOf(error, signal)
    return writeFailure(terminal.stderr, failure, {
      json: words.includes('--json'),
      redact: outcome.redact,
      stack: words.join(' ').includes('--log-level debug'),
    })
  }
}

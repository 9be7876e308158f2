/** Runs one command from its words to its exit code: opens the host, admits the user, closes the host, tells what went wrong. */
import { CommanderError } from 'commander'
import { CallboardError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { admitUser, type CommandContext } from './command-context.ts'
import type { ServeSurfaces } from './commands/serve.ts'
import { writeFailure } from './output/failure.ts'
import type { Terminal } from './output/terminal.ts'
import { type CommandOptions, createProgram, type Perform } from './program.ts'

/** What the command line stands on; given by the command that owns the surfaces. */
export interface CommandLineParts {
  readonly version: string
  readonly terminal: Terminal
  readonly surfaces: ServeSurfaces
  /** Aborted, with a `CallboardError` as its reason, when the command is to end. */
  readonly signal: AbortSignal
  /** Reads the config and puts a host together; starts no plugin. `options.user` and `options.listen` go before the config. */
  openHost(options: CommandOptions): Promise<Host>
}

/** The message of the parser without its prefix, on one line. */
function usageError({ message }: CommanderError): CallboardError {
  return new CallboardError('usage', message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '))
}

/** Runs the command and resolves with its exit code; never rejects. */
export async function runCommandLine(words: readonly string[], parts: CommandLineParts): Promise<number> {
  const { terminal, signal } = parts
  let exitCode = 0
  let redact = (text: string) => text
  const perform: Perform = async (options, work) => {
    const host = await parts.openHost(options)
    redact = (text) => host.secrets.redact(text)
    try {
      const context: CommandContext = { host, terminal, json: options.json ?? false, user: host.config.user, signal }
      await admitUser(context)
      exitCode = await work(context)
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

/** The options that every command takes, before or after its name. */
import { type Command, Option } from 'commander'
import { CallboardError } from '../../errors.ts'

export interface GlobalOptions {
  /** The config to use instead of the one that is looked up. */
  readonly config?: string
  /** The acting user instead of the configured one. */
  readonly user?: string
  readonly json?: boolean
  /** The lowest level of the log on standard error; `warn` for `serve`, `error` for what tells its troubles itself. */
  readonly logLevel?: string
}

const LOG_LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent']

const WITH_VALUE: ReadonlyMap<string, keyof GlobalOptions> = new Map([
  ['--config', 'config'],
  ['--user', 'user'],
  ['--log-level', 'logLevel'],
])

/** The command, which now takes these options. */
export function addGlobalOptions(command: Command): Command {
  return command
    .option('--config <file>', 'the config to use')
    .option('--user <name>', 'act as this user')
    .option('--json', 'write JSON')
    .addOption(new Option('--log-level <level>', 'the lowest level of the log on standard error').choices(LOG_LEVELS))
}

/** The words without the global options, and these options. */
export interface SplitWords {
  readonly rest: readonly string[]
  readonly options: GlobalOptions
}

function checkLevel(level: string): void {
  if (!LOG_LEVELS.includes(level))
    throw new CallboardError('usage', `no log level "${level}"; there are ${LOG_LEVELS.join(', ')}`)
}

/**
 * Takes the global options out of the words after `call TOOL`, which are not known before the tool is. A word that
 * equals one of these options is that option wherever it stands; as a value it is written `--flag=--json`.
 * @throws CallboardError `usage` when an option lacks its value or the level is unknown
 */
export function takeGlobalOptions(words: readonly string[]): SplitWords {
  const rest: string[] = []
  const options: { -readonly [Option in keyof GlobalOptions]: GlobalOptions[Option] } = {}
  const queue = [...words]
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const [name, attached] = [
      word.split('=', 1)[0] ?? '',
      word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined,
    ]
    const option = WITH_VALUE.get(name)
    if (word === '--json') options.json = true
    else if (option === undefined || option === 'json') rest.push(word)
    else {
      const value = attached ?? queue.shift()
      if (value === undefined || value === '') throw new CallboardError('usage', `${name} needs a value`)
      if (option === 'logLevel') checkLevel(value)
      options[option] = value
    }
  }
  return { rest, options }
}

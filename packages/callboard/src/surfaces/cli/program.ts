/** The commands with their options and help texts, as the command line's parser knows them. */
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ConfigPlace } from '../../config/locate-config.ts'
import { addAudit } from './audit-program.ts'
import type { ListOptions } from './commands/list.ts'
import type { SearchCommandOptions } from './commands/search.ts'
import type { ServeSurfaces } from './commands/serve.ts'
import type { TrustOptions } from './commands/trust.ts'
import { addGlobalOptions, type GlobalOptions, takeGlobalOptions } from './global-options.ts'
import { collect, wholeNumber } from './option-values.ts'
import type { Terminal } from './output/terminal.ts'
import { addRoles, addTokens, addUsers } from './people-program.ts'
import type { CommandOptions, ListenAddress, Perform } from './perform.ts'
import { addPluginCommands } from './plugin-program.ts'
import { addSwitches, addTools, refuseUnknown } from './switch-program.ts'

export interface ProgramParts {
  readonly version: string
  readonly terminal: Terminal
  readonly surfaces: ServeSurfaces
  readonly perform: Perform
  /** Where `trust` looks for configs, and what paths are relative to. */
  readonly place: ConfigPlace
  /** Tells the exit code of a command that needs no host. */
  readonly finish: (exitCode: number) => void
}

const CATEGORIES = ['tool', 'ai', 'stream', 'external']

const EXIT_CODES = `
Exit codes:
  0 ok · 1 the tool failed, or doctor or plugin check found something · 64 usage · 65 invalid arguments · 66 not found
  69 unreachable or timed out · 70 internal error · 74 output lost · 75 broken off · 77 not permitted · 78 config
  130 interrupted`

const CALL_HELP = `
Arguments of the tool are flags made from its schema; see them with \`callboard call TOOL --help\`:
  --message hi        a text, a number or JSON, as the schema asks for; also --message=hi
  --dry-run           true; --no-dry-run is false
  --tag a --tag b     a list
  --arg json=true     an argument whose name is an option of this command, or has odd characters
  --args '{"a":1}'    all at once as JSON, or - for standard input; what is given singly wins over it`

/** `HOST:PORT`, `:PORT` or `PORT`; an IPv6 host stands in brackets. */
function listenAddress(text: string): ListenAddress {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (!match || port > 65_535) throw new InvalidArgumentError('it must be HOST:PORT, such as 127.0.0.1:2255')
  return { host: match[1] || match[2] || '127.0.0.1', port }
}

function addFilters(command: Command): Command {
  return command
    .option('--plugin <id>', 'only tools of this plugin')
    .addOption(new Option('--category <category>', 'only tools of this category').choices(CATEGORIES))
    .option('--offset <n>', 'tools to skip', wholeNumber)
}

function addList(program: Command, { perform }: ProgramParts): void {
  addFilters(addGlobalOptions(program.command('list').description('list the tools')))
    .option('--plugins', 'group them by plugin')
    .option('--limit <n>', 'tools at most; 0 is all', wholeNumber, 0)
    .action((options: ListOptions, command: Command) =>
      perform(command.optsWithGlobals(), async (context) =>
        (await import('./commands/list.ts')).list(context, options),
      ),
    )
}

function addSearch(program: Command, { perform }: ProgramParts): void {
  addFilters(addGlobalOptions(program.command('search').description('find tools by words, best first')))
    .argument('<query...>', 'what the tool should do')
    .option('--limit <n>', 'tools at most; 0 is all', wholeNumber, 20)
    .action((words: string[], options: SearchCommandOptions, command: Command) =>
      perform(command.optsWithGlobals(), async (context) =>
        (await import('./commands/search.ts')).search(context, words, options),
      ),
    )
}

function addShow(program: Command, { perform }: ProgramParts): void {
  addGlobalOptions(program.command('show').description('describe one tool and its arguments'))
    .argument('<tool>', 'its public or namespaced name')
    .action((name: string, _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await import('./commands/show.ts')).show(context, name)),
    )
}

function addCall(program: Command, { perform }: ProgramParts): void {
  addGlobalOptions(program.command('call').description('run one tool'))
    .argument('<tool>', 'its public or namespaced name')
    .argument('[arguments...]', "the tool's arguments, as flags")
    .option('--arg <name=value>', 'one argument by its name', collect)
    .option('--args <json>', 'arguments as a JSON object; - reads standard input')
    .addHelpText('after', CALL_HELP)
    .passThroughOptions()
    .action((name: string, words: string[], own: { arg?: string[]; args?: string }, command: Command) => {
      const { rest, options } = takeGlobalOptions(words)
      const before = [
        ...(own.arg ?? []).map((text) => `--arg=${text}`),
        ...(own.args === undefined ? [] : [`--args=${own.args}`]),
      ]
      const onRefuse: CommandOptions['onRefuse'] = async (context, why) =>
        (await import('./commands/call.ts')).refuseCall(context, name, [...before, ...rest], why)
      return perform({ ...command.optsWithGlobals(), ...options, onRefuse }, async (context) =>
        (await import('./commands/call.ts')).call(context, name, [...before, ...rest]),
      )
    })
}

interface ServeWords {
  readonly stdio?: boolean
  /** True when it was given without an address. */
  readonly http?: ListenAddress | true
  readonly only?: string
}

function addServe(program: Command, { perform, surfaces }: ProgramParts): void {
  addGlobalOptions(program.command('serve').description('offer the tools over MCP, by default over HTTP'))
    .option('--stdio', 'speak MCP on standard input and output')
    .option('--http [host:port]', 'serve Streamable HTTP, here instead of where the config says', listenAddress)
    .option('--only <id>', 'offer the tools of this plugin alone, under their own names')
    .action(({ stdio = false, http, only }: ServeWords, command: Command) => {
      const given = command.optsWithGlobals<GlobalOptions>()
      const listen = typeof http === 'object' ? { listen: http } : {}
      const options = { logLevel: 'warn', ...given, ...listen, alone: true, unattended: stdio }
      return perform(options, async (context) =>
        (await import('./commands/serve.ts')).serve(
          context,
          { stdio, http: http !== undefined || !stdio, ...(only !== undefined && { only }) },
          surfaces,
        ),
      )
    })
}

function addPlugins(program: Command, parts: ProgramParts): void {
  const { perform } = parts
  const plugins = addGlobalOptions(program.command('plugins').description('tell how each plugin is'))
  plugins.action((_options: unknown, command: Command) =>
    perform(command.optsWithGlobals(), async (context) => (await import('./commands/plugins.ts')).plugins(context)),
  )
  addGlobalOptions(plugins.command('restart').description('end a plugin of the running host and start it anew'))
    .argument('<id>', 'the plugin')
    .action((id: string, _options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) =>
        (await import('./commands/restart.ts')).restart(context, id),
      ),
    )
  addSwitches(plugins, parts, ['id', 'a plugin'], async (context, id, isOn) =>
    (await import('./commands/switch-plugin.ts')).switchPlugin(context, id, isOn),
  )
  refuseUnknown(plugins)
}

function addDoctor(program: Command, { perform }: ProgramParts): void {
  addGlobalOptions(program.command('doctor').description('tell what is wrong')).action(
    (_options: unknown, command: Command) =>
      perform(command.optsWithGlobals(), async (context) => (await import('./commands/doctor.ts')).doctor(context)),
  )
}

function addTrust(program: Command, { terminal, place }: ProgramParts): void {
  addGlobalOptions(program.command('trust').description('let a config of the working folder run what it names'))
    .argument('[file]', 'the config; the one that is looked up when absent')
    .option('--revoke', 'take it back')
    .option('--list', 'list what is trusted')
    .action(async (file: string | undefined, options: TrustOptions, command: Command) => {
      const { json = false, config } = command.optsWithGlobals<GlobalOptions>()
      ;(await import('./commands/trust.ts')).trust({ terminal, place, json }, file ?? config, options)
    })
}

/** The command line's parser. It throws `CommanderError` instead of ending the process, and writes to the terminal. */
export function createProgram(parts: ProgramParts): Command {
  const { stdout, stderr } = parts.terminal
  const program = addGlobalOptions(new Command('callboard'))
    .description('One place where every tool an agent may call is registered, found, permitted and run.')
    .version(parts.version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.width,
      getErrHelpWidth: () => stderr.width,
      // Whoever runs the program says what went wrong, in one place and one form.
      outputError: () => undefined,
    })
    .addHelpText('after', EXIT_CODES)
  for (const add of [
    addList,
    addSearch,
    addShow,
    addCall,
    addServe,
    addPlugins,
    addTools,
    addAudit,
    addUsers,
    addRoles,
    addTokens,
    addDoctor,
    addTrust,
    addPluginCommands,
  ])
    add(program, parts)
  return program
}

/** The commands that switch plugins and tools on and off, with their help texts. */
import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { addGlobalOptions } from './global-options.ts'
import type { Perform } from './perform.ts'

/** Adds `enable` and `disable` to a command; `argument` is how the help calls what they switch. */
export function addSwitches(
  command: Command,
  { perform }: { readonly perform: Perform },
  argument: readonly [name: string, what: string],
  work: (context: CommandContext, name: string, isOn: boolean) => Promise<number>,
): void {
  const [name, what] = argument
  for (const [verb, isOn, does] of [
    ['enable', true, `switch ${what} on again`],
    ['disable', false, `switch ${what} off, now and after a restart`],
  ] as const)
    addGlobalOptions(command.command(verb).description(does))
      .argument(`<${name}>`, what)
      .action((given: string, _options: unknown, own: Command) =>
        perform(own.optsWithGlobals(), (context) => work(context, given, isOn)),
      )
}

export function addTools(program: Command, parts: { readonly perform: Perform }): void {
  const tools = addGlobalOptions(program.command('tools').description('tell which tools are switched off'))
  tools.action((_options: unknown, command: Command) =>
    parts.perform(command.optsWithGlobals(), async (context) =>
      (await import('./commands/switch-tool.ts')).listSwitchedTools(context),
    ),
  )
  addSwitches(tools, parts, ['tool', 'a tool'], async (context, name, isOn) =>
    (await import('./commands/switch-tool.ts')).switchTool(context, name, isOn),
  )
}

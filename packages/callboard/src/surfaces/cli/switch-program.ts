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

/** For a command that does something by itself and has others below it: a further word is meant as one of these. */
export function refuseUnknown(command: Command): void {
  // Set last, since commands take this over from the one they are made below.
  command.allowExcessArguments().hook('preAction', (_, action) => {
    const [word] = action.args
    if (action === command && word !== undefined) command.error(`error: unknown command '${command.name()} ${word}'`)
  })
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
  refuseUnknown(tools)
}

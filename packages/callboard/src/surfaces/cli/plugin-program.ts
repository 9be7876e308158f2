/** The commands for authors of plugins with their options and help texts. They need no config, no host and no trust. */
import type { Command } from 'commander'
import type { ConfigPlace } from '../../config/locate-config.ts'
import type { NewPluginOptions } from './commands/plugin-new.ts'
import { addGlobalOptions, type GlobalOptions } from './global-options.ts'
import type { Terminal } from './output/terminal.ts'

interface PluginProgramParts {
  readonly terminal: Terminal
  readonly place: Pick<ConfigPlace, 'cwd'>
  /** Tells the exit code. */
  readonly finish: (exitCode: number) => void
}

/** Adds `callboard plugin …` to the program. */
export function addPluginCommands(program: Command, { terminal, place, finish }: PluginProgramParts): void {
  const plugin = addGlobalOptions(program.command('plugin').description('make and check plugins of your own'))
  const contextOf = (command: Command) => {
    const { json = false } = command.optsWithGlobals<GlobalOptions>()
    return { terminal, cwd: place.cwd, json }
  }
  addGlobalOptions(plugin.command('check').description('find what is wrong with the manifests of plugins'))
    .argument('<path...>', 'the folder of a plugin, or its plugin.yaml')
    .action(async (paths: string[], _options: unknown, command: Command) => {
      finish(await (await import('./commands/plugin-check.ts')).checkPlugins(contextOf(command), paths))
    })
  addGlobalOptions(plugin.command('new').description('make a small plugin to begin with'))
    .argument('<name>', 'its id, vendor/name')
    .option('--dir <folder>', 'where to make it; a new folder of that name here when absent')
    .action(async (name: string, options: NewPluginOptions, command: Command) =>
      (await import('./commands/plugin-new.ts')).newPlugin(contextOf(command), name, options),
    )
}

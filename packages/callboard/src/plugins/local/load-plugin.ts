/** Loads a plugin of kind `local` from where a config says it is. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { DefinedPlugin } from '@callboard/sdk'
import { CallboardError } from '../../errors.ts'
import { checkPlugin } from './check-plugin.ts'
import { loadDeclared } from './load-declared.ts'
import { loadModule } from './load-module.ts'

/**
 * The plugin at this path: a folder with a manifest (or that itself) and the modules that it names, or a module whose
 * default export is what `definePlugin` gives. Runs the code of these modules, as it is now. Throws `config` with the
 * mend where there is no plugin, or where something is wrong with it.
 */
export async function loadPlugin(path: string): Promise<DefinedPlugin> {
  const target = resolve(path)
  const stats = await stat(target).catch((cause: unknown) => {
    throw new CallboardError('config', `there is no folder or module ${target}; correct the path`, { cause })
  })
  const isDeclared = stats.isDirectory() || /\.ya?ml$/.test(target)
  const plugin = isDeclared ? await loadDeclared(target) : (await loadModule(target)).default
  return checkPlugin(plugin, `the default export of ${target}`)
}

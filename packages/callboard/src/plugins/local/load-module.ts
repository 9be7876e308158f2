/** Imports a module of a plugin, anew each time. */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { textOfThrown } from '@callboard/sdk/host'
import { CallboardError } from '../../errors.ts'

export type LoadedModule = Readonly<Record<string, unknown>>

/** Different in each import, since Node keeps what it has imported under the same address for ever. */
let imports = 0

/**
 * The exports of the module at this path, as its file is now. What it imports itself is taken from what Node has imported
 * before, where it has. Throws `config` with the mend where it can't be loaded.
 */
export async function loadModule(path: string): Promise<LoadedModule> {
  const file = await realpath(path).catch((cause: unknown) => {
    throw new CallboardError('config', `there is no module ${path}; correct the path`, { cause })
  })
  if (/\.[cm]?ts$/.test(file) && file.split(sep).includes('node_modules'))
    throw new CallboardError(
      'config',
      `${path} is TypeScript under node_modules, where Node runs JavaScript only; name the built file`,
    )
  try {
    return await import(`${pathToFileURL(file).href}?callboard=${++imports}`)
  } catch (cause) {
    throw new CallboardError(
      'config',
      `${path} can't be loaded: ${textOfThrown(cause)}${placeOf(cause)}${mendOf(cause)}`,
      {
        cause,
      },
    )
  }
}

/** Where the mistake is that Node found as it read the module, or one that this imports; it writes that above the error. */
function placeOf(thrown: unknown): string {
  const stack = thrown instanceof SyntaxError ? thrown.stack : undefined
  const [, file, line] = /^(?:file:\/\/)?(\S.*?)(?:\?callboard=\d+)?:(\d+)\n/.exec(stack ?? '') ?? []
  return file === undefined ? '' : `, at ${file}:${line}`
}

function mendOf(thrown: unknown): string {
  const [, name] = /^Cannot find package '([^']+)'/.exec(textOfThrown(thrown)) ?? []
  return name === undefined ? '' : `; install it where the plugin is: npm install ${name}`
}

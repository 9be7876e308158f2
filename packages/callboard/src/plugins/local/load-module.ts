/** Imports a module of a plugin, anew each time. */
import { readFileSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { textOfThrown } from '@callboard/sdk/host'
import { exportsThen, THEN_MEND } from '../../config/manifest/exports-then.ts'
import { CallboardError } from '../../errors.ts'

export type LoadedModule = Readonly<Record<string, unknown>>

/** Different in each import, since Node keeps what it has imported under the same address for ever. */
let imports = 0

/** What Node says of `import` and `export` in a file that it takes for CommonJS. */
const MODULE_SYNTAX =
  /^Unexpected token 'export'|^Cannot use import statement outside a module|'import.meta' outside a module/
const COMMONJS = /"type"\s*:\s*"commonjs"/

/**
 * The exports of the module at this path, as its file is now. What it imports itself is taken from what Node has
 * imported before, where it has. Throws `config` with the mend where it can't be loaded.
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
  // The import would hang, and the deadline of the start could not say why. A file that can't be read fails there.
  if (exportsThen(await readFile(file, 'utf8').catch(() => '')))
    throw new CallboardError('config', `${path} can't be loaded: ${THEN_MEND}`)
  try {
    return await import(`${pathToFileURL(file).href}?callboard=${++imports}`)
  } catch (cause) {
    throw new CallboardError(
      'config',
      `${path} can't be loaded: ${textOfThrown(cause)}${placeOf(cause)}${mendOf(cause, file)}`,
      {
        cause,
      },
    )
  }
}

/**
 * Where the mistake is that Node found as it read the module, or one that this imports; it writes that above the error.
 */
function placeOf(thrown: unknown): string {
  const stack = thrown instanceof SyntaxError ? thrown.stack : undefined
  const [, file, line] = /^(?:file:\/\/)?(\S.*?)(?:\?callboard=\d+)?:(\d+)\n/.exec(stack ?? '') ?? []
  return file === undefined ? '' : `, at ${file}:${line}`
}

function mendOf(thrown: unknown, file: string): string {
  const [, name] = /^Cannot find package '([^']+)'/.exec(textOfThrown(thrown)) ?? []
  if (name !== undefined) return `; install it where the plugin is: npm install ${name}`
  const isModuleSyntax = thrown instanceof SyntaxError && MODULE_SYNTAX.test(thrown.message)
  const manifest = isModuleSyntax && /\.[jt]s$/.test(file) ? findPackageJSON(pathToFileURL(file)) : undefined
  return manifest !== undefined && COMMONJS.test(readFileSync(manifest, 'utf8'))
    ? `; ${manifest} says "type": "commonjs", so write "type": "module" there`
    : ''
}

/** `callboard plugin new`: makes a small plugin that works, to begin with. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { MAX_NAME, PACKAGE_NAME } from '../../../config/manifest/manifest-names.ts'
import { reservedRootOf } from '../../../config/plugin-ids.ts'
import { CallboardError, messageOf } from '../../../errors.ts'
import { shellWord } from '../../../shell-word.ts'
import { oneLine } from '../output/plain-text.ts'
import type { AuthorContext } from './plugin-check.ts'
import { pluginFiles } from './plugin-files.ts'

export interface NewPluginOptions {
  readonly dir?: string
}

/**
 * Writes the files into a folder that is new or empty and says what to do next.
 * @throws CallboardError `usage` for a name that no plugin can have, and for a folder that has something in it
 */
export async function newPlugin(context: AuthorContext, name: string, { dir }: NewPluginOptions): Promise<void> {
  checkName(name)
  const folder = resolve(context.cwd, dir ?? name.slice(name.indexOf('/') + 1))
  const { tool, files } = pluginFiles(name)
  if (tool.length > MAX_NAME)
    throw new CallboardError(
      'usage',
      `"${name}" is too long for a plugin: ${tool} would be its tool, with more than ${MAX_NAME} characters`,
    )
  await requireEmpty(folder)
  for (const [file, content] of files) await write(join(folder, file), content)
  const { stdout } = context.terminal
  const made = { plugin: name, folder, tool: `plugin:${name}:${tool}`, files: [...files.keys()] }
  if (context.json) stdout.write(`${JSON.stringify(made)}\n`)
  else stdout.write(nextSteps(made, relative(context.cwd, folder)))
}

function checkName(name: string): void {
  if (!PACKAGE_NAME.test(name))
    throw new CallboardError(
      'usage',
      `"${name}" is no name for a plugin; expected vendor/name in lower case, such as acme/hello`,
    )
  const reserved = reservedRootOf(name)
  if (reserved !== undefined)
    throw new CallboardError('usage', `"${reserved}" is reserved for Callboard itself; choose another vendor`)
}

async function requireEmpty(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw new CallboardError('usage', `the folder ${folder} can't be made: ${messageOf(error)}`, { cause: error })
  }
  throw new CallboardError('usage', `there is something in ${folder} already; choose another folder with --dir`)
}

/** Never over a file that is there. */
async function write(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' })
  } catch (error) {
    throw new CallboardError('usage', `${file} can't be written: ${messageOf(error)}`, { cause: error })
  }
}

function nextSteps(
  { plugin, tool, files }: { readonly plugin: string; readonly tool: string; readonly files: readonly string[] },
  folder: string,
): string {
  const path = yamlWord(/^(?:\.\.|\/|[A-Za-z]:)/.test(folder) ? folder : `./${folder}`)
  return `made ${folder === '' ? 'here' : yamlWord(folder)}: ${files.join(', ')}

Try it, with callboard and @callboard/sdk installed in it or in a folder above it:
  ${folder === '' ? '' : `cd ${shellWord(oneLine(folder))} && `}npm test

Use it: name it in callboard.yaml, with its path as seen from there, trust that config, and call its tool.
  plugins:
    ${plugin}: ${path}

  callboard trust
  callboard call ${tool} --message hi
`
}

/** A path that YAML takes for one text. */
function yamlWord(path: string): string {
  return /^[\w@%+=:,./-]*$/.test(path) ? path : JSON.stringify(oneLine(path))
}

/** A page of the docs whose examples are the files of one project, and commands in it. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './cli/run-command.ts'

export interface PageProject {
  readonly text: string
  readonly blocks: readonly { readonly language: string; readonly text: string }[]
  /** The blocks that begin with the name of a file in a comment. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** Each with what it prints; undefined where the page does not say. */
  readonly commands: readonly { readonly command: string; readonly output: string | undefined }[]
}

export function readPage(path: string): PageProject {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }))
  const files = blocks.flatMap((block) => {
    const [, name] = /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(block.text) ?? []
    return name === undefined ? [] : [{ name, text: block.text }]
  })
  const commands = blocks.flatMap(({ language, text }) => {
    if (language === 'sh') return [{ command: text.trim(), output: undefined }]
    const [, command, output] = /^\$ (.*)\n([\s\S]*)$/.exec(language === 'console' ? text : '') ?? []
    return command === undefined ? [] : [{ command, output }]
  })
  return { text, blocks, files, commands }
}

/** Writes the files of the page into the folder, which is a project with the packages of this workspace then. */
export function writeProject({ files }: PageProject, folder: string): void {
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** Checks the types of everything in the folder. Rejects with what the compiler says where it says anything. */
export async function checkTypes(folder: string): Promise<void> {
  const options = { noEmit: true, isolatedDeclarations: false, declaration: false, types: ['node'], skipLibCheck: true }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, include: ['**/*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch((failed) => {
    throw new Error(`the types do not fit:\n${failed.stdout}`, { cause: failed })
  })
}

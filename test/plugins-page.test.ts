/** Every example of docs/plugins.md is a file of one project, or a command in it. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as sdk from '@callboard/sdk'
import { ToolRun } from '@callboard/sdk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, ROOT, type Stage } from './cli/run-command.ts'

const page = readFileSync(join(ROOT, 'docs/plugins.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const files = blocks.flatMap(({ text }) => {
  const [, name] = /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(text) ?? []
  return name === undefined ? [] : [{ name, text }]
})
/** A command, and what it prints; undefined where the page does not say. */
const commands = blocks.flatMap(({ language, text }) => {
  if (language === 'sh') return [{ command: text.trim(), output: undefined }]
  const [, command, output] = /^\$ (.*)\n([\s\S]*)$/.exec(language === 'console' ? text : '') ?? []
  return command === undefined ? [] : [{ command, output }]
})

let stage: Stage
beforeAll(async () => {
  stage = await createStage({})
  for (const { name, text } of files) {
    mkdirSync(dirname(join(stage.folder, name)), { recursive: true })
    writeFileSync(join(stage.folder, name), text)
  }
  writeFileSync(join(stage.folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(ROOT, 'node_modules'), join(stage.folder, 'node_modules'))
})
afterAll(() => stage[Symbol.asyncDispose]())

test('has its files and commands', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'callboard.yaml',
    'plugins/hello/plugin.yaml',
    'plugins/hello/echo.ts',
    'plugins/tickets/plugin.yaml',
    'plugins/tickets/register.ts',
    'plugins/notes.ts',
    'tests/notes.test.ts',
    'tests/hello.test.ts',
    'app.ts',
  ])
  expect(blocks).toHaveLength(files.length + commands.length)
})

test.each(commands)('$command does what the page says', async ({ command, output }) => {
  const [program, ...words] = [...command.matchAll(/(?:[^\s']+|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''))
  if (program === 'callboard') {
    const { done } = stage.start(words, { cwd: stage.folder })
    expect(await done).toEqual({ stdout: output, stderr: '', code: 0 })
    return
  }
  expect(program).toBe('node')
  const env = { PATH: process.env.PATH, HOME: stage.folder }
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: stage.folder, env })
  if (output !== undefined) expect(stdout).toBe(output)
  else expect(stdout).toMatch(/^\S+ pass 5\n\S+ fail 0$/m)
})

test('its TypeScript has the types that it says', async () => {
  const options = { noEmit: true, isolatedDeclarations: false, declaration: false, types: ['node'], skipLibCheck: true }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, include: ['**/*.ts'] }
  writeFileSync(join(stage.folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: stage.folder })
  await expect(run).resolves.toMatchObject({ stdout: '' })
})

test('the declared plugin is the one of the examples', () => {
  for (const name of ['plugin.yaml', 'echo.ts']) {
    const shown = files.find((file) => file.name === `plugins/hello/${name}`)?.text ?? ''
    const code = (text: string) => text.slice(text.indexOf(name === 'echo.ts' ? 'import' : 'package:'))
    expect(code(shown)).toBe(code(readFileSync(join(ROOT, 'examples/hello', name), 'utf8')))
  }
})

test('names every function of the SDK, every member of a context and every assertion', () => {
  const context: readonly (keyof sdk.ToolContext)[] = ['user', 'signal', 'catalog', 'log', 'meta', 'progress', 'call']
  const assertions = Object.getOwnPropertyNames(ToolRun.prototype).filter((name) => name.startsWith('assert'))
  const missing = [
    ...Object.keys(sdk).filter((name) => !page.includes(`${name}(`)),
    ...context.filter((name) => !page.includes(`| \`${name}\``)),
    ...assertions.filter((name) => !page.includes(`\`${name}\``)),
  ]
  expect(missing).toEqual([])
})

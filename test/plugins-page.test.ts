/** Every example of docs/plugins.md is a file of one project, or a command in it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as sdk from '@callboard/sdk'
import { ToolRun } from '@callboard/sdk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, ROOT, type Stage } from './cli/run-command.ts'
import { exportsOf, listedExports } from './exports-of.ts'
import { checkTypes, readPage, writeProject } from './page-project.ts'

const project = readPage('docs/plugins.md')
const { text: page, blocks, files, commands } = project

let stage: Stage
beforeAll(async () => {
  stage = await createStage({})
  writeProject(project, stage.folder)
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
  await checkTypes(stage.folder)
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

const exported = ['index', 'testing'].flatMap((file) => exportsOf(`packages/sdk/src/${file}.ts`))

test('lists all that the SDK and its testing kit export', () => {
  const listed = listedExports(page).filter((name) => !name.startsWith('export of'))
  expect(listed.sort()).toEqual(exported.map(({ name }) => name).sort())
})

test.each(exported)('$name has documentation where it stands', ({ name, file }) => {
  expect(readFileSync(file, 'utf8')).toMatch(
    new RegExp(`\\*/\\nexport (?:async )?(?:class|const|function|interface|type) ${name}\\b`),
  )
})

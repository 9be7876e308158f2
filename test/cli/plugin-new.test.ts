import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createStage, ROOT } from './run-command.ts'

test('a new plugin is clean, its own test passes, and it serves a call as is said when it is made', async () => {
  await using stage = await createStage({})
  const run = (...words: readonly string[]) => stage.start(words, { cwd: stage.folder }).done
  const { stdout } = await run('plugin', 'new', 'acme/hello')
  expect(await run('plugin', 'check', 'hello')).toEqual({
    code: 0,
    stdout: `${join('hello', 'plugin.yaml')}: acme/hello 0.1.0, 1 tool, nothing found\n`,
    stderr: '',
  })
  // What `npm install` would put there.
  const modules = join(stage.folder, 'hello/node_modules')
  await mkdir(join(modules, '@callboard'), { recursive: true })
  await symlink(join(ROOT, 'packages/sdk'), join(modules, '@callboard/sdk'), 'junction')
  await symlink(join(ROOT, 'packages/callboard'), join(modules, 'callboard'), 'junction')
  const tested = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: join(stage.folder, 'hello'),
    env: { PATH: process.env.PATH },
  })
  expect(tested.stdout).toContain('# pass 2\n# fail 0\n')
  const [, config = '', words = ''] =
    /^( {2}plugins:\n.*\n)\n {2}callboard trust\n {2}callboard (.*)$/m.exec(stdout) ?? []
  await writeFile(join(stage.folder, 'callboard.yaml'), config.replace(/^ {2}/gm, ''))
  expect(await run(...words.split(' '))).toEqual({ code: 0, stdout: 'owner says: hi\n', stderr: '' })
})

/** A config that changes under a host that serves: what other commands see of it, and that trust is asked for anew. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

let stage: Stage
let file: string
beforeEach(async () => {
  stage = await createStage({})
  file = join(stage.folder, 'callboard.yaml')
  await configure('one')
})
afterEach(() => stage[Symbol.asyncDispose]())

function configure(...ids: readonly string[]): Promise<void> {
  const plugins = Object.fromEntries(ids.map((id) => [id, { mcp: fixtureCommand('held-server') }]))
  return writeFile(file, JSON.stringify({ http: { listen: '127.0.0.1:0' }, plugins }))
}

test('commands that work through the host see the config that is in effect, and what was refused', async () => {
  const serving = stage.start(['serve'])
  await serving.until(/one {2}up/)
  await configure('one', 'two')
  await serving.until(/two {2}up/)
  expect((await stage.run(['list'])).stdout).toContain('plugin:two:pid')
  await writeFile(file, 'plugins: { one: { mcp: { comand: x } } }')
  await serving.until('config: refused')
  const { code, stdout } = await stage.run(['doctor'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/problem: the changed config is refused: .*callboard\.yaml:1:\d+: .*did you mean `command`/)
  expect((await stage.run(['list'])).stdout).toContain('plugin:two:pid')
  serving.child.kill('SIGTERM')
  expect((await serving.done).code).toBe(0)
})

test('a config that was only come across is taken over when it is trusted as it is now', async () => {
  const elsewhere = { cwd: stage.folder, env: { CALLBOARD_CONFIG: '' } }
  const run = async (...words: readonly string[]) => {
    const { child, done } = stage.start(words, elsewhere)
    child.stdin.end()
    return done
  }
  expect((await run('trust')).code).toBe(0)
  const serving = stage.start(['serve'], elsewhere)
  await serving.until(/one {2}up/)
  await configure('one', 'two')
  await serving.until(/config: refused.*\n.*has changed since it was trusted.*callboard trust/)
  expect(serving.written()).not.toContain('two')
  expect((await run('trust')).code).toBe(0)
  await serving.until('config: added two')
  await serving.until(/two {2}up/)
  serving.child.kill('SIGTERM')
  expect((await serving.done).code).toBe(0)
})

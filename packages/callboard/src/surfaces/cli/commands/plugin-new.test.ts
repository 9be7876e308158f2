import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readManifest } from '../../../config/manifest/read-manifest.ts'
import { type RunResult, runDouble } from '../testing/run-double.ts'

function stage() {
  const cwd = mkdtempSync(join(tmpdir(), 'callboard-new-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const openHost = () => Promise.reject(new Error('a host was opened'))
  const run = (...words: readonly string[]): Promise<RunResult> =>
    runDouble(['plugin', 'new', ...words], { place: { cwd, env: {}, home: cwd }, openHost })
  return { cwd, run }
}

test('a plugin is made in a new folder of its name, and what comes next is told', async () => {
  const { cwd, run } = stage()
  const { code, stdout, stderr } = await run('acme/hello')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(readdirSync(join(cwd, 'hello')).sort()).toEqual(['echo.test.ts', 'echo.ts', 'package.json', 'plugin.yaml'])
  expect(stdout).toContain('  cd hello && npm test\n')
  expect(stdout).toContain('  plugins:\n    acme/hello: ./hello\n')
  expect(stdout).toContain('callboard call plugin:acme/hello:acme.hello.echo --message hi\n')
})

test.each([['acme/hello'], ['a/b'], ['acme.co/a-b'], ['3-d/3d'], ['a_b/c.d_e'], ['yes/12'], ['1/2']])(
  'what is made of %s has nothing that a check finds',
  async (name) => {
    const { cwd, run } = stage()
    await run(name, '--dir', 'made')
    const { manifest, findings } = await readManifest(join(cwd, 'made'))
    expect(findings).toEqual([])
    expect(manifest).toMatchObject({ package: name, tools: [{ action: './echo.ts', readOnly: true }] })
    expect(JSON.parse(readFileSync(join(cwd, 'made/package.json'), 'utf8'))).toMatchObject({ name: `@${name}` })
  },
)

test('an empty folder is taken, also the one that it runs in', async () => {
  const { cwd, run } = stage()
  const { code, stdout } = await run('acme/hello', '--dir', '.')
  expect(code).toBe(0)
  expect(stdout).toContain(':\n  npm test\n')
  expect(existsSync(join(cwd, 'plugin.yaml'))).toBe(true)
})

test('a path of several words is written as one', async () => {
  const { stdout } = await stage().run('acme/hello', '--dir', 'my plugins/hello')
  expect(stdout).toContain("cd 'my plugins/hello' && npm test")
  expect(stdout).toContain('acme/hello: "./my plugins/hello"\n')
})

test('as JSON it names what was made', async () => {
  const { cwd, run } = stage()
  expect(JSON.parse((await run('acme/hello', '--json')).stdout)).toEqual({
    plugin: 'acme/hello',
    folder: join(cwd, 'hello'),
    tool: 'plugin:acme/hello:acme.hello.echo',
    files: ['plugin.yaml', 'echo.ts', 'echo.test.ts', 'package.json'],
  })
})

test('nothing that is there is written over', async () => {
  const { cwd, run } = stage()
  mkdirSync(join(cwd, 'hello'))
  writeFileSync(join(cwd, 'hello/echo.ts'), 'mine')
  writeFileSync(join(cwd, 'file'), 'mine')
  expect(await run('acme/hello')).toMatchObject({ code: 64, stderr: expect.stringContaining('choose another folder') })
  expect(await run('acme/hello', '--dir', 'file')).toMatchObject({ code: 64 })
  expect(readdirSync(join(cwd, 'hello'))).toEqual(['echo.ts'])
  expect(readFileSync(join(cwd, 'hello/echo.ts'), 'utf8')).toBe('mine')
})

test.each([
  ['hello'],
  ['Acme/hello'],
  ['a/b/c'],
  ['a/'],
  ['../x/y'],
  ['a/..'],
  ['cli/x'],
  ['ai.x/y'],
  [`a/${'b'.repeat(128)}`],
])('no plugin can be called %s', async (name) => {
  const { cwd, run } = stage()
  expect(await run(name)).toMatchObject({ code: 64, stdout: '' })
  expect(readdirSync(cwd)).toEqual([])
})

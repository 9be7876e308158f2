import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type RunResult, runDouble } from '../testing/run-double.ts'

const HEAD = 'package: acme/hello\nname: Hello\nversion: 1.0.0\n'
const TOOL = 'tools:\n  - { name: acme.echo, action: ./echo.js, read_only: yes, surfaces: [cli, cli] }\n'

/** A folder with these manifests by folder, and the check run in it. */
function stage(manifests: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'callboard-check-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  for (const [folder, text] of Object.entries(manifests)) {
    mkdirSync(join(cwd, folder))
    writeFileSync(join(cwd, folder, 'plugin.yaml'), text)
    writeFileSync(join(cwd, folder, 'echo.js'), 'throw new Error("it ran")\nexport default () => {}\n')
  }
  const openHost = () => Promise.reject(new Error('a host was opened'))
  const check = (...words: readonly string[]): Promise<RunResult> =>
    runDouble(['plugin', 'check', ...words], { place: { cwd, env: {}, home: cwd }, openHost })
  return { cwd, check }
}

test('a plugin without faults is named, and ends with 0', async () => {
  const { check } = stage({ good: `${HEAD}${TOOL.replace('yes', 'true').replace('cli, ', '')}` })
  expect(await check('good')).toMatchObject({
    code: 0,
    stdout: `${join('good', 'plugin.yaml')}: acme/hello 1.0.0, 1 tool, nothing found\n`,
    stderr: '',
  })
})

test('every finding stands on a line with its place and rule, and an error ends with 1', async () => {
  const { check } = stage({ bad: `${HEAD}${TOOL}xyz: 1\n` })
  const { code, stdout } = await check('bad')
  const file = join('bad', 'plugin.yaml')
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/plugin\.yaml:5:54: error yaml\.boolean: tools\[0\]\.read_only: expected true or false/),
    expect.stringMatching(/plugin\.yaml:5:69: note tools\.surfaces\.duplicate: tools\[0\]\.surfaces: cli stands/),
    expect.stringMatching(/plugin\.yaml:6:1: error manifest\.unknown: xyz: unknown key/),
    `${file}: 2 errors, 1 note`,
    '',
  ])
  expect(code).toBe(1)
})

test('notes alone end with 0', async () => {
  const { check } = stage({ noted: `${HEAD}hooks: []\n` })
  const { code, stdout } = await check('noted')
  expect(code).toBe(0)
  expect(stdout).toContain(': note manifest.ignored: ')
  expect(stdout).toContain(': acme/hello 1.0.0, 0 tools, 1 note\n')
})

test('several plugins are checked, each by its folder or its file, and one with an error decides', async () => {
  const { cwd, check } = stage({ a: HEAD, b: HEAD.replace('1.0.0', 'x'), c: HEAD })
  const { code, stdout } = await check(join('a', 'plugin.yaml'), join(cwd, 'b'), 'c', 'gone')
  expect(code).toBe(1)
  expect(stdout.match(/^\S+: (?:acme|1 error)/gm)).toEqual([
    `${join('a', 'plugin.yaml')}: acme`,
    `${join('b', 'plugin.yaml')}: 1 error`,
    `${join('c', 'plugin.yaml')}: acme`,
    'gone: 1 error',
  ])
})

test('as JSON it is one document with what a script needs', async () => {
  const { cwd, check } = stage({ a: HEAD, b: '' })
  const { code, stdout } = await check('a', 'b', '--json')
  const finding = { rule: 'identity.required', level: 'error', line: 1, column: 1 }
  expect(JSON.parse(stdout)).toEqual({
    plugins: [
      {
        path: 'a',
        file: join(cwd, 'a', 'plugin.yaml'),
        package: 'acme/hello',
        version: '1.0.0',
        tools: [],
        errors: 0,
        notes: 0,
        findings: [],
      },
      {
        path: 'b',
        file: join(cwd, 'b', 'plugin.yaml'),
        package: null,
        version: null,
        tools: null,
        errors: 3,
        notes: 0,
        findings: [
          expect.objectContaining(finding),
          expect.objectContaining(finding),
          expect.objectContaining(finding),
        ],
      },
    ],
  })
  expect(code).toBe(1)
})

test('nothing of a manifest reaches the terminal as a command to it', async () => {
  const { check } = stage({ a: `${HEAD}"\\e[2J": 1\n` })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is the character that must not be there
  expect((await check('a')).stdout).not.toMatch(/\u001b/)
})

test('without a path it is a usage error', async () => {
  const { check } = stage({})
  expect(await check()).toMatchObject({ code: 64, stderr: expect.stringContaining("missing required argument 'path'") })
})

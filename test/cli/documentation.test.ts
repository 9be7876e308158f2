import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { createStage, ROOT, type Stage } from './run-command.ts'

let stage: Stage
beforeAll(async () => {
  stage = await createStage(join(ROOT, 'examples/quickstart/callboard.yaml'))
})
afterAll(() => stage[Symbol.asyncDispose]())

/** Every `$ command` of the fenced `console` blocks of a page, with what is said to be its output. */
async function examplesOf(page: string): Promise<readonly (readonly [command: string, output: string])[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const end = example.indexOf('\n')
        return [example.slice(0, end), example.slice(end + 1)] as const
      }),
  )
}

/** The words of a command line with quotes as a shell reads them. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}

/** The text of an audit without what is another at each run, when it was and how many milliseconds it took, and without empty ends. */
function timeless(text: string): string {
  return text.replace(/\t+$/gm, '').replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\t.*?\t.*?\t.*?\t)[\d.]+/gm, 'TIME$1MS')
}

test.each([
  ['docs/cli.md', 6],
  ['README.md', 2],
  ['docs/search.md', 2],
])('each example of %s gives what the page says', async (page, atLeast) => {
  const examples = await examplesOf(page)
  expect(examples.length).toBeGreaterThanOrEqual(atLeast)
  for (const [command, output] of examples) {
    const [, plain = command, both] = /^(.*?)( 2>&1)?$/.exec(command) ?? []
    const [name, ...words] = wordsOf(plain.replace(/^npx /, ''))
    expect(name).toBe('callboard')
    const { stdout, stderr, code } = await stage.run(words)
    const shown = both === undefined ? { output: stdout, stderr } : { output: stdout + stderr, stderr: '' }
    expect({ command, ...shown, output: timeless(shown.output), code }).toEqual({
      command,
      output: timeless(output),
      stderr: '',
      code: 0,
    })
  }
})

/** The commands of the `sh` blocks between two headings of a page. */
async function commandsOf(page: string, heading: string): Promise<readonly string[]> {
  const [, chapter = ''] = (await readFile(join(ROOT, page), 'utf8')).split(`\n## ${heading}\n`)
  const [own = ''] = chapter.split(/^## /m)
  const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) => block.trimEnd().split('\n')).map((line) => line.replace(/\s*#.*/, ''))
}

test.each([
  ['The audit', 3],
  ['Switching plugins and tools off', 5],
])('the commands of docs/operating.md, %s, do their work', async (heading, count) => {
  const commands = await commandsOf('docs/operating.md', heading)
  expect(commands).toHaveLength(count)
  for (const command of commands) {
    const [name, ...words] = wordsOf(command)
    expect(name).toBe('callboard')
    if (words.includes('--follow')) {
      const following = stage.start(words)
      await following.until('"outcome":')
      following.child.kill('SIGINT')
      expect((await following.done).code).toBe(0)
    } else {
      const { stderr, code } = await stage.run(words)
      expect({ command, stderr, code }).toEqual({ command, stderr: '', code: 0 })
    }
  }
})

test('the row in docs/operating.md has what a row has', async () => {
  const page = await readFile(join(ROOT, 'docs/operating.md'), 'utf8')
  const shown = JSON.parse(/^```text\n(\{"time":.*)\n```$/m.exec(page)?.[1] ?? '')
  const { stdout } = await stage.run(['audit', '--json', '--limit', '1', '--outcome', 'ok'])
  const [row] = JSON.parse(stdout).rows
  expect(Object.keys(shown).filter((key) => !['via', 'arguments'].includes(key))).toEqual(Object.keys(row))
})

test('the JSON of plugins and of doctor is what docs/cli.md says', async () => {
  const page = await readFile(join(ROOT, 'docs/cli.md'), 'utf8')
  const keysOf = (shape = '') => [...shape.matchAll(/"(\w+)"/g)].map(([, key]) => key)
  const [, plugin] = /`\{"plugins":\[\{(.*?)\}\]\}`, of which `restart`/.exec(page) ?? []
  const [, diagnosis] = /`\{("well".*?)\}`/.exec(page) ?? []
  const [, running] = /`\{("pid".*?)\}`/.exec(page) ?? []
  await using own = await createStage({
    plugins: { here: { mcp: fixtureCommand('echo-server') }, gone: { mcp: { command: 'no-such-command-anywhere' } } },
  })
  const alone = JSON.parse((await own.run(['doctor', '--json'])).stdout)
  expect(Object.keys(alone)).toEqual(keysOf(diagnosis))
  const serving = own.start(['serve', '--http', '127.0.0.1:0'])
  await serving.until(/here {2}up/)
  const { host, plugins } = JSON.parse((await own.run(['doctor', '--json'])).stdout)
  expect(Object.keys(host)).toEqual(keysOf(running))
  const listed = JSON.parse((await own.run(['plugins', '--json'])).stdout)
  for (const [gone, here] of [plugins, listed.plugins]) {
    expect(Object.keys(gone)).toEqual(keysOf(plugin))
    expect(Object.keys(here)).toEqual(keysOf(plugin).filter((key) => key !== 'reason'))
  }
  serving.child.kill('SIGTERM')
  await serving.done
})

test('each command and option of the help is in docs/cli.md', async () => {
  const page = await readFile(join(ROOT, 'docs/cli.md'), 'utf8')
  const { stdout } = await stage.run(['--help'])
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[options\]|\[command\])/gm)].map((match) => match[1] ?? '')
  expect(commands).toEqual([
    'list',
    'search',
    'show',
    'call',
    'serve',
    'plugins',
    'tools',
    'audit',
    'users',
    'roles',
    'tokens',
    'doctor',
    'trust',
    'plugin',
    'help',
  ])
  for (const command of commands.slice(0, -1)) expect(page).toContain(`## ${command}\n`)
  const groups = ['plugin check', 'plugin new', 'users add', 'users set', 'tokens create']
  for (const command of [...commands.slice(0, -1), ...groups]) {
    const help = (await stage.run([...command.split(' '), '--help'])).stdout
    for (const [option] of help.matchAll(/--(?!help\b)[a-z-]+(?= |\n)/g)) expect(page).toContain(option)
  }
})

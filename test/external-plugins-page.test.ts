/** Every example of docs/external-plugins.md is run, and its numbers are those of the protocol. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RESET, serveLink } from '@callboard/sdk/external'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { CLOSE } from '../packages/sdk/src/external/link/close-codes.ts'
import { PluginRequestSchema, PluginResponseSchema } from '../packages/sdk/src/external/protocol/generated/plugin_pb.ts'
import { encodeRequest, encodeResponse } from '../packages/sdk/src/external/protocol/messages.ts'
import { createStage, ROOT, type Stage } from './cli/run-command.ts'
import { startExternal } from './external/started-plugin.ts'
import { fixtureCommand } from './fixtures/fixture.ts'
import { textOf, toolCall } from './fixtures/plugin-calls.ts'

const page = await readFile(join(ROOT, 'docs/external-plugins.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))

function blocksOf(language: string): readonly string[] {
  return blocks.filter((block) => block.language === language).map(({ text }) => text)
}

let stage: Stage
beforeAll(async () => {
  stage = await createStage({})
  await writeFile(join(stage.folder, 'callboard.yaml'), blocksOf('yaml')[0] ?? '')
  for (const text of blocksOf('ts')) await writeFile(join(stage.folder, /^\/\/ (\S+)/.exec(text)?.[1] ?? ''), text)
  await writeFile(join(stage.folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), join(stage.folder, 'node_modules'))
})
afterAll(() => stage[Symbol.asyncDispose]())

test('has the examples that are tried here', () => {
  expect(blocks.map(({ language }) => language)).toEqual([
    'ts',
    'yaml',
    'sh',
    'console',
    'console',
    'ts',
    'hex',
    'hex',
    'json',
    'sh',
    'yaml',
    'console',
    'yaml',
    'console',
  ])
})

test('its plugin runs', async () => {
  const command = [process.execPath, 'notes.ts'] as const
  await using plugin = await startExternal({ pluginId: 'acme/notes', command, cwd: stage.folder })
  const call = (name: string, args = {}) =>
    plugin.peer.call(toolCall({ package: 'acme/notes', name, action: name }, args, { user: 'ana' }))
  expect(textOf(await call('add', { text: 'the curtain sticks' }))).toBe('1 notes')
  expect(textOf(await call('all'))).toBe('ana: the curtain sticks')
})

test('its plugin with other tools tells of them, and how it is', async () => {
  await writeFile(join(stage.folder, 'cues.txt'), 'lights\n')
  const command = [process.execPath, 'cues.ts'] as const
  await using plugin = await startExternal({ pluginId: 'acme/cues', command, cwd: stage.folder })
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  void serveLink(plugin.link, async ({ body }) => {
    if (body.case === 'toolsChanged') tell()
    return { case: 'done', value: {} }
  })
  const signal = AbortSignal.timeout(10_000)
  expect(await plugin.peer.health(signal)).toMatchObject({ isHealthy: true })
  await writeFile(join(stage.folder, 'console.off'), '')
  expect(await plugin.peer.health(signal)).toEqual({ isHealthy: false, reason: 'the console is switched off' })
  await appendFile(join(stage.folder, 'cues.txt'), 'curtain\n')
  await told
  expect((await plugin.peer.listTools(signal)).tools.map(({ name }) => name)).toEqual(['lights', 'curtain'])
  const curtain = { package: 'acme/cues', name: 'curtain', action: 'curtain' }
  expect(textOf(await plugin.peer.call(toolCall(curtain)))).toBe('curtain: go')
})

test('its plugins have the types that they say', async () => {
  const options = { noEmit: true, isolatedDeclarations: false, declaration: false, types: ['node'], skipLibCheck: true }
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] }
  await writeFile(join(stage.folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await expect(promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: stage.folder })).resolves.toMatchObject({
    stdout: '',
  })
})

test('its commands print what the page says', async () => {
  const [called = '', shown = ''] = blocksOf('console')
  const [, words = '', output] = /^\$ node (.*)\n([\s\S]*)$/.exec(shown) ?? []
  const { stdout } = await promisify(execFile)(process.execPath, words.split(' '), { cwd: stage.folder })
  expect(stdout).toBe(output)
  const [, tool = '', text = '', answer] = /^\$ callboard call (\S+) --text '(.*)'\n([\s\S]*)$/.exec(called) ?? []
  const newcomer = { cwd: stage.folder, env: { CALLBOARD_CONFIG: '' } }
  const call = () => stage.start(['call', tool, '--text', text], newcomer).done
  expect(await call()).toMatchObject({ code: 78, stderr: expect.stringContaining('trust') })
  const [, trust = ''] = /^callboard (.*)\n$/.exec(blocksOf('sh')[0] ?? '') ?? []
  expect(await stage.start(trust.split(' '), newcomer).done).toMatchObject({ code: 0 })
  expect(await call()).toEqual({ stdout: answer, stderr: '', code: 0 })
})

test('a plugin of Orchestra runs as the page says', async () => {
  await using own = await createStage({})
  const { command, args } = fixtureCommand('orchestra-plugin')
  await writeFile(join(own.folder, 'callboard.yaml'), blocksOf('yaml')[2] ?? '')
  const script = `#!/bin/sh\nexec ${[command, ...args].map((word) => `'${word}'`).join(' ')} "$@"\n`
  await writeFile(join(own.folder, 'tools-notes'), script, { mode: 0o755 })
  const [, tool = '', text = '', answer] =
    /^\$ callboard call (\S+) --text '(.*)'\n([\s\S]*)$/.exec(blocksOf('console')[3] ?? '') ?? []
  const newcomer = { cwd: own.folder, env: { CALLBOARD_CONFIG: '' } }
  const [, trust = ''] = /With `callboard (trust .*?)` done/.exec(page) ?? []
  expect(await own.start(trust.split(' '), newcomer).done).toMatchObject({ code: 0 })
  expect(await own.start(['call', tool, '--text', text], newcomer).done).toEqual({
    stdout: answer,
    stderr: '',
    code: 0,
  })
})

test('its frames are those of the protocol', () => {
  const frames = [
    encodeRequest('1', { case: 'hello', value: { version: 1, software: 'callboard' } }),
    encodeResponse('1', { case: 'hello', value: { version: 1, software: 'mine', manifest: { id: 'acme/echo' } } }),
  ]
  expect(blocksOf('hex').map((text) => text.replaceAll(/\s/g, ''))).toEqual(
    frames.map((frame) => Buffer.from(frame).toString('hex')),
  )
})

test('its requests and answers have the numbers of the protocol', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| +(\d+) \| \w+ +\| (.*?) +\| ([\d, ]*?) *\|$/gm)]
  expect(rows).toHaveLength(11)
  for (const [, request, number, answers = '', numbers = ''] of rows) {
    expect(PluginRequestSchema.fields.find(({ name }) => name === request)?.number).toBe(Number(number))
    const named = [...answers.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    const found = named.map((answer) => PluginResponseSchema.fields.find(({ name }) => name === answer)?.number)
    expect(found.join(', ')).toBe(numbers)
  }
})

test('its codes are those of the link', () => {
  expect([CLOSE['no-certificate'], CLOSE['unknown-authority'], CLOSE.expired, CLOSE['wrong-peer'], CLOSE.done]).toEqual(
    [16, 17, 18, 19, 0],
  )
  expect(RESET).toEqual({ cancelled: 1, deadline: 2, refused: 3, failed: 4 })
})

test('the command that builds the examples is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect(blocksOf('sh')).toContain('npm run examples\n')
  expect(scripts.examples).toBeDefined()
})

const EXAMPLES = parseDocument(blocksOf('yaml')[1] ?? '')
const EXAMPLE_IDS = Object.keys(EXAMPLES.toJS().plugins)
const BUILT_IDS = EXAMPLE_IDS.filter((id) => existsSync(join(ROOT, EXAMPLES.toJS().plugins[id].external.command)))

test.skipIf(BUILT_IDS.length === 0)('the examples that are built run as the page says', async () => {
  await using own = await createStage({})
  await symlink(join(ROOT, 'examples'), join(own.folder, 'examples'))
  for (const id of EXAMPLE_IDS) if (!BUILT_IDS.includes(id)) EXAMPLES.deleteIn(['plugins', id])
  await writeFile(join(own.folder, 'callboard.yaml'), String(EXAMPLES))
  const clone = { cwd: own.folder, env: { CALLBOARD_CONFIG: '' } }
  const [, trust = ''] = /trusted \(`npx callboard (trust .*?)`\)/.exec(page) ?? []
  expect(await own.start(trust.split(' '), clone).done).toMatchObject({ code: 0 })
  const calls = [...(blocksOf('console')[2] ?? '').matchAll(/^\$ npx callboard call (\S+) --text '(.*)'\n(.*\n)/gm)]
  expect(calls.map(([, tool = '']) => tool.split(':')[1])).toEqual(EXAMPLE_IDS)
  for (const [, tool = '', text = '', answer] of calls)
    if (BUILT_IDS.some((id) => tool.startsWith(`plugin:${id}:`)))
      expect(await own.start(['call', tool, '--text', text], clone).done).toEqual({
        stdout: answer,
        stderr: '',
        code: 0,
      })
})

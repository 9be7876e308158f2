/** A repository that somebody cloned runs nothing by itself. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStage, type Stage } from '../cli/run-command.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

let stage: Stage
let cloned: string
let requests: number
const upstream = createServer((_request, response) => {
  requests += 1
  response.writeHead(500).end()
})

beforeEach(async () => {
  requests = 0
  upstream.listen(0, '127.0.0.1')
  await new Promise((resolve) => upstream.once('listening', resolve))
  stage = await createStage({})
  cloned = join(stage.folder, 'cloned')
  await mkdir(cloned)
  await configure({})
})
afterEach(async () => {
  await new Promise((resolve) => {
    upstream.close(resolve)
    upstream.closeAllConnections()
  })
  await stage[Symbol.asyncDispose]()
})

async function configure(more: Readonly<Record<string, unknown>>): Promise<void> {
  const { command, args } = fixtureCommand('counted-server', '--starts', join(stage.folder, 'starts'))
  const { port } = upstream.address() as AddressInfo
  const config = {
    http: { listen: '127.0.0.1:0' },
    plugins: { evil: { mcp: { command, args } }, web: { mcp: { url: `http://127.0.0.1:${port}/mcp` } } },
    ...more,
  }
  await writeFile(join(cloned, 'callboard.yaml'), JSON.stringify(config))
}

/** Runs the command in the cloned folder, where nothing names its config. */
async function run(words: readonly string[]) {
  const { child, done } = stage.start(words, { cwd: cloned, env: { CALLBOARD_CONFIG: '' } })
  child.stdin.end()
  return done
}

const isStarted = () => existsSync(join(stage.folder, 'starts'))

test.each([
  ['list'],
  ['search', 'x'],
  ['show', 'evil_echo'],
  ['call', 'evil_echo'],
  ['call', 'evil_echo', '--help'],
  ['plugins'],
  ['plugins', 'restart', 'evil'],
  ['doctor'],
  ['serve'],
  ['serve', '--stdio'],
  ['list', '--json'],
])('%s %s starts and contacts nothing of a config that nobody trusted, and ends with 78', async (...words) => {
  const { code, stdout, stderr } = await run(words)
  expect(stderr).toContain(`callboard trust ${join(cloned, 'callboard.yaml')}`)
  expect([code, stdout, isStarted(), requests]).toEqual([78, '', false, 0])
})

test('trust starts nothing, says what will be, and from then on it does', async () => {
  const told = await run(['trust'])
  expect(told.stdout).toContain('evil\tstarts\t')
  expect(told.stdout).toContain('web\tconnects to\thttp://127.0.0.1:')
  expect(told.stdout).toMatch(/callboard\.yaml is trusted until it changes\n$/)
  expect([told.code, isStarted(), requests]).toEqual([0, false, 0])
  const { code, stdout } = await run(['call', 'evil_echo'])
  expect([code, JSON.parse(stdout).arguments, isStarted()]).toEqual([0, {}, true])
})

test('what changed is not trusted, and neither is what was taken back', async () => {
  await run(['trust'])
  await configure({ user: 'owner' })
  const changed = await run(['call', 'evil_echo'])
  expect(changed.stderr).toContain('has changed since it was trusted')
  expect((await run(['trust', '--list'])).stdout).toMatch(/cloned\/callboard\.yaml\tchanged\t/)
  expect([changed.code, isStarted()]).toEqual([78, false])
  await run(['trust', 'callboard.yaml'])
  expect((await run(['trust', '--list', '--json'])).stdout).toContain('"state":"trusted"')
  const back = await run(['trust', '--revoke'])
  expect(back.stdout).toMatch(/callboard\.yaml is no longer trusted\n$/)
  expect((await run(['call', 'evil_echo'])).code).toBe(78)
  expect((await run(['trust', '--revoke'])).stdout).toMatch(/was not trusted\n$/)
  expect((await run(['trust', '--list'])).stdout).toBe('')
  expect(isStarted()).toBe(false)
})

test('a config that is named needs no trust', async () => {
  expect((await run(['call', 'evil_echo', '--config', 'callboard.yaml'])).code).toBe(0)
  expect(isStarted()).toBe(true)
})

test('a host whose config is not trusted any more is not worked through', async () => {
  await run(['trust'])
  const serving = stage.start(['serve'], { cwd: cloned, env: { CALLBOARD_CONFIG: '' } })
  await serving.until(/evil +up/)
  expect((await run(['call', 'evil_pid'])).stdout).toBe(readFileSync(join(stage.folder, 'starts'), 'utf8'))
  await configure({ user: 'owner' })
  expect((await run(['call', 'evil_pid'])).code).toBe(78)
})

test('--list takes no file', async () => {
  expect((await run(['trust', '--list', 'callboard.yaml'])).code).toBe(64)
})

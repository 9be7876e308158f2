/** While a result of a hundred megabytes passes through the real command, everybody else gets a turn all the time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { fixtureCommand, startHttpFixture } from '../fixtures/fixture.ts'
import type { Measured } from '../fixtures/meter.ts'
import { call, initialize, modernCall, openSession, type RawRequest } from '../http/surface.ts'
import { createSite } from './callboard.ts'
import { Metered } from './metered.ts'

const BYTES = 100_000_000
// Two processes make and take a hundred megabytes in each test, which a busy machine lets wait.
vi.setConfig({ testTimeout: 90_000 })

/** What a turn may take of the processor. */
const TURN_MS = 50
/** It is kept once, and its last pieces wait for the client; read and written whole it would be many times as much. */
const MEGABYTES = 350

/** What passing such a result costs, once everything has run with smaller ones. */
async function costOf(metered: Metered, ask: (bytes: number) => Promise<number>): Promise<Measured> {
  for (let round = 0; round < 3; round++) await ask(2_000_000)
  const { megabytes } = await metered.measured()
  expect(await ask(BYTES)).toBeGreaterThan(BYTES)
  const cost = await metered.measured()
  return { ...cost, megabytes: cost.megabytes - megabytes }
}

/** Sends a request and answers with the length of the answer, of which nothing is kept. */
function lengthOfAnswer(url: string, { headers, body }: RawRequest): Promise<number> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers: { ...usual, ...headers }, agent: false }, (answer) => {
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      answer.on('end', () => resolve(length))
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}

const SERVERS: [string, readonly string[]][] = [
  ['a process', []],
  ['a server over HTTP', ['--http']],
  ['a server over HTTP that streams', ['--http', '--sse']],
]

test.each(SERVERS)('over HTTP, from %s', async (_, args) => {
  await using server = args.length === 0 ? undefined : await startHttpFixture('echo-server', args.slice(1))
  await using site = createSite({ big: { mcp: server ? { url: server.url } : fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const modern = await costOf(metered, (bytes) => lengthOfAnswer(url, modernCall('big_big', { bytes })))
  const headers = await openSession(url)
  const legacy = await costOf(metered, (bytes) => lengthOfAnswer(url, { headers, body: call(1, 'big_big', { bytes }) }))

  for (const { longestMs, megabytes } of [modern, legacy]) {
    expect(longestMs).toBeLessThan(TURN_MS)
    expect(megabytes).toBeLessThan(MEGABYTES)
  }
})

test.each(SERVERS)('no error, progress or log message of that size holds anybody up, from %s', async (_, args) => {
  await using server = args.length === 0 ? undefined : await startHttpFixture('echo-server', args.slice(1))
  await using site = createSite({ big: { mcp: server ? { url: server.url } : fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const headers = await openSession(url)
  const ask = (name: string, bytes: number) => {
    const params = { name: `big_${name}`, arguments: { bytes, steps: 1 }, _meta: { progressToken: 'a' } }
    return lengthOfAnswer(url, { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  }
  for (const name of ['fault', 'progress', 'log']) {
    for (let round = 0; round < 3; round++) await ask(name, 2_000_000)
    await metered.measured()
    expect(await ask(name, BYTES)).toBeLessThan(2_000)
    const { longestMs } = await metered.measured()
    expect(longestMs, name).toBeLessThan(TURN_MS)
  }
})

test('no `_meta` and no key of that size holds anybody up', async () => {
  await using site = createSite({ big: { mcp: fixtureCommand('rows-server') } })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const headers = await openSession(url)
  const ask = (name: string, bytes: number) => lengthOfAnswer(url, { headers, body: call(1, `big_${name}`, { bytes }) })
  for (const [name, isPassedOn] of [
    ['meta', true],
    ['key', false],
  ] as const) {
    for (let round = 0; round < 3; round++) await ask(name, 2_000_000)
    await metered.measured()
    expect((await ask(name, BYTES)) > BYTES, name).toBe(isPassedOn)
    const { longestMs } = await metered.measured()
    expect(longestMs, name).toBeLessThan(TURN_MS)
  }
})

test('over stdio', async () => {
  await using site = createSite({ big: { mcp: fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--stdio')
  const { stdin, stdout } = metered.child
  if (!stdin || !stdout) throw new Error('no stdio')
  let length = 0
  const lines = new EventTarget()
  stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (chunk.at(-1) === 0x0a) lines.dispatchEvent(new Event('line'))
  })
  const ask = async (message: object): Promise<number> => {
    length = 0
    stdin.write(`${JSON.stringify(message)}\n`)
    await once(lines, 'line')
    return length
  }
  await ask(initialize)
  const cost = await costOf(metered, (bytes) => ask(call(1, 'big_big', { bytes })))

  expect(cost.longestMs).toBeLessThan(TURN_MS)
  expect(cost.megabytes).toBeLessThan(MEGABYTES)
})

test.each([
  ['as text', []],
  ['as JSON', ['--json']],
])('on the command line, through the host that serves, %s', async (_, options) => {
  await using site = createSite({ big: { mcp: fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--http')
  await metered.url()
  const ask = async (bytes: number): Promise<number> => {
    const words = ['call', 'big_big', '--arg', `bytes=${bytes}`, ...options]
    const { stdout } = spawn(process.execPath, site.command(words), { stdio: ['ignore', 'pipe', 'inherit'] })
    let length = 0
    for await (const chunk of stdout) length += chunk.length
    return length
  }
  const cost = await costOf(metered, ask)

  expect(cost.longestMs).toBeLessThan(TURN_MS)
  expect(cost.megabytes).toBeLessThan(MEGABYTES)
})

/** Half of that is the copy of what an action answers, which is made in one go. */
const LOCAL_TURN_MS = 80

test.each(['rows', 'lists'])('from an action that answers with the most data that is taken (%s)', async (name) => {
  await using site = createSite({ rows: fileURLToPath(new URL('../local-plugin/plugins/rows.ts', import.meta.url)) })
  await using metered = new Metered(site, '--http')
  const url = await metered.url()
  const ask = (times?: number) => lengthOfAnswer(url, modernCall(name, { times }))
  for (let round = 0; round < 3; round++) await ask(50_000)
  await metered.measured()
  expect(await ask()).toBeGreaterThan(5_000_000)
  const { longestMs } = await metered.measured()

  expect(longestMs).toBeLessThan(LOCAL_TURN_MS)
})

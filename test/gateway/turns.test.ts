/** While a result of a hundred megabytes passes through the real command, everybody else gets a turn all the time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fixtureCommand, startHttpFixture } from '../fixtures/fixture.ts'
import type { Turns } from '../fixtures/turn-meter.ts'
import { call, initialize, modernCall, openSession, type RawRequest } from '../http/surface.ts'
import { createSite, type Site } from './callboard.ts'

const BYTES = 100_000_000
/** What a turn may take of the processor. */
const TURN_MS = 50
/** It is kept once, and its last pieces wait for the client; read and written whole it would be many times as much. */
const MEGABYTES = 350

const METER = fileURLToPath(new URL('../fixtures/turn-meter.ts', import.meta.url))

/** `callboard serve` with a meter. */
class Metered {
  readonly child: ChildProcess
  readonly #words: Interface

  constructor(site: Site, way: '--http' | '--stdio') {
    const args = site.stdio.map((word) => (word === '--stdio' ? way : word))
    this.child = spawn(process.execPath, ['--import', METER, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    if (this.child.stderr === null) throw new Error('no stderr')
    this.#words = createInterface({ input: this.child.stderr })
  }

  /** What its turns were since the last time. */
  async turns(): Promise<Turns> {
    this.child.kill('SIGUSR2')
    for (;;) {
      const [line]: string[] = await once(this.#words, 'line')
      if (line?.startsWith('turns ')) return JSON.parse(line.slice('turns '.length))
    }
  }

  /** The first text of this form on stdout. */
  async prints(pattern: RegExp): Promise<string> {
    for (let printed = ''; ; ) {
      const [chunk] = await once(this.child.stdout ?? this.child, 'data')
      printed += String(chunk)
      const [found] = pattern.exec(printed) ?? []
      if (found !== undefined) return found
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await exited
  }
}

/** What passing such a result costs, once everything has run with smaller ones. */
async function costOf(metered: Metered, ask: (bytes: number) => Promise<number>): Promise<Turns> {
  for (let round = 0; round < 3; round++) await ask(2_000_000)
  const { megabytes } = await metered.turns()
  expect(await ask(BYTES)).toBeGreaterThan(BYTES)
  const cost = await metered.turns()
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

test.each([
  ['a process', []],
  ['a server over HTTP', ['--http']],
  ['a server over HTTP that streams', ['--http', '--sse']],
])('over HTTP, from %s', async (_, args) => {
  await using server = args.length === 0 ? undefined : await startHttpFixture('echo-server', args.slice(1))
  await using site = createSite({ big: { mcp: server ? { url: server.url } : fixtureCommand('echo-server') } })
  await using metered = new Metered(site, '--http')
  const url = await metered.prints(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
  const modern = await costOf(metered, (bytes) => lengthOfAnswer(url, modernCall('big_big', { bytes })))
  const headers = await openSession(url)
  const legacy = await costOf(metered, (bytes) => lengthOfAnswer(url, { headers, body: call(1, 'big_big', { bytes }) }))

  for (const { longestMs, megabytes } of [modern, legacy]) {
    expect(longestMs).toBeLessThan(TURN_MS)
    expect(megabytes).toBeLessThan(MEGABYTES)
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

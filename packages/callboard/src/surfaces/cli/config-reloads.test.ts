import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { createHost, type Host } from '../../host.ts'
import { createLog } from '../../log.ts'
import type { ConfigReading } from './config-reading.ts'
import { ConfigReloads } from './config-reloads.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callboard-reloads-'))
  file = join(dir, 'callboard.yaml')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
})

/** Writes a config without plugins that exposes this. */
function write(expose: string): void {
  writeFileSync(file, `dataDir: data\nexpose: [${expose}]\n`)
}

function load(opened: (file: string) => void = () => {}): Config {
  return loadConfig({ file, cwd: dir, env: {}, home: dir, opened })
}

/** Reloads of a host whose readings the test may hold back. */
async function follow(read: (opened: (file: string) => void) => Promise<Config> = async (opened) => load(opened)) {
  const config = load()
  const log: string[] = []
  const host = await createHost({ config, log: createLog(config.secrets, 'info', { write: (line) => log.push(line) }) })
  onTestFinished(() => host[Symbol.asyncDispose]())
  const listeners = new Set<() => void>()
  const reading: ConfigReading = {
    read,
    onAsked: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const reloads = new ConfigReloads(host, reading)
  onTestFinished(() => reloads[Symbol.asyncDispose]())
  const ask = () => {
    for (const listener of listeners) listener()
  }
  return { host, reloads, listeners, ask, log }
}

/** What becomes of the next config. */
function next(host: Host): Promise<string> {
  return new Promise((resolve) => {
    const stop = host.onReconfigure(({ outcome }) => {
      stop()
      resolve(outcome)
    })
  })
}

test('what changed before it began to follow is taken over, and nothing is told where nothing did', async () => {
  write('one')
  const same = await follow()
  same.host.onReconfigure(() => expect.unreachable('nothing changed'))
  await same.reloads.start()
  const changed = await follow()
  write('two')
  await changed.reloads.start()
  expect(changed.host.config.expose).toEqual(['two'])
})

test('it reads again when it is asked to, also where nothing changed, of which the log says nothing', async () => {
  write('one')
  const { host, reloads, ask, log } = await follow()
  await reloads.start()
  const told = next(host)
  ask()
  expect(await told).toBe('applied')
  expect(log).toEqual([])
  const changed = next(host)
  write('two')
  expect(await changed).toBe('applied')
  expect(log).toEqual([expect.stringContaining('another config is in effect')])
})

test('a reading waits for the one before, and what comes during one is one more, with the last state', async () => {
  write('one')
  const gates: PromiseWithResolvers<void>[] = []
  let atOnce = 0
  let most = 0
  const { host, reloads, ask } = await follow(async (opened) => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    most = Math.max(most, ++atOnce)
    await gate.promise
    atOnce -= 1
    return load(opened)
  })
  const starting = reloads.start()
  write('two')
  for (let time = 0; time < 5; time++) ask()
  write('three')
  gates[0]?.resolve()
  await expect.poll(() => gates.length).toBe(2)
  gates[1]?.resolve()
  await starting
  expect(host.config.expose).toEqual(['three'])
  expect([gates.length, most]).toEqual([2, 1])
})

test('a refused config is followed until it is mended', async () => {
  write('one')
  const { host, reloads } = await follow()
  await reloads.start()
  for (const [text, outcome] of [
    ['expose: [', 'refused'],
    ['', 'refused'],
    ['dataDir: data\nexpose: [mended]', 'applied'],
  ] as const) {
    const told = next(host)
    writeFileSync(file, text)
    expect(await told).toBe(outcome)
  }
  expect(host.config.expose).toEqual(['mended'])
})

test('an envFile that is missing is waited for', async () => {
  write('one')
  const { host, reloads } = await follow()
  await reloads.start()
  const refused = next(host)
  writeFileSync(file, `dataDir: data\nenvFile: .env\nexpose: ["$\{PATTERN}"]`)
  expect(await refused).toBe('refused')
  const applied = next(host)
  writeFileSync(join(dir, '.env'), 'PATTERN=from_env')
  expect(await applied).toBe('applied')
  expect(host.config.expose).toEqual(['from_env'])
})

test('nothing is taken over any more once it is disposed of', async () => {
  write('one')
  const gate = Promise.withResolvers<void>()
  const { host, reloads, listeners } = await follow(async (opened) => {
    await gate.promise
    return load(opened)
  })
  host.onReconfigure(() => expect.unreachable('it is over'))
  void reloads.start()
  write('two')
  const disposed = reloads[Symbol.asyncDispose]()
  gate.resolve()
  await disposed
  expect([host.config.expose, listeners.size]).toEqual([['one'], 0])
})

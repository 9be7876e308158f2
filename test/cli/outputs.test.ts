/** Outputs that can't be written, or that nobody reads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { call, openSession, raw } from '../http/surface.ts'
import { COMMAND, createStage, type Stage } from './run-command.ts'

const FULL = '/dev/full'

let stage: Stage
beforeEach(async () => {
  stage = await createStage({ plugins: { echo: { mcp: fixtureCommand('echo-server') } } })
})
afterEach(() => stage[Symbol.asyncDispose]())

/** Starts the command with one of its outputs on a full disk. */
function startFull(full: 'stdout' | 'stderr', words: readonly string[]) {
  const fd = openSync(FULL, 'w')
  const child = spawn(process.execPath, [COMMAND, ...words], {
    env: {
      PATH: process.env.PATH,
      HOME: stage.folder,
      XDG_DATA_HOME: `${stage.folder}/data`,
      CALLBOARD_CONFIG: `${stage.folder}/callboard.yaml`,
    },
    stdio: ['ignore', full === 'stdout' ? fd : 'pipe', full === 'stderr' ? fd : 'pipe'],
  })
  closeSync(fd)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const other = full === 'stdout' ? child.stderr : child.stdout
  if (other === null) throw new Error('the other output is a pipe')
  return { child, other }
}

describe.skipIf(!existsSync(FULL))('a full disk', () => {
  it('behind standard output ends a command with a sentence on the other one', async () => {
    const { child, other } = startFull('stdout', ['list'])
    const [said, [code]] = await Promise.all([text(other), once(child, 'close')])
    expect(said).toMatch(/^callboard: standard output can't be written: ENOSPC/)
    expect(code).toBe(74)
  })

  it('behind standard error changes nothing for a command that has nothing to say there', async () => {
    const { child, other } = startFull('stderr', ['--version'])
    const [said, [code]] = await Promise.all([text(other), once(child, 'close')])
    expect([said.trim().split('\n').length, code]).toEqual([1, 0])
  })

  it('behind standard error keeps the exit code of a command that failed', async () => {
    const { child, other } = startFull('stderr', ['call', 'no:such'])
    const [said, [code]] = await Promise.all([text(other), once(child, 'close')])
    expect(said).toContain("standard error can't be written: ENOSPC")
    expect(code).toBe(66)
  })

  it.each(['stdout', 'stderr'] as const)('behind the %s of a host leaves it serving', async (full) => {
    const { child, other } = startFull(full, ['serve', '--http', '127.0.0.1:0', '--log-level', 'debug'])
    let said = ''
    await new Promise<void>((resolve) => {
      other.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes("can't be written")) resolve()
      })
    })
    const { code } = await until(
      () => stage.run(['plugins']),
      ({ stdout }) => /echo.*\bup\b/.test(stdout),
    )
    expect(code).toBe(0)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })
})

describe('a reader of the report who does not read', () => {
  it('does not keep the host from ending', async () => {
    const serve = stage.start(['serve', '--http', '127.0.0.1:0', '--json'])
    await serve.until(/"state":"up"/)
    await serve.until(/"listening"/)
    const url = /"url":"([^"]+)"/.exec(serve.written())?.[1] ?? ''
    serve.child.stdout.pause()
    const headers = await openSession(url)
    for (let round = 0; round < 100; round += 1)
      await raw(url, {
        headers,
        body: Array.from({ length: 50 }, (_, id) => call(id, `no_such_tool_${'x'.repeat(50)}`)),
      })
    const ended = once(serve.child, 'exit')
    serve.child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

/** Tries until it is as wanted; the test's own time limit ends it. */
async function until<T>(attempt: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await attempt()
    if (isWanted(value)) return value
  }
}

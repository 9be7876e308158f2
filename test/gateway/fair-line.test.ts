/** Who waits how long in the line of a busy plugin, and who is refused when it is full, through the real command over HTTP. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { connectClient } from '../http/surface.ts'
import { bearing } from '../http/token-scene.ts'
import { createSite, ERAS, type Era, textOf } from './callboard.ts'

const RUNNING = 2
const WAITING = 6
const PATIENCE = { timeout: 10_000 }

interface Scene {
  client(user: string): Promise<Client>
  /** The answers so far, in their order: whose they are, and as which call of all the server took it. */
  readonly answers: readonly string[]
  /** What was said to calls that were refused, and to whom. */
  readonly refusals: readonly string[]
  /** Calls the plugin so many times at once. */
  call(user: string, client: Client, times: number): void
  /** Lets the call that the server took as this one end, and resolves when it is answered. */
  release(number: number): Promise<void>
  /** Whose calls the audit has as `unavailable`. */
  unavailable(): Promise<readonly string[]>
}

async function createScene(era: Era): Promise<Scene> {
  const site = createSite(
    { busy: { mcp: fixtureCommand('numbered-server'), concurrency: RUNNING } },
    {
      http: { listen: '127.0.0.1:0', auth: 'tokens' },
      limits: { queue: WAITING },
      roles: { all: ['busy.*'] },
      users: { ana: { roles: ['all'] }, ben: { roles: ['all'] } },
    },
  )
  onTestFinished(() => site[Symbol.asyncDispose]())
  const folder = join(site.dir, 'released')
  mkdirSync(folder)
  const run = async (...words: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, site.command(words))).stdout
  const serving = await site.serve()
  await serving.prints(/busy +up/)
  const answers: string[] = []
  const refusals: string[] = []
  return {
    answers,
    refusals,
    async client(user) {
      const token = (await run('tokens', 'create', user, '--for', user)).trim()
      const client = await connectClient(serving.url, era, bearing(token))
      onTestFinished(() => client.close())
      return client
    },
    call(user, client, times) {
      for (let call = 0; call < times; call += 1)
        void client.callTool({ name: 'busy_turn', arguments: { folder } }).then((result) => {
          if (result.isError === true) refusals.push(`${user}: ${textOf(result)}`)
          else answers.push(`${user} ${textOf(result)}`)
        })
    },
    async release(number) {
      writeFileSync(join(folder, String(number)), '')
      await expect.poll(() => answers.length, PATIENCE).toBe(number)
    },
    async unavailable() {
      const { rows } = JSON.parse(await run('audit', '--json', '--outcome', 'unavailable'))
      return rows.map(({ user }: { user: string }) => user)
    },
  }
}

test.each(ERAS)('a single call of one user is not kept behind all that another user has in line (%s)', async (era) => {
  const scene = await createScene(era)
  const [ana, ben] = [await scene.client('ana'), await scene.client('ben')]
  const refused = (times: number): Promise<void> => expect.poll(() => scene.refusals.length, PATIENCE).toBe(times)

  // One more than there is room for: as soon as it is refused, all the others run or wait.
  scene.call('ana', ana, RUNNING + WAITING + 1)
  await refused(1)
  // For the other user room is made, by the last call of whoever has the most of them in line.
  scene.call('ben', ben, 1)
  await refused(2)
  for (const refusal of scene.refusals) {
    expect(refusal).toMatch(/^ana: plugin "busy" is too busy: 2 of its calls run and 6 wait, at most 2 and 6;/)
  }

  for (let number = 1; number <= RUNNING + WAITING; number += 1) await scene.release(number)
  expect(scene.answers).toEqual(['ana 1', 'ana 2', 'ana 3', 'ben 4', 'ana 5', 'ana 6', 'ana 7', 'ana 8'])
  expect(await scene.unavailable()).toEqual(['ana', 'ana'])
})

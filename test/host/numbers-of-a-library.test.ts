/** An application that uses Callboard as a library gets numbers as JavaScript has them, whatever a server wrote. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHost, type Host, loadConfig, UpstreamError } from '../../packages/callboard/src/index.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const NUMBERS = '[12345678901234567890,0.1234567890123456789,1.0,7]'
const RESULT = `{"content":[],"structuredContent":{"of":${NUMBERS}},"_meta":{"m":${NUMBERS}},"more":${NUMBERS}}`

let dataDir: string
let host: Host

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'callboard-numbers-'))
  const plugins = { written: { mcp: fixtureCommand('written-server') } }
  host = await createHost({ config: loadConfig({ data: { dataDir, plugins } }) })
  await host.start()
})

afterAll(async () => {
  await host[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

test('in every part of a result', async () => {
  const result = await host.invoker.run({ name: 'written_say', arguments: { json: RESULT }, user: 'owner' })
  expect(result).toEqual(JSON.parse(RESULT))
})

test('in the data of an error, which has them as they were written besides', async () => {
  const failed = host.invoker.run({ name: 'written_fail', arguments: { json: NUMBERS }, user: 'owner' })
  const error = await failed.catch((thrown: unknown) => thrown)
  if (!(error instanceof UpstreamError)) throw new Error(`threw ${error}`)
  expect(error.data).toEqual(JSON.parse(NUMBERS))
  expect(JSON.stringify(error.writtenData)).toBe(NUMBERS)
})

/** How long a call may take where nothing says so. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, tool } from '@callboard/sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost } from '../../packages/callboard/src/host.ts'

test('a call has sixty seconds by default', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-timeout-'))
  const begun = Promise.withResolvers<void>()
  const run = (): Promise<string> => {
    begun.resolve()
    return new Promise(() => {})
  }
  const plugin = definePlugin({ id: 'acme/slow', tools: [tool({ name: 'hang', run })] })
  const host = await createHost({ config: loadConfig({ data: { dataDir: join(folder, 'data') } }), plugins: [plugin] })
  onTestFinished(async () => {
    vi.useRealTimers()
    await host[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  await host.start()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  let ended: unknown
  const call = host.invoker
    .run({ name: 'plugin:acme/slow:hang', arguments: {}, user: 'owner' })
    .catch((error: unknown) => {
      ended = error
    })
  await begun.promise
  await vi.advanceTimersByTimeAsync(59_000)
  expect(ended).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_001)
  await call
  expect(ended).toMatchObject({ code: 'timeout' })
})

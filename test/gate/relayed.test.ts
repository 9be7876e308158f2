/** A tool that calls another one does so within what its own caller may do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ActingUser, createHost, loadConfig } from 'callboard'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../packages/callboard/src/log.ts'

const LOCAL = join(import.meta.dirname, '../local-plugin/plugins/vault.ts')

test.each<[string, ActingUser, boolean]>([
  ['the owner', 'owner', true],
  ['a user who may use both', 'ana', true],
  ['a user who may use the first alone', 'ben', false],
  ['a user who is narrowed to both', { name: 'ana', within: ['vault.relay', 'vault.e*'] }, true],
  ['a user who is narrowed to the first', { name: 'ana', within: ['vault.relay'] }, false],
  ['the owner narrowed to the first', { name: 'owner', within: ['vault.relay'] }, false],
])('for %s', async (_, user, mayEcho) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'callboard-relayed-'))
  const roles = { both: ['vault.*'], first: ['vault.relay'] }
  const users = { ana: { roles: ['both'] }, ben: { roles: ['first'] } }
  const config = loadConfig({ data: { dataDir, plugins: { vault: LOCAL }, roles, users } })
  const host = await createHost({ config, log: createLog(config.secrets, 'silent') })
  onTestFinished(async () => {
    await host[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })
  await host.start()
  const relay = (to: string) =>
    host.invoker.run({ name: 'relay', arguments: { to }, user }).then(
      ({ content }) => content[0]?.text,
      (error: unknown) => String(error),
    )
  const [answer, unknown] = [await relay('plugin:vault:echo'), await relay('plugin:vault:nope')]
  if (mayEcho) expect(answer).toBe('{}')
  else expect(String(answer).replaceAll(':echo', ':nope')).toBe(unknown)
})

/** A host whose plugin comes with a certificate that is not its own, or is over: nothing is asked of it, and the log says why. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Credentials } from '@callboard/sdk/external'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../packages/callboard/src/config/load-config.ts'
import { createHost } from '../../packages/callboard/src/host.ts'
import { HostIdentity } from '../../packages/callboard/src/plugins/external/identity/host-identity.ts'
import { createOrchestraIdentity } from '../../packages/callboard/src/plugins/external/identity/orchestra-identity.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { eventually, keptLog } from '../fixtures/plugin-calls.ts'

const ID = 'tools.notes'
const MONTHS_MS = 90 * 24 * 60 * 60 * 1000

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-certificates-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The fixture's command, with certificates from this folder, whatever the host says. */
function commandWith(certificates: string, name: string, ...words: readonly string[]) {
  const { command, args } = fixtureCommand(name, '--id', ID, ...words)
  return { command: 'sh', args: ['-c', 'exec "$@" --certs-dir "$0"', certificates, command, ...args] }
}

/** Why a host with this plugin did not take it, by its log. */
async function refusal(dataDir: string, external: object): Promise<string> {
  const config = loadConfig({
    data: { dataDir, plugins: { [ID]: { external } } },
    cwd: dataDir,
    env: {},
    home: dataDir,
  })
  const { log, lines } = keptLog(config.secrets)
  await using host = await createHost({ config, log })
  void host.start().catch(() => {})
  const found = () => lines.find(({ plugin, reason }) => plugin === ID && String(reason).includes('no link to it'))
  await eventually(() => found() !== undefined, 'the refusal in the log')
  expect(host.plugins().find(({ id }) => id === ID)?.state).not.toBe('up')
  return String(found()?.reason)
}

async function write(folder: string, { ca, certificate, key }: Credentials): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'ca.crt'), ca)
  await writeFile(join(folder, 'plugin.pem'), `${certificate}${key}`, { mode: 0o600 })
  return folder
}

test.each([
  {
    whose: "another plugin's",
    id: 'acme/other',
    agoMs: 0,
    words: /identity \S+acme\/other where \S+tools\.notes is expected/,
  },
  { whose: 'an expired', id: ID, agoMs: MONTHS_MS, words: /expired/ },
])('a plugin that comes with $whose certificate is refused', { timeout: 60_000 }, async ({ id, agoMs, words }) => {
  const dataDir = await temporaryFolder()
  const { log } = keptLog()
  const folder = join(dataDir, 'external', 'ca')
  await HostIdentity.open({ folder, log })
  const identity = await HostIdentity.open({ folder, log, now: () => Date.now() - agoMs })
  const certificates = await write(join(dataDir, 'other'), await identity.issueFor(id))
  expect(await refusal(dataDir, commandWith(certificates, 'external-plugin'))).toMatch(words)
})

test.each([
  { whose: "another plugin's", isOther: true, flags: [], words: /is of another CA/ },
  { whose: 'an expired', isOther: false, flags: ['--expired'], words: /expired/ },
])(
  'a plugin of Orchestra that comes with $whose certificate is refused',
  { timeout: 60_000 },
  async ({ isOther, flags, words }) => {
    const dataDir = await temporaryFolder()
    const other = join(dataDir, 'other')
    await createOrchestraIdentity(other)
    const own = fixtureCommand('orchestra-plugin', '--id', ID, ...flags)
    const command = isOther ? commandWith(other, 'orchestra-plugin') : own
    expect(await refusal(dataDir, { ...command, protocol: 'orchestra' })).toMatch(words)
  },
)

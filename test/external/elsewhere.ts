/** Runs the fixture as somebody else would, with the certificates that the host gives out, for a host that only dials it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Address, parseAddress, type Transport } from '@callboard/sdk/external'
import { ExternalHome } from '../../packages/callboard/src/plugins/external/external-home.ts'
import { CertificateFolder } from '../../packages/callboard/src/plugins/external/identity/certificate-folder.ts'
import { fixtureCommand } from '../fixtures/fixture.ts'
import { keptLog } from '../fixtures/plugin-calls.ts'

export interface Elsewhere extends AsyncDisposable {
  readonly address: Address
  readonly pid: number
  /** For the host's plugin, so that both know the same CA. */
  readonly home: ExternalHome
}

export async function startElsewhere(transport: Transport, ...args: readonly string[]): Promise<Elsewhere> {
  const root = mkdtempSync(join(tmpdir(), 'callboard-elsewhere-'))
  const { log } = keptLog()
  const home = new ExternalHome(root, log)
  const folder = home.certificatesOf('acme/ext')
  const filled = await CertificateFolder.fill({ identity: await home.identity(), pluginId: 'acme/ext', folder, log })
  filled.end()
  const command = fixtureCommand('external-plugin', '--transport', transport, '--certs-dir', folder, ...args)
  const child = spawn(command.command, command.args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface(child.stderr), 'line')
  return {
    address: parseAddress(String(line).replace('READY ', '')),
    pid: child.pid ?? 0,
    home,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      rmSync(root, { recursive: true })
    },
  }
}

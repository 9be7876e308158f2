/** A plugin as a process of its own, started as a host starts it, and the link with it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Address, dialLink, type Link, parseAddress, pluginUri, type Transport } from '@callboard/sdk/external'
import { PluginPeer } from '../../packages/callboard/src/plugins/external/plugin-peer.ts'
import { eventually } from '../fixtures/plugin-calls.ts'
import { createParty, type TestParty } from '../link/credentials.ts'

export interface StartOptions {
  readonly pluginId?: string
  readonly command: readonly [string, ...string[]]
  readonly cwd?: string
  readonly transport?: Transport
  readonly listen?: string
  /** Of the plugin's certificate; as it should be unless given. */
  readonly uri?: string
}

/** Whoever starts one disposes of it. */
export interface StartedPlugin extends AsyncDisposable {
  readonly link: Link
  readonly address: Address
  readonly peer: PluginPeer
  readonly child: ChildProcessByStdio<null, null, Readable>
  readonly party: TestParty
  readonly certificates: string
  /** What it has written, a line each. */
  readonly lines: readonly string[]
  /** Waits for a line that has this in it. */
  said(text: string): Promise<void>
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number | null>
  /** One more link with it. */
  dial(): Promise<Link>
}

/** Less than a test has; a program that was just built may start slowly. */
const PATIENCE_MS = 15_000

export async function startExternal(options: StartOptions): Promise<StartedPlugin> {
  const { pluginId = 'acme/echo', transport = 'quic', listen = 'localhost:0' } = options
  const certificates = await mkdtemp(join(tmpdir(), 'external-'))
  const party = await createParty()
  await writeCertificates(certificates, party, options.uri ?? pluginUri(pluginId))
  const [program, ...words] = options.command
  const asked = ['--listen-addr', listen, '--certs-dir', certificates]
  const child = spawn(program, [...words, ...asked, ...(transport === 'tls' ? ['--transport', 'tls'] : [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  const exited = once(child, 'exit').then(([code]): number | null => (typeof code === 'number' ? code : null))
  const lines: string[] = []
  createInterface(child.stderr).on('line', (line) => lines.push(line))
  const said = (text: string): Promise<void> =>
    eventually(() => lines.some((line) => line.includes(text)), `"${text}" in:\n${lines.join('\n')}\n`, PATIENCE_MS)
  const dispose = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
    await rm(certificates, { recursive: true })
  }
  try {
    await said('READY ')
    const address = parseAddress(/^READY (\S+)/.exec(lines.find((line) => line.startsWith('READY ')) ?? '')?.[1] ?? '')
    const dial = (): Promise<Link> =>
      dialLink(transport, {
        address,
        credentials: party.host,
        protocols: ['callboard/1'],
        expects: options.uri ?? pluginUri(pluginId),
      })
    const link = await dial()
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const peer = await PluginPeer.greet(link, { pluginId, software: 'test', signal })
    return {
      link,
      address,
      peer,
      child,
      party,
      certificates,
      lines,
      said,
      exited,
      dial,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Puts a new certificate where the plugin finds it. */
export async function writeCertificates(folder: string, party: TestParty, uri: string): Promise<void> {
  const { ca, certificate, key } = await party.issue({ uri, name: uri, use: 'server' })
  await writeFile(join(folder, 'ca.crt'), ca)
  await writeFile(join(folder, 'plugin.pem'), `${certificate}${key}`, { mode: 0o600 })
}

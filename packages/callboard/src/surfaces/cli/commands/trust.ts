/** `callboard trust`: lets a config that was only come across run what it names, takes that back, or lists it. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConfigPlace, locateConfig, trustNow } from '../../../config/locate-config.ts'
import { TrustedConfigs } from '../../../config/trusted-configs.ts'
import { CallboardError } from '../../../errors.ts'
import { intentRows } from '../config-intent.ts'
import { localTime } from '../output/local-time.ts'
import { oneLine } from '../output/plain-text.ts'
import { writeTable } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

export interface TrustOptions {
  readonly revoke?: boolean
  readonly list?: boolean
}

/** `trust` needs no host, and must not have one: nothing of the config runs before it. */
export interface TrustContext {
  readonly terminal: Terminal
  readonly place: ConfigPlace
  readonly json: boolean
}

/** Trusts `file`, or the config that would be looked up; with an option, takes it back or lists what is trusted. */
export function trust(context: TrustContext, file: string | undefined, { revoke, list }: TrustOptions): void {
  const { env, home = homedir() } = context.place
  const trusted = new TrustedConfigs(env, home)
  if (list && (revoke || file !== undefined))
    throw new CallboardError('usage', '--list lists everything that is trusted; it takes no file and no --revoke')
  if (list) listTrusted(context, trusted)
  else if (revoke) revokeTrust(context, trusted, file)
  else trustConfig(context, trusted, file)
}

function write({ terminal: { stdout }, json }: TrustContext, document: unknown, line: string): void {
  stdout.write(json ? `${JSON.stringify(document, undefined, stdout.isTerminal ? 2 : undefined)}\n` : `${line}\n`)
}

function trustConfig(context: TrustContext, trusted: TrustedConfigs, wanted: string | undefined): void {
  const { file, digest, runs, envFile } = locateConfig(wanted, context.place)
  const record = trusted.add(file, digest)
  if (!context.json) writeTable(context.terminal.stdout, intentRows({ runs, envFile }))
  write(context, { file: record.file, trusted: true, runs }, `${oneLine(record.file)} is trusted until it changes`)
}

/** The file may be gone already. */
function revokeTrust(context: TrustContext, trusted: TrustedConfigs, wanted: string | undefined): void {
  const { cwd, env } = context.place
  const file = resolve(cwd, wanted ?? (env.CALLBOARD_CONFIG || join(cwd, 'callboard.yaml')))
  const known = trusted.remove(file)
  write(context, { file, trusted: false }, `${oneLine(file)} ${known ? 'is no longer trusted' : 'was not trusted'}`)
}

function listTrusted(context: TrustContext, trusted: TrustedConfigs): void {
  const rows = trusted.all().map((record) => ({ ...record, state: trustNow(record, context.place) }))
  const { json, terminal } = context
  if (json) write(context, { trusted: rows.map((row) => ({ ...row, since: new Date(row.since).toISOString() })) }, '')
  else
    writeTable(
      terminal.stdout,
      rows.map(({ file, state, since }) => [file, state, localTime(since)]),
      { heads: ['CONFIG', 'STATE', 'SINCE'] },
    )
}

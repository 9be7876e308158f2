/** `callboard doctor`: tells what is not as it should be, of the running host, or after starting everything once. */

import { type ShippedVectors, shippedWordVectors } from '../../../catalog/search/word-vectors.ts'
import { holdsCredential } from '../../../config/secret-values.ts'
import { OWNER } from '../../../gate/role-gate.ts'
import type { Host, PluginStatus } from '../../../host.ts'
import { type CommandContext, pluginStates, requireOwner, statusToJson, writeJson } from '../command-context.ts'
import type { OtherHost, RunningHost } from '../control/running-host.ts'
import { localTime } from '../output/local-time.ts'
import { oneLine } from '../output/plain-text.ts'
import { writeTable } from '../output/table.ts'
import { isEnabled, startPlugins } from '../start-plugins.ts'

interface Diagnosis {
  readonly node: string
  readonly config: string | null
  readonly dataDir: string
  readonly user: string
  /** The host that serves this config, if there is one. */
  readonly host: RunningHost | null
  /** The host that answers the commands of the data folder for another config, if there is one. */
  readonly otherHost: OtherHost | null
  readonly plugins: readonly PluginStatus[]
  /** Findings that need somebody: each one makes the doctor end with 1, as does an enabled plugin that is not up. */
  readonly problems: readonly string[]
  /** What is worth knowing, and no fault. */
  readonly notes: readonly string[]
}

/**
 * Starts every plugin that is not left to a running host, and tells how each start ended: one that failed may be on its
 * next attempt already, which says nothing of this one.
 */
async function startAll(context: CommandContext): Promise<readonly PluginStatus[]> {
  const ends = new Map<string, PluginStatus>()
  const stop = context.host.onPluginChange(({ id, state }) => {
    const ended = state === 'starting' ? undefined : pluginStates(context).find((status) => status.id === id)
    if (ended !== undefined) ends.set(id, ended)
  })
  try {
    await startPlugins(context)
  } finally {
    stop()
  }
  return pluginStates(context).map((status) =>
    status.state === 'starting' ? { ...status, ...ends.get(status.id) } : status,
  )
}

/** Who may act: every user who is not shut out; the owner only where somebody comes in as such. */
function actingUsers({ config, people, tokens }: Host): readonly string[] {
  const enabled = people.users().filter(({ disabled }) => !disabled)
  const comesIn = (name: string): boolean => name === config.user || tokens.all().some(({ user }) => user === name)
  return enabled.map(({ name }) => name).filter((name) => name !== OWNER || comesIn(name))
}

/** Why external plugins use TLS where nobody asked for it. */
async function withoutQuic(host: Host): Promise<readonly string[]> {
  const wanting = host.config.plugins.filter(
    (plugin) =>
      plugin.kind === 'external' && plugin.external.transport === undefined && !('orchestra' in plugin.external),
  )
  if (wanting.length === 0) return []
  // Only who needs it waits for all that comes with it.
  const { whyNoQuic } = await import('@callboard/sdk/external')
  const why = await whyNoQuic()
  return why === undefined ? [] : [`external plugins use TLS over TCP, because QUIC can't be used here: ${why}`]
}

/** What a plugin may do without a user: one sentence for each plugin that has permissions outside its calls. */
function standingPermissions({ config }: Host): readonly string[] {
  return config.plugins.flatMap((plugin) => {
    const orchestra = plugin.kind === 'external' && plugin.external.kind === 'process' && plugin.external.orchestra
    const { permissions = [] } = orchestra ? orchestra.grants : {}
    if (permissions.length === 0) return []
    return [`plugin "${plugin.id}" has permissions outside its calls, with nobody acting: ${permissions.join(', ')}`]
  })
}

/** An MCP server sees the host's credential, never the user: one sentence for each account that several users share. */
async function sharedAccounts(host: Host): Promise<readonly string[]> {
  const users = actingUsers(host)
  const views = await Promise.all(users.map(async (user) => (await host.view(user, 'mcp')).listPluginIds()))
  return host.config.plugins.flatMap((plugin) => {
    if (plugin.kind !== 'mcp') return []
    const sharing = users.filter((_, index) => views[index]?.includes(plugin.id))
    if (sharing.length < 2 || !holdsCredential(plugin.mcp)) return []
    return [`plugin "${plugin.id}" acts with one account for ${sharing.length} users: ${sharing.join(', ')}`]
  })
}

/** Search works without the vectors, only less well. */
export function searchNotes({ problem }: ShippedVectors): readonly string[] {
  return problem === undefined ? [] : [`search goes by words alone, without what they mean: ${problem}`]
}

/** Whether a host serves this config can't be seen then, so what follows is told for both. */
function unreachable({ otherHost, host }: CommandContext): readonly string[] {
  if (otherHost === undefined) return []
  const { pid, config } = otherHost
  return [
    `process ${pid}, which serves ${config}, answers the commands of ${host.config.dataDir}; a host of this config can't be reached, if one runs, and its commands start plugins of their own: give this config a dataDir of its own`,
  ]
}

async function diagnose(context: CommandContext): Promise<Diagnosis> {
  const { host, user, running, otherHost } = context
  const plugins = await startAll(context)
  await host.checkSchemas()
  return {
    node: process.version,
    config: host.config.file ?? null,
    dataDir: host.config.dataDir,
    user,
    host: running ?? null,
    otherHost: otherHost === undefined ? null : factsOf(otherHost),
    plugins,
    problems: host.reports(),
    notes: [
      ...host.config.notes,
      ...unreachable(context),
      ...searchNotes(shippedWordVectors()),
      ...(await withoutQuic(host)),
      ...standingPermissions(host),
      ...(await sharedAccounts(host)),
    ],
  }
}

function startRow({ id, state, tools, startMs, reason }: PluginStatus): readonly string[] {
  return [
    id,
    state,
    `${tools} ${tools === 1 ? 'tool' : 'tools'}`,
    startMs === undefined ? '' : `${startMs} ms`,
    reason ?? '',
  ]
}

/** Without what is only said over the control socket. */
function factsOf({ pid, since, version, address, config }: OtherHost): OtherHost {
  return { pid, since, version, address, config }
}

function runningLine({ host, otherHost }: Pick<Diagnosis, 'host' | 'otherHost'>): string {
  if (host !== null) return hostLine(host)
  if (otherHost === null) return 'none'
  return `${hostLine(otherHost)}, of another config: ${otherHost.config}`
}

function hostLine({ pid, since, version, address }: RunningHost): string {
  return `process ${pid}, since ${localTime(since)}, version ${version}, at ${address}`
}

function write({ terminal: { stdout } }: CommandContext, { plugins, problems, notes, ...facts }: Diagnosis): void {
  writeTable(stdout, [
    ['node', facts.node],
    ['config', facts.config ?? 'none'],
    ['data folder', facts.dataDir],
    ['acting user', facts.user],
    ['running host', runningLine(facts)],
  ])
  if (plugins.length > 0) {
    stdout.write('\n')
    writeTable(stdout, plugins.map(startRow), { heads: ['PLUGIN', 'STATE', 'TOOLS', 'START', 'REASON'] })
  }
  const lines = [
    ...problems.map((problem) => `${stdout.style('red', 'problem:')} ${oneLine(problem)}`),
    ...notes.map((note) => `${stdout.style('dim', 'note:')} ${oneLine(note)}`),
  ]
  if (lines.length > 0) stdout.write(`\n${lines.join('\n')}\n`)
}

/**
 * 0 when every enabled plugin is up and nothing is to be mended, else 1. What it tells is of every plugin and user, so
 * it is the owner's.
 */
export async function doctor(context: CommandContext): Promise<number> {
  requireOwner(context)
  const diagnosis = await diagnose(context)
  const well =
    diagnosis.problems.length === 0 && diagnosis.plugins.every((plugin) => plugin.state === 'up' || !isEnabled(plugin))
  const dated = <H extends RunningHost>(host: H | null) =>
    host && { ...host, since: new Date(host.since).toISOString() }
  const hosts = { host: dated(diagnosis.host), otherHost: dated(diagnosis.otherHost) }
  if (context.json) writeJson(context, { well, ...diagnosis, ...hosts, plugins: diagnosis.plugins.map(statusToJson) })
  else {
    write(context, diagnosis)
    context.terminal.stdout.write(`\n${well ? 'All is well.' : 'Something is to be mended.'}\n`)
  }
  return well ? 0 : 1
}

/** `callboard serve`: offers the tools over MCP until it is told to stop. */

import { CallboardError } from '../../../errors.ts'
import type { Host } from '../../../host.ts'
import { nearestOrAll } from '../../../nearest-or-all.ts'
import type { CommandContext } from '../command-context.ts'
import { ConfigReloads } from '../config-reloads.ts'
import { createServeReport, type ServeReport } from '../serve-report.ts'
import { isEnabled, reasonOf } from '../start-plugins.ts'

/** What is offered over a surface. */
export interface OfferOptions {
  /** The id of the one plugin whose tools are offered. */
  readonly only?: string
}

/** The surfaces that `serve` can open; the command that owns them passes them in. */
export interface ServeSurfaces {
  /** Listens as the config of the host says, and resolves with the address and the way to end it. */
  http(host: Host, options: OfferOptions): Promise<{ readonly url: string; close(): Promise<void> }>
  /** Serves standard input and output until the client has gone or the signal is aborted. */
  stdio(host: Host, options: OfferOptions, signal: AbortSignal): Promise<void>
  /**
   * Lets the command line work through this host, whose clients connect at `address`; resolves with the way to end
   * that.
   */
  control?(host: Host, address: string): Promise<{ close(): Promise<void> }>
}

export interface ServeOptions extends OfferOptions {
  readonly stdio: boolean
  readonly http: boolean
}

function checkOnly(host: Host, only: string): void {
  const plugins = host.plugins()
  const wanted = plugins.find(({ id }) => id === only)
  if (wanted !== undefined && isEnabled(wanted)) return
  if (wanted !== undefined) throw new CallboardError('usage', reasonOf(wanted))
  const ids = plugins.filter(isEnabled).map(({ id }) => id)
  throw new CallboardError('usage', `no plugin "${only}"; ${nearestOrAll(only, ids)}`)
}

interface Following {
  /** Tells how everything is at the beginning. */
  begin(): void
  stop(): void
}

/** Tells of every plugin, call and finding until it is stopped. */
function follow(context: CommandContext, report: ServeReport, { only, http }: ServeOptions): Following {
  const { host } = context
  const wanted = host.plugins().filter((status) => isEnabled(status) && (only === undefined || status.id === only))
  const tellFindings = (): void => report.findings([...host.config.notes, ...host.reports(http, only)])
  const leave = [
    host.onPluginChange((status) => {
      // A plugin that is only being ended is no news.
      if (status.state !== 'stopped') report.plugin(status)
      tellFindings()
    }),
    host.onReconfigure((reconfiguration) => {
      report.reconfigured(reconfiguration)
      tellFindings()
    }),
    host.onCall((record) => report.call(record)),
  ]
  return {
    begin() {
      tellFindings()
      for (const status of wanted) report.plugin(status.state === 'stopped' ? { ...status, state: 'starting' } : status)
    },
    stop() {
      for (const stop of leave) stop()
    },
  }
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Opens HTTP, where it is wanted, and lets the command line in; resolves with the address. `open` gets the ways to
 * close, in order.
 */
async function openSurfaces(
  { host }: CommandContext,
  { only, http }: ServeOptions,
  surfaces: ServeSurfaces,
  open: (() => Promise<void>)[],
): Promise<string | undefined> {
  const surface = http ? await surfaces.http(host, only === undefined ? {} : { only }) : undefined
  if (surface !== undefined) open.push(() => surface.close())
  // A host of one plugin is one client's own, and most plugins would be found stopped in it.
  const control = only === undefined ? await surfaces.control?.(host, surface?.url ?? 'stdio') : undefined
  if (control !== undefined) open.push(() => control.close())
  return surface?.url
}

/** Starts the plugins, and resolves when the command is to end or its client has gone. */
async function offer(
  { host, signal }: CommandContext,
  { only, stdio }: ServeOptions,
  surfaces: ServeSurfaces,
): Promise<void> {
  // Told to stop before there was anything to end.
  if (signal.aborted) return
  const starting = host.start(only === undefined ? undefined : [only])
  const ending = stdio ? surfaces.stdio(host, only === undefined ? {} : { only }, signal) : aborted(signal)
  // A start that breaks ends the command; one that ends well leaves it serving.
  await Promise.race([ending, starting.then(() => ending)])
}

/** 0 when it was told to stop or the client on standard input has gone. */
export async function serve(context: CommandContext, options: ServeOptions, surfaces: ServeSurfaces): Promise<number> {
  const { host, terminal, json } = context
  const { only } = options
  if (only !== undefined) checkOnly(host, only)
  const report = createServeReport({
    // Standard output belongs to the protocol where that is spoken there.
    output: options.stdio ? terminal.stderr : terminal.stdout,
    json,
    redact: (text) => host.secrets.redact(text),
    idWidth: () => Math.max(0, ...host.config.plugins.map((plugin) => plugin.id.length)),
  })
  const following = follow(context, report, options)
  const reloads = context.configReading && new ConfigReloads(host, context.configReading)
  const open: (() => Promise<void>)[] = []
  try {
    await reloads?.start()
    const url = await openSurfaces(context, options, surfaces, open)
    // Nothing starts where nothing can be served.
    following.begin()
    if (url !== undefined) report.listening(url, host.config.http.auth)
    await offer(context, options, surfaces)
  } finally {
    await reloads?.[Symbol.asyncDispose]()
    following.stop()
    report.stopping()
    for (const close of open.reverse()) await close()
  }
  return 0
}

/** The command: owns the process's streams and signals, the host, and the surfaces that `serve` opens. */
import { isatty } from 'node:tty'
import type { Config } from './config/config.ts'
import type { ConfigPlace, LocatedConfig } from './config/locate-config.ts'
import { CallboardError } from './errors.ts'
import type { Host } from './host.ts'
import { containPlugins } from './main/contain-plugins.ts'
import { runCommandLine } from './surfaces/cli/command-line.ts'
import type { ServeSurfaces } from './surfaces/cli/commands/serve.ts'
import type { OtherHost } from './surfaces/cli/control/running-host.ts'
import type { Control } from './surfaces/cli/control/serve-control.ts'
import { createTerminal, type Terminal } from './surfaces/cli/output/terminal.ts'
import { watchOutputs } from './surfaces/cli/output/watch-outputs.ts'
import type { CommandOptions } from './surfaces/cli/perform.ts'
import { version } from './version.ts'

/**
 * A second signal within this time is the first one again: npm passes on what the terminal has already sent to
 * everyone.
 */
const SAME_SIGNAL_MS = 500

/** The exit code of a command that went well but for its output, which could not be written (EX_IOERR of sysexits). */
const OUTPUT_LOST = 74

const place: ConfigPlace = { cwd: process.cwd(), env: process.env }

/** What the parts of one run know of each other. */
interface Run {
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The config of this run, which is found, and asked about, once. */
  located?: Promise<LocatedConfig>
  /** The user of the config, where `serve` acts as another. */
  configuredUser?: string
  /** Logs what a plugin threw outside of its calls, once there is a log. */
  logStray?: (plugin: string, thrown: unknown) => void
  /** Whether it is a host that serves, and does so whatever becomes of its report. */
  serves?: boolean
}

/** Finds the config, and sees to it that it is trusted. What is imported here is not loaded for `--help`. */
async function admit({ terminal, signal }: Run, options: CommandOptions): Promise<LocatedConfig> {
  const [{ admitConfig }, { createAsk }] = await Promise.all([
    import('./surfaces/cli/admit-config.ts'),
    import('./surfaces/cli/output/ask.ts'),
  ])
  const ask = options.json || options.unattended ? undefined : createAsk(process)
  return admitConfig({ file: options.config, place, stderr: terminal.stderr, ask, signal })
}

/** Reads the config, with what the command's options put in its place; `opened` is told of its files. */
async function readConfig(run: Run, options: CommandOptions, opened?: (file: string) => void): Promise<Config> {
  run.located ??= admit(run, options)
  const { file, namedBy } = await run.located
  const [{ loadConfig }, { isLoopback }] = await Promise.all([
    import('./config/load-config.ts'),
    import('./config/listen.ts'),
  ])
  const config = loadConfig({ ...place, file, namedBy, opened })
  const http = { ...config.http, ...options.listen }
  if (http.auth === 'none' && !isLoopback(http.host))
    throw new CallboardError(
      'config',
      `http.auth is none, so HTTP is served on this machine only, and ${http.host} is not; take 127.0.0.1`,
    )
  if (options.user !== undefined) run.configuredUser = config.user
  return { ...config, user: options.user ?? config.user, http }
}

/** Puts a host together for the config. */
async function openHost(run: Run, options: CommandOptions): Promise<Host> {
  const [{ createHost }, { createLog }, { logStray }] = await Promise.all([
    import('./host.ts'),
    import('./log.ts'),
    import('./plugins/local/log-stray.ts'),
  ])
  const config = await readConfig(run, options)
  const log = createLog(config.secrets, await logLevelOf(options, config.user))
  run.logStray = (plugin, thrown) => logStray(log, plugin, thrown)
  return createHost({ config, log })
}

/**
 * The log speaks of every plugin, and tells a tool that is hidden from one that is not there: that is for who serves,
 * and the owner.
 */
async function logLevelOf({ alone = false, logLevel = 'error' }: CommandOptions, user: string): Promise<string> {
  const { OWNER } = await import('./gate/role-gate.ts')
  return alone || user === OWNER || logLevel === 'silent' ? logLevel : 'error'
}

/** Runs the words in the host that serves the config already, if there is one. */
async function throughHost(
  run: Run,
  words: readonly string[],
  options: CommandOptions,
): Promise<number | OtherHost | undefined> {
  run.located ??= admit(run, options)
  const [located, { throughRunningHost }, { writeWarning }] = await Promise.all([
    run.located,
    import('./surfaces/cli/control/through-running-host.ts'),
    import('./surfaces/cli/output/warning.ts'),
  ])
  const { terminal, signal } = run
  const warn = (message: string) =>
    writeWarning(terminal.stderr, message, { json: options.json ?? false, redact: (text) => text })
  return throughRunningHost(words, { located, version, warn, signal, streams: process, env: process.env })
}

/** Lets other commands work through this host. */
async function control(run: Run, host: Host, address: string): Promise<Control> {
  const [{ serveControl }, { readersOf }] = await Promise.all([
    import('./surfaces/cli/control/serve-control.ts'),
    import('./surfaces/readers-of.ts'),
  ])
  const running = { pid: process.pid, since: Date.now(), version, address }
  return serveControl({
    dataDir: host.config.dataDir,
    host: { ...running, config: host.config.file ?? '' },
    readers: readersOf(host),
    log: host.log,
    run: (words, terminal, signal) =>
      runCommandLine(words, {
        version,
        terminal,
        signal,
        place,
        surfaces: surfacesOf(run),
        lent: { host, user: run.configuredUser ?? host.config.user, running },
        openHost: () =>
          Promise.reject(new CallboardError('usage', 'this command does not work through a running host')),
      }),
  })
}

function surfacesOf(run: Run): ServeSurfaces {
  return {
    http: async (host, options) => {
      run.serves = true
      return (await import('./surfaces/mcp/offer-over-http.ts')).offerOverHttp(host, options)
    },
    stdio: async (host, options, signal) => {
      run.serves = true
      const [{ serveStdio }, { offeredNow }] = await Promise.all([
        import('./surfaces/mcp/stdio.ts'),
        import('./surfaces/mcp/offered-now.ts'),
      ])
      await serveStdio(host, (era) => offeredNow(host, { ...options, era }), signal)
    },
    control: (host, address) => control(run, host, address),
  }
}

/** What the process is told from outside. */
interface Signals {
  /** Aborted by the first signal to end; a second one ends the process at once. */
  readonly ending: AbortController
  onReloadAsked(listener: () => void): () => void
}

/**
 * SIGHUP has two meanings: read the config again, and the terminal is gone. It has the second one, and ends the process
 * as SIGTERM does, where a terminal is gone, where nobody would read anything again, and on Windows, which knows no
 * other.
 */
function watchSignals(): Signals {
  const controller = new AbortController()
  let first = 0
  const end = () => {
    if (controller.signal.aborted && Date.now() - first > SAME_SIGNAL_MS) process.exit(130)
    if (controller.signal.aborted) return
    first = Date.now()
    controller.abort(new CallboardError('cancelled', 'interrupted'))
  }
  const reloadListeners = new Set<() => void>()
  const terminals = [0, 1, 2].filter((stream) => isatty(stream))
  const hangUp = () => {
    const isGone = terminals.some((stream) => !isatty(stream))
    if (isGone || reloadListeners.size === 0 || process.platform === 'win32') end()
    else for (const listener of reloadListeners) listener()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  process.on('SIGHUP', hangUp)
  return {
    ending: controller,
    onReloadAsked: (listener) => {
      reloadListeners.add(listener)
      return () => reloadListeners.delete(listener)
    },
  }
}

async function main(): Promise<void> {
  const { ending, onReloadAsked } = watchSignals()
  const words = process.argv.slice(2)
  const outputs = watchOutputs(process, {
    json: words.includes('--json'),
    onReaderGone: () => ending.abort(new CallboardError('cancelled', 'interrupted')),
  })
  const run: Run = { terminal: createTerminal(process, process.env), signal: ending.signal }
  containPlugins(process, (plugin, thrown) => run.logStray?.(plugin, thrown))
  const exitCode = await runCommandLine(words, {
    version,
    terminal: run.terminal,
    signal: run.signal,
    place,
    surfaces: surfacesOf(run),
    openHost: (options) => openHost(run, options),
    configReading: (options) => ({
      read: (opened) => readConfig(run, options, opened),
      onAsked: onReloadAsked,
    }),
    throughHost: (words, options) => throughHost(run, words, options),
  })
  // A reader may take its time for an answer, but must not keep a host from ending.
  await outputs.flush(run.serves === true || run.signal.aborted)
  const isLost = outputs.failed && exitCode === 0 && run.serves !== true
  // Whatever was left open by mistake must not keep the command from ending.
  process.exit(isLost ? OUTPUT_LOST : exitCode)
}

void main()

/** The command: owns the process's streams and signals, the host, and the surfaces that `serve` opens. */
import { CallboardError } from './errors.ts'
import type { Host } from './host.ts'
import { runCommandLine } from './surfaces/cli/command-line.ts'
import type { ServeSurfaces } from './surfaces/cli/commands/serve.ts'
import { createTerminal } from './surfaces/cli/output/terminal.ts'
import type { CommandOptions } from './surfaces/cli/program.ts'
import { version } from './version.ts'

/** A second signal within this time is the first one again: npm passes on what the terminal has already sent to everyone. */
const SAME_SIGNAL_MS = 500

/** Reads the config and puts a host together. What is imported here is not loaded for `--help`. */
async function openHost(options: CommandOptions): Promise<Host> {
  const [{ createHost }, { loadConfig }, { isLoopback }, { createLog }, { Secrets }] = await Promise.all([
    import('./host.ts'),
    import('./config/load-config.ts'),
    import('./config/listen.ts'),
    import('./log.ts'),
    import('./secrets.ts'),
  ])
  const secrets = new Secrets()
  const config = loadConfig({ file: options.config, cwd: process.cwd(), env: process.env, secrets })
  const http = { ...config.http, ...options.listen }
  if (http.auth === 'none' && !isLoopback(http.host))
    throw new CallboardError(
      'config',
      `http.auth is none, so HTTP is served on this machine only, and ${http.host} is not; take 127.0.0.1`,
    )
  const log = createLog(secrets, options.logLevel ?? 'error')
  return createHost({ config: { ...config, user: options.user ?? config.user, http }, secrets, log })
}

const surfaces: ServeSurfaces = {
  http: async (host, options) => (await import('./surfaces/mcp/offer-over-http.ts')).offerOverHttp(host, options),
  stdio: async (host, options, signal) => {
    const { serveStdio } = await import('./surfaces/mcp/stdio.ts')
    const { user, expose = 'catalog' } = host.config
    await serveStdio(host, { user, expose, ...options }, signal)
  },
}

/** Aborted by the first signal to end; a second one ends the process at once. */
function watchSignals(): AbortSignal {
  const controller = new AbortController()
  let first = 0
  const end = () => {
    if (controller.signal.aborted && Date.now() - first > SAME_SIGNAL_MS) process.exit(130)
    if (controller.signal.aborted) return
    first = Date.now()
    controller.abort(new CallboardError('cancelled', 'interrupted'))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  // Nobody reads any more (`callboard list | head -1`): there is nothing left to do, and nobody to tell.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    controller.abort(new CallboardError('cancelled', 'interrupted'))
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return controller.signal
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve()
    else stream.write('', () => resolve())
  })
}

async function main(): Promise<void> {
  const exitCode = await runCommandLine(process.argv.slice(2), {
    version,
    terminal: createTerminal(process, process.env),
    surfaces,
    signal: watchSignals(),
    openHost,
  })
  await Promise.all([flush(process.stdout), flush(process.stderr)])
  // Whatever was left open by mistake must not keep the command from ending.
  process.exit(exitCode)
}

void main()

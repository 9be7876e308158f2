/** Runs the command line against a double of the host. */
import type { Host } from '../../../host.ts'
import { type CommandLineParts, runCommandLine } from '../command-line.ts'
import type { ServeSurfaces } from '../commands/serve.ts'
import { createTerminal } from '../output/terminal.ts'
import type { CommandOptions } from '../perform.ts'
import { type DoubleOptions, HostDouble } from './host-double.ts'

/** How a test runs the command line. */
export interface RunOptions extends DoubleOptions {
  /** Columns of the terminal; a pipe when absent. */
  readonly columns?: number
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly surfaces?: ServeSurfaces
  readonly signal?: AbortSignal
  readonly openHost?: (options: CommandOptions) => Promise<Host>
  readonly throughHost?: CommandLineParts['throughHost']
  readonly lent?: CommandLineParts['lent']
  readonly place?: CommandLineParts['place']
}

export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly host: HostDouble
}

const NO_SURFACES: ServeSurfaces = {
  http: async () => ({ url: 'http://127.0.0.1:2255/mcp', close: async () => undefined }),
  stdio: async () => undefined,
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text
}

/** Runs the command line against a double. */
export async function runDouble(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const written = { stdout: '', stderr: '' }
  let host = new HostDouble(options)
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: options.columns !== undefined,
    ...(options.columns !== undefined && { columns: options.columns }),
    write: (text: string) => {
      written[name] += text
    },
  })
  const code = await runCommandLine(words, {
    version: '1.2.3',
    terminal: createTerminal(
      { stdout: stream('stdout'), stderr: stream('stderr'), stdin: chunks(options.stdin ?? '') },
      { NO_COLOR: '1', ...options.env },
    ),
    surfaces: options.surfaces ?? NO_SURFACES,
    signal: options.signal ?? new AbortController().signal,
    place: options.place ?? { cwd: '/', env: {}, home: '/' },
    ...(options.throughHost !== undefined && { throughHost: options.throughHost }),
    ...(options.lent !== undefined && { lent: options.lent }),
    openHost:
      options.openHost ??
      (async ({ user }) => {
        host = new HostDouble(options, user)
        return host
      }),
  })
  return { code, ...written, host }
}

/** A control socket in a data folder of its own, and commands that go through it, for tests. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { createLog } from '../../../log.ts'
import { Secrets } from '../../../secrets.ts'
import { Readers } from '../../readers.ts'
import type { RunWords } from '../control/command-connection.ts'
import type { OtherHost } from '../control/running-host.ts'
import { type Control, serveControl } from '../control/serve-control.ts'
import { throughRunningHost } from '../control/through-running-host.ts'

const CONFIG = '/etc/callboard.yaml'
const SILENT = createLog(new Secrets(), 'silent')

/** What a command left behind. */
interface CommandRun {
  /** Undefined where no host took it; the host of another config where that is the one there. */
  readonly code: number | OtherHost | undefined
  readonly stdout: string
  readonly stderr: string
  readonly warnings: readonly string[]
}

interface CommandRunOptions {
  readonly stdin?: Readable
  readonly stdout?: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly signal?: AbortSignal
  readonly config?: string
  readonly version?: string
  readonly env?: Readonly<Record<string, string>>
  readonly silenceMs?: number
}

class ControlScene {
  readonly dataDir: string

  constructor(path: string) {
    this.dataDir = path
  }

  /** Opens a host that answers commands by `run`; it ends with the test. */
  async host(run: RunWords, pid = 1, readers: Readers = new Readers(SILENT)): Promise<Control> {
    const control = await serveControl({
      dataDir: this.dataDir,
      host: { pid, since: 0, version: '1.2.3', address: 'stdio', config: CONFIG },
      run,
      readers,
      log: SILENT,
    })
    onTestFinished(() => control.close())
    return control
  }

  async run(words: readonly string[], options: CommandRunOptions = {}): Promise<CommandRun> {
    const written = { stdout: '', stderr: '' }
    const warnings: string[] = []
    const sink = (name: 'stdout' | 'stderr') =>
      new Writable({
        decodeStrings: true,
        write: (chunk: Buffer, _encoding, done) => {
          written[name] += chunk.toString('latin1')
          done()
        },
      })
    const code = await throughRunningHost(words, {
      located: { file: options.config ?? CONFIG, dataDir: this.dataDir },
      version: options.version ?? '1.2.3',
      warn: (message) => warnings.push(message),
      signal: options.signal ?? new AbortController().signal,
      env: options.env ?? {},
      streams: {
        stdin: options.stdin ?? new PassThrough(),
        stdout: options.stdout ?? sink('stdout'),
        stderr: sink('stderr'),
      },
      ...(options.silenceMs !== undefined && { silenceMs: options.silenceMs }),
    })
    const textOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8')
    return { code, stdout: textOf(written.stdout), stderr: textOf(written.stderr), warnings }
  }
}

/** A new data folder, `below` deep in a new folder, which goes when the running test ends. */
export function controlScene(below = ''): ControlScene {
  const root = mkdtempSync(join(tmpdir(), 'callboard-control-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const dataDir = join(root, below)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return new ControlScene(dataDir)
}

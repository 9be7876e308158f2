/** Runs the real `callboard` command as a child process, with a data folder of its own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url))
export const COMMAND: string = join(ROOT, 'packages/callboard/bin/callboard.js')

/** How long a text is waited for. */
const PATIENCE_MS = 15_000

export interface CommandResult {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs. */
export interface RunningCommand {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves when the outputs have a text or a match; rejects with everything written when the command ends before. */
  until(pattern: string | RegExp): Promise<void>
  /** Both outputs so far. */
  written(): string
  readonly done: Promise<CommandResult>
}

/** What a command is started with besides its words. */
interface StartOptions {
  readonly nodeArgs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A folder with a config and its data; nothing of the machine's own settings is seen. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  start(words: readonly string[], options?: StartOptions): RunningCommand
  run(words: readonly string[], stdin?: string): Promise<CommandResult>
}

function follow(child: RunningCommand['child']): RunningCommand {
  const written = { stdout: '', stderr: '' }
  const all = () => written.stdout + written.stderr
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const look of waiting) look()
    })
  // A command that ends before it has read its input is no fault of the test.
  child.stdin.on('error', () => undefined)
  const done = new Promise<CommandResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...written }))
  })
  const until = (pattern: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (typeof pattern === 'string' ? !all().includes(pattern) : !pattern.test(all())) return
        waiting.delete(look)
        clearTimeout(patience)
        resolve()
      }
      const patience = setTimeout(() => reject(new Error(`waited in vain for ${pattern} in: ${all()}`)), PATIENCE_MS)
      waiting.add(look)
      look()
      void done.then(() => reject(new Error(`ended without ${pattern} in: ${all()}`)))
    })
  return { child, until, written: all, done }
}

/** Runs a program with Node, which sees nothing of the machine's own settings; who starts it ends it. */
export function startProgram(args: readonly string[], { env = {}, cwd = ROOT }: StartOptions = {}): RunningCommand {
  return follow(spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' }))
}

/** A stage for this config, or for a config file that is there already. */
export async function createStage(config: Readonly<Record<string, unknown>> | string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-cli-'))
  const file = typeof config === 'string' ? config : join(folder, 'callboard.yaml')
  if (typeof config !== 'string') await writeFile(file, JSON.stringify(config))
  const running = new Set<RunningCommand['child']>()
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    CALLBOARD_CONFIG: file,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  const start: Stage['start'] = (words, { nodeArgs = [], env: more = {}, cwd = ROOT } = {}) => {
    const child = spawn(process.execPath, [...nodeArgs, COMMAND, ...words], {
      cwd,
      env: { ...env, ...more },
      stdio: 'pipe',
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return follow(child)
  }
  return {
    folder,
    start,
    run: (words, stdin = '') => {
      const { child, done } = start(words)
      child.stdin.end(stdin)
      return done
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of running) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A child process in a group of its own, and the certain end of that whole group. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { type OutputSteps, PacedReader } from './paced-reader.ts'
import type { ProcessWatcher } from './process-watcher.ts'

/** What to run. There is no shell: arguments reach the program as they are. */
export interface ProcessCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Added to the basics; nothing else of the host's own environment is passed on. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** How long each step of an end may take, in milliseconds. */
export interface EndPatience {
  /** After its input was closed. */
  readonly closeMs: number
  /** After SIGTERM. */
  readonly termMs: number
}

/** So many writes go out together, so that the child begins while the host is still at work on the rest of its turn. */
const MOST_TOGETHER = 6
/** How much may wait for a child that does not read, in bytes. */
const MAX_WAITING = 64 * 1024 * 1024
const PATIENCE: EndPatience = { closeMs: 2_000, termMs: 2_000 }
/** SIGKILL needs no patience, only the time in which the kernel carries it out. */
const KILL_MS = 1_000
const POLL_MS = 20
/** How long the last words of an ended process may take to arrive while something else holds its pipes. */
const DRAIN_MS = 200

/** Where the certificates of a company's own network are: without them a server reaches nothing there. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE']
const UNIX_BASICS = [
  ...['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  ...CERTIFICATES,
]
const WINDOWS_BASICS = [
  ...CERTIFICATES,
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
  ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP'],
  ...['USERNAME', 'USERPROFILE', 'WINDIR'],
]

/** What a program needs to run at all: `PATH`, `HOME` and the like, as far as the host has them. */
function basicEnvironment(): Record<string, string> {
  const names = process.platform === 'win32' ? WINDOWS_BASICS : UNIX_BASICS
  const environment: Record<string, string> = {}
  for (const name of names) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}

/** A running child and all that it starts. Whoever makes one calls `end`, also after the child ended by itself. */
export class ProcessGroup {
  readonly #child: ChildProcess
  readonly #watcher: ProcessWatcher
  readonly #patience: EndPatience
  #ended: Promise<void> | undefined
  readonly #readers: PacedReader[] = []
  #unwritten = ''
  #unwrittenWrites = 0
  /** Resolves with the words for its end once the child ended and what it had written has arrived. */
  readonly exited: Promise<string>

  /** Starts the child; `started` says whether that worked. */
  constructor(command: ProcessCommand, watcher: ProcessWatcher, patience: EndPatience = PATIENCE) {
    this.#watcher = watcher
    this.#patience = patience
    this.#child = watcher.watch((environment) =>
      // Not `child_process.spawn`: on Windows the usual commands are `.cmd` files, which it refuses to run without a
      // shell.
      spawn(command.command, [...command.args], {
        env: { ...basicEnvironment(), ...command.env, ...environment },
        cwd: command.cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      }),
    )
    this.exited = this.#exit()
  }

  /** Resolves when the child runs; rejects with Node's error when it could not be started. */
  async started(): Promise<void> {
    if (this.#child.pid !== undefined) return
    const { promise, reject } = Promise.withResolvers<void>()
    this.#child.once('error', reject)
    await promise
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Hands over what the child writes to stdout and stderr, step by step. */
  onOutput(listener: { readonly stdout: OutputSteps; readonly stderr: OutputSteps }): void {
    const { stdout, stderr } = this.#child
    if (stdout) this.#readers.push(new PacedReader(stdout, listener.stdout))
    if (stderr) this.#readers.push(new PacedReader(stderr, listener.stderr))
  }

  /** Hands over the rest of what has been read of either: the child has ended. */
  finishOutput(): void {
    for (const reader of this.#readers) reader.finish()
  }

  /** How much was written that the child did not take yet: bytes, and characters of this turn. */
  get waiting(): number {
    return this.#unwritten.length + (this.#child.stdin?.writableLength ?? 0)
  }

  /**
   * Writes to its stdin, unless that is closed or so much waits that a child that does not read would fill the memory.
   * What is written in one turn of the event loop goes out together, a few writes at a time.
   */
  write(text: string): 'written' | 'closed' | 'full' {
    if (this.#child.stdin?.writable !== true) return 'closed'
    if (this.waiting > 0 && this.waiting + text.length > MAX_WAITING) return 'full'
    // Each write to a pipe wakes the child up, which costs more than everything else that is done for a call.
    if (this.#unwritten === '') setImmediate(() => this.#flush())
    this.#unwritten += text
    this.#unwrittenWrites += 1
    if (this.#unwrittenWrites === MOST_TOGETHER) this.#flush()
    return 'written'
  }

  /** Closes its stdin, then sends SIGTERM to the group, then SIGKILL. Resolves when nothing of the group is left. */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  #flush(): void {
    const text = this.#unwritten
    this.#unwritten = ''
    this.#unwrittenWrites = 0
    if (text !== '' && this.#child.stdin?.writable === true) this.#child.stdin.write(text)
  }

  #exit(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const child = this.#child
    // What is written after the child's end has nowhere to go; the end itself is reported by `exit`.
    child.stdin?.on('error', () => {})
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => {
      const words = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      const late = setTimeout(() => resolve(words), DRAIN_MS)
      child.on('close', () => {
        clearTimeout(late)
        resolve(words)
      })
    })
    return promise
  }

  async #end(): Promise<void> {
    const child = this.#child
    const { pid } = child
    if (pid === undefined) return
    this.#flush()
    child.stdin?.end()
    await within(this.#patience.closeMs, () => hasEnded(child))
    if (groupLives(pid) && !(hasEnded(child) && process.platform === 'win32')) {
      await signalGroup(child, pid, 'SIGTERM')
      await within(this.#patience.termMs, () => !groupLives(pid))
    }
    if (groupLives(pid)) {
      await signalGroup(child, pid, 'SIGKILL')
      await within(KILL_MS, () => hasEnded(child) && !groupLives(pid))
    }
    this.#watcher.remove(pid)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Whether a process of the group is left. Windows has no groups; there only the child itself counts. */
function groupLives(group: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0)
    return true
  } catch {
    // ESRCH: nobody is left. EPERM: nobody whom this host may signal.
    return false
  }
}

async function signalGroup(child: ChildProcess, group: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (process.platform === 'win32') {
    const force = signal === 'SIGKILL' ? ['/F'] : []
    const kill = spawn('taskkill', ['/PID', String(group), '/T', ...force], { stdio: 'ignore', windowsHide: true })
    await new Promise((resolve) => kill.on('exit', resolve).on('error', () => resolve(child.kill(signal))))
    return
  }
  try {
    process.kill(-group, signal)
  } catch {
    // Gone in the meantime, or no longer of this user: either way there is nothing more that this host can do.
  }
}

/** Waits until `condition` holds, at most so long. */
async function within(ms: number, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + ms
  while (!condition() && performance.now() < deadline) await delay(POLL_MS)
}

/** Ends the process groups that the host started when the host itself dies without a word, by `kill -9` for example. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Log } from '../../log.ts'

/**
 * Reads `+ GROUP` and `- GROUP` until its input ends, which is when the host is gone, then ends what is left: SIGTERM,
 * and SIGKILL after a second. A shell, because it takes one megabyte where another Node would take forty. It ignores
 * the signals of a terminal: Ctrl-C must not take the watcher away before its work.
 */
const SCRIPT = `
trap '' INT HUP TERM QUIT
groups=' '
while read -r act group; do
  case $act in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
[ -z "\${groups# }" ] && exit 0
for group in $groups; do kill -TERM "-$group"; done
sleep 1
for group in $groups; do kill -KILL "-$group"; done
`

/**
 * One watcher process for all groups of this host, started with the first of them and ended by `dispose`. On Windows,
 * which has no groups, it does nothing: there a server has to end when its input does.
 */
export class ProcessWatcher implements AsyncDisposable {
  readonly #groups = new Set<number>()
  readonly #log: Log
  #child: ChildProcess | undefined
  #disposed = false

  constructor(log: Log) {
    this.#log = log
  }

  /** The process id of the watcher, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** From now on this group is ended when the host dies. */
  add(group: number): void {
    if (process.platform === 'win32' || this.#disposed) return
    this.#groups.add(group)
    if (this.#child === undefined) this.#start()
    else this.#tell(`+ ${group}`)
  }

  /** This group has ended; its number may soon belong to somebody else. */
  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`)
  }

  /** Ends the watcher, and with it every group that is still there; resolves when it has gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.ref()
    child.stdin?.end()
    await exited
  }

  #start(): void {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      // Its own session, so that nothing sent to the terminal's group reaches it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
    })
    const gone = (reason: string): void => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#log.warn({ reason }, 'the process watcher is gone; servers may outlive a host that is killed')
    }
    child.on('error', (error) => gone(error.message))
    child.on('exit', (code, signal) => gone(`ended with ${signal ?? code}`))
    child.stdin.on('error', (error) => gone(error.message))
    child.unref()
    if (child.stdin instanceof Socket) child.stdin.unref()
    this.#child = child
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  #tell(line: string): void {
    this.#child?.stdin?.write(`${line}\n`)
  }
}

/** Ends the process groups that the host started when the host itself dies without a word, by `kill -9` for example. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Log } from '../../log.ts'

/** The variable with which a child carries its mark. */
const MARK = 'CALLBOARD_START'

/**
 * Reads `+ WORD` and `- WORD`, where a word is a group or the mark of a start, until its input ends, which is when the
 * host is gone. Then it ends what is left, and what carries a mark: SIGTERM, and SIGKILL after a second, by when also a
 * child that had not become its program yet has done so. A shell, because it takes one megabyte where another Node
 * would take forty. It ignores the signals of a terminal: Ctrl-C must not take the watcher away before its work.
 */
const SCRIPT = `
trap '' INT HUP TERM QUIT
words=' '
while read -r act word; do
  case $act in
    +) words="$words$word " ;;
    -) case $words in *" $word "*) words="\${words%%" $word "*} \${words#*" $word "}" ;; esac ;;
  esac
done
[ -z "\${words# }" ] && exit 0
for word in $words; do
  case $word in
    *[!0-9]*) marks="$marks -e ${MARK}=$word" ;;
    *) groups="$groups $word" ;;
  esac
done
end() {
  for group in $groups; do kill "-$1" "-$group"; done
  [ -z "$marks" ] && return
  for file in $(grep -lsF $marks /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    kill "-$1" "$pid"
    kill "-$1" "-$pid"
  done
}
end TERM
sleep 1
end KILL
`

/**
 * One watcher process for all groups of this host, started with the first of them and ended by `dispose`. On Windows,
 * which has no groups, it does nothing: there a server has to end when its input does.
 */
export class ProcessWatcher implements AsyncDisposable {
  /** Groups, and marks of starts that are under way. */
  readonly #words = new Set<string>()
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

  /**
   * Makes a child that leads a group, with `spawn`, which adds what it is given to the child's environment. From now on
   * the group is ended when the host dies, on Linux also in the middle of `spawn`: the child runs before its number is
   * known here.
   */
  watch(spawn: (environment: Readonly<Record<string, string>>) => ChildProcess): ChildProcess {
    if (process.platform === 'win32' || this.#disposed) return spawn({})
    const mark = randomUUID()
    this.#words.add(mark)
    if (this.#child === undefined) this.#start()
    else this.#tell(`+ ${mark}\n`)
    try {
      const child = spawn(process.platform === 'linux' ? { [MARK]: mark } : {})
      if (child.pid !== undefined) this.#add(child.pid)
      return child
    } finally {
      this.#words.delete(mark)
      this.#tell(`- ${mark}\n`)
    }
  }

  /** This group has ended; its number may soon belong to somebody else. */
  remove(group: number): void {
    if (this.#words.delete(String(group))) this.#tell(`- ${group}\n`)
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
    this.#tell([...this.#words].map((word) => `+ ${word}\n`).join(''))
  }

  #add(group: number): void {
    this.#words.add(String(group))
    this.#tell(`+ ${group}\n`)
  }

  #tell(lines: string): void {
    this.#child?.stdin?.write(lines)
  }
}

/** Tells that files are others now, whichever way they were changed: in place, by rename, or behind a link. */
import { type FSWatcher, readlinkSync, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '../errors.ts'

export interface FileWatchOptions {
  /** How long the files must be left alone before a change is told; several changes are told once. In milliseconds. */
  readonly quietMs?: number
  /** How often files are looked at where the file system tells nothing, as network drives do. In milliseconds. */
  readonly pollMs?: number
}

const QUIET_MS = 200
const POLL_MS = 2_000
/** Longer chains of links are a circle. */
const MAX_LINKS = 20

interface Followed {
  /** What tells one state of the file from another. */
  state: string
  watchers: readonly FSWatcher[]
}

/**
 * Follows files that may be replaced or missing. Folders are watched, not files: editors put another file in the old
 * one's place, and a Kubernetes config map changes a link beside it. Keeps no process alive; whoever makes one disposes
 * of it.
 */
export class FileWatch implements Disposable {
  readonly #onChange: () => void
  readonly #quietMs: number
  readonly #pollMs: number
  readonly #files = new Map<string, Followed>()
  readonly #look = (): void => this.#lookAtAll()
  #timer: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined

  constructor(onChange: () => void, { quietMs = QUIET_MS, pollMs = POLL_MS }: FileWatchOptions = {}) {
    this.#onChange = onChange
    this.#quietMs = quietMs
    this.#pollMs = pollMs
  }

  /**
   * Follows a file, by its absolute path, from the state on in which it is now. Harmless when it is followed already.
   */
  add(file: string): void {
    if (this.#files.has(file)) return
    // First the watchers: what changes after the look at its state is heard.
    const watchers = this.#watchersOf(file)
    this.#files.set(file, { state: stateOf(file), watchers })
    // Not `watchFile`: that takes the state at its own first look, which comes later, for the one to compare with.
    this.#poll ??= setInterval(this.#look, this.#pollMs).unref()
  }

  /** Follows these files and no others any more. */
  retain(files: ReadonlySet<string>): void {
    for (const file of this.#files.keys()) if (!files.has(file)) this.#drop(file)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    this.retain(new Set())
  }

  #lookAtAll(): void {
    for (const [file, followed] of this.#files) {
      const state = stateOf(file)
      if (state === followed.state) continue
      followed.state = state
      // Folders and links on the way may be others, too; the old watchers would hear nothing of the new ones.
      close(followed.watchers)
      followed.watchers = this.#watchersOf(file)
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#onChange, this.#quietMs)
      this.#timer.unref()
    }
  }

  #drop(file: string): void {
    close(this.#files.get(file)?.watchers ?? [])
    this.#files.delete(file)
  }

  #watchersOf(file: string): readonly FSWatcher[] {
    return [...foldersOf(file)].flatMap((folder) => {
      try {
        const watcher = watch(folder, { persistent: false }, this.#look)
        // A folder that goes away ends its watcher; the file itself is still looked at now and then.
        watcher.on('error', () => watcher.close())
        return [watcher]
      } catch {
        // There is no such folder, or the system has no watcher left: looking at the file now and then is enough.
        return []
      }
    })
  }
}

function close(watchers: readonly FSWatcher[]): void {
  for (const watcher of watchers) watcher.close()
}

/**
 * The folders in which something changes when the file becomes another: its own, and that of each link on the way to
 * it.
 */
function foldersOf(file: string): ReadonlySet<string> {
  const folders = new Set<string>()
  const visit = (path: string, links: number): void => {
    folders.add(dirname(path))
    for (let part = path; part !== dirname(part) && links < MAX_LINKS; part = dirname(part)) {
      const target = linkTarget(part)
      if (target === undefined) continue
      folders.add(dirname(part))
      visit(resolve(dirname(part), target) + path.slice(part.length), links + 1)
      return
    }
  }
  visit(file, 0)
  return folders
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // It is no link, or it is not there.
    return undefined
  }
}

/** Another text for each state that a reader could tell apart; empty while there is no file. */
function stateOf(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
  } catch (error) {
    // A folder that may not be entered is a state as well; whoever reads the file says what is wrong with it.
    return messageOf(error)
  }
}

/** Which of several hosts on one data folder answers the command line: the one that holds this lock. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's result code for a lock that somebody else holds. */
const SQLITE_BUSY = 5

/**
 * Takes the lock if nobody has it; undefined when another host does. Throws where the folder can't be written or knows
 * no locks. It is a lock of the operating system, which takes it back from a process that dies, `kill -9` too; Node has
 * no such lock of its own, and SQLite has had every trouble with it already.
 */
export function takeControlLock(dataDir: string): Disposable | undefined {
  const file = join(dataDir, 'control.lock')
  // SQLite would make it readable to others. Opened by nobody else: to close a file is to lose every lock on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // Without a journal beside it: nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => database.close() }
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

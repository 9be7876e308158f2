/** The file behind the store: opened for several processes, private to its user, and refused when it is damaged. */
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CallboardError, messageOf } from '../../errors.ts'
import { makeFolder } from '../../make-folder.ts'
import { migrate } from './schema.ts'

/** How long opening waits for other processes that open the same file, in milliseconds. */
const OPEN_TIMEOUT_MS = 5_000
/** How long a statement waits for another process. Short, since the whole process waits with it. */
const BUSY_TIMEOUT_MS = 250

/** SQLite's result codes for a file that can't be read as a database. */
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/**
 * Opens the file, which is made (0600, in a folder that is made with 0700) when it is not there; `warn` is told of a
 * folder that is open to others. Throws `CallboardError`: `config` for a damaged file, which stays as it is, and for
 * one that can't be written, else `internal`.
 */
export function openDatabaseFile(file: string, warn: (message: string) => void): DatabaseSync {
  prepareFile(file, warn)
  try {
    return openDatabase(file)
  } catch (error) {
    if (error instanceof CallboardError) throw error
    throw new CallboardError('internal', `can't open the store "${file}": ${messageOf(error)}`, { cause: error })
  }
}

/** Makes the file and its folder private. SQLite gives the files that it puts beside it the same mode. */
function prepareFile(file: string, warn: (message: string) => void): void {
  try {
    makeFolder(dirname(file))
    warnOfOpenFolder(dirname(file), warn)
    closeSync(openSync(file, 'a', 0o600))
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (error) {
    throw new CallboardError(
      'config',
      `can't write the store "${file}": ${messageOf(error)}; set dataDir to a folder that you may write`,
      { cause: error },
    )
  }
}

/** A folder that was there already is its owner's: its mode is not changed, but told. */
function warnOfOpenFolder(folder: string, warn: (message: string) => void): void {
  const open = statSync(folder).mode & 0o077
  if (process.platform === 'win32' || open === 0) return
  warn(`the data folder "${folder}" is open to other users of this machine; close it with: chmod 700 ${folder}`)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    const [first] = database.prepare('PRAGMA quick_check(1)').all()
    // The finding has line breaks in it.
    if (first?.quick_check !== 'ok') throw damaged(file, String(first?.quick_check).replaceAll('\n', ' '))
    migrate(database, file)
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw isDamage(error) ? damaged(file, messageOf(error), error) : error
  }
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  // The low byte is the kind of error, the rest says more of it.
  const code = Number(error.errcode) & 0xff
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/**
 * To begin anew would switch on again what was switched off, and forget who may do what: only a person may decide that.
 */
function damaged(file: string, damage: string, cause?: unknown): CallboardError {
  return new CallboardError(
    'config',
    `the store "${file}" is damaged (${damage}); it holds the users, roles, tokens and switches of the command line and what ` +
      'plugins keep; end every callboard that uses it, then put a good copy in its place without the "-wal" and "-shm" beside ' +
      'it, or move all three away to begin anew without users, roles, tokens and switches, so that all that was switched off is on again',
    { cause },
  )
}
